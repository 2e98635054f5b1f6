package meridian.node;

import static meridian.node.TestNode.join;
import static meridian.node.TestNode.only;
import static meridian.node.TestNode.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import meridian.node.FaultyBackend.Call;
import meridian.testkit.graph.ModelFolder;
import meridian.testkit.graph.StateGraphs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A model that adds what it is given, in sequences. */
class SequenceTest {

  private static final String STATES = "states: [{input: state, output: next, axis: 1}]";
  private static final String MODEL =
      """
      sequence: {%s}
      fixed_inputs: {scale: 10}
      batching: {mixing: allowed}
      """
          .formatted(STATES);

  @TempDir Path root;

  @Test
  void infer_inOneSequence_goesOnWhereTheLastRequestEnded() throws IOException {
    try (TestNode node = start(MODEL)) {
      assertThat(sum(node, start("a", 1))).isEqualTo(10);
      assertThat(sum(node, next("a", 2))).isEqualTo(30);
      assertThat(sum(node, end("a", 3))).isEqualTo(60);
    }
  }

  @Test
  void describe_hidesStatesAndFixedInputs() throws IOException {
    try (TestNode node = start(MODEL)) {
      assertThat(only(node.infer(start("a", 1))).shape()).isEqualTo(Shape.of(1, 1));
      InferRequest withState =
          next("a", 1)
              .withInputs(
                  List.of(
                      named("x", 1), new NamedTensor("state", floats(Shape.of(1, 2, 1), 0, 0))));
      assertThat(problem(node.infer(withState)).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void infer_startOfAnOpenSequence_beginsAnew() throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("a", 1));
      assertThat(sum(node, start("a", 5))).isEqualTo(50);
      assertThat(sum(node, next("a", 1))).isEqualTo(60);
    }
  }

  @Test
  void infer_idsOfTextAndNumber_areTwoSequences() throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("7", 1));
      node.infer(request(new Parameter.Int(7), 5, true, false));
      assertThat(sum(node, next("7", 1))).isEqualTo(20);
      assertThat(sum(node, request(new Parameter.Int(7), 1, false, false))).isEqualTo(60);
    }
  }

  @Test
  void infer_idOfAnotherTenant_isAnotherSequence() throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("a", 1).withTenant("one"));
      node.infer(start("a", 5).withTenant("two"));
      assertThat(sum(node, next("a", 1).withTenant("one"))).isEqualTo(20);
      assertUnknown(node, next("a", 1));
    }
  }

  @Test
  void infer_withoutAnAnswerInBetween_keepsTheOrder() throws IOException {
    try (TestNode node = start(MODEL)) {
      List<CompletionStage<InferResult>> results = new ArrayList<>();
      results.add(node.node.infer(start("a", 1)));
      for (int i = 1; i < 40; i++) {
        results.add(node.node.infer(next("a", 1)));
      }
      for (int i = 0; i < 40; i++) {
        assertThat(only(join(results.get(i))).toFloats()[0]).isEqualTo(10f * (i + 1));
      }
    }
  }

  @Test
  void infer_manySequencesAtOnce_answerAsEachAlone() throws Exception {
    try (TestNode node = start(MODEL)) {
      List<Thread> users =
          IntStream.range(1, 9)
              .mapToObj(user -> Thread.ofPlatform().unstarted(() -> talk(node, user)))
              .toList();
      List<Throwable> thrown = new ArrayList<>();
      users.forEach(user -> user.setUncaughtExceptionHandler((_, e) -> add(thrown, e)));
      users.forEach(Thread::start);
      for (Thread user : users) {
        user.join();
      }
      assertThat(thrown).isEmpty();
    }
  }

  @Test
  void infer_ofSequencesThatWait_shareAnExecution() throws IOException {
    try (TestNode node = start(MODEL)) {
      for (int i = 0; i < 8; i++) {
        node.infer(start("s" + i, i));
      }
      CountDownLatch gate = node.backend.holdRuns();
      int before = node.backend.count(Call.RUN);
      List<CompletionStage<InferResult>> results = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        results.add(node.node.infer(next("s" + i, 1)));
      }
      gate.countDown();
      for (int i = 0; i < 8; i++) {
        assertThat(only(join(results.get(i))).toFloats()[0]).isEqualTo(10f * (i + 1));
      }
      assertThat(node.backend.count(Call.RUN) - before).isLessThanOrEqualTo(3);
    }
  }

  @Test
  void infer_failedExecution_leavesTheStateAsItWas() throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("a", 1));
      node.backend.failNth(Call.RUN, 1);
      assertThat(problem(node.infer(next("a", 100))).code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(sum(node, next("a", 1))).isEqualTo(20);
      node.backend.failNth(Call.RUN, 1);
      assertThat(problem(node.infer(end("a", 100))).code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(sum(node, next("a", 1))).isEqualTo(30);
    }
  }

  @Test
  void infer_sequenceThatDidNotBegin_isToldSo() throws IOException {
    try (TestNode node = start(MODEL)) {
      assertUnknown(node, next("a", 1));
      node.infer(start("a", 1));
      node.infer(end("a", 1));
      assertUnknown(node, next("a", 1));
    }
  }

  @Test
  void infer_otherRowsThanTheSequenceBeganWith_areRefused() throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("a", 1));
      InferRequest two =
          next("a", 1).withInputs(List.of(new NamedTensor("x", floats(Shape.of(2, 1), 1, 2))));
      assertThat(problem(node.infer(two)))
          .isEqualTo(Problem.invalid("inputs", "2 rows", "1, as the sequence began with"));
      assertThat(sum(node, next("a", 1))).isEqualTo(20);
    }
  }

  @Test
  void infer_parametersThatAreNone_areNamed() throws IOException {
    try (TestNode node = start(MODEL)) {
      assertThat(problem(node.infer(with(Parameters.NONE))).message())
          .isEqualTo(
              "parameters.sequence_id: missing (expected: a whole number but 0, or 1 to 128"
                  + " characters)");
      for (Parameter id :
          List.of(
              new Parameter.Int(0),
              new Parameter.Text(""),
              new Parameter.Text("x".repeat(129)),
              new Parameter.Real(1.5),
              new Parameter.Bool(true))) {
        assertThat(problem(node.infer(request(id, 1, true, false))).message())
            .startsWith("parameters.sequence_id: ");
      }
      Parameters odd =
          Parameters.NONE
              .with("sequence_id", new Parameter.Int(1))
              .with("sequence_start", new Parameter.Int(1));
      assertThat(problem(node.infer(with(odd))).message())
          .isEqualTo("parameters.sequence_start: 1 (expected: true or false)");
    }
  }

  @Test
  void infer_beyondTheBound_forgetsTheOneNotUsedForTheLongest() throws IOException {
    try (TestNode node = start(MODEL.replace(STATES, STATES + ", max_sequences: 2"))) {
      node.infer(start("a", 1));
      node.infer(start("b", 1));
      node.infer(next("a", 1));
      node.infer(start("c", 1));
      assertUnknown(node, next("b", 1));
      assertThat(sum(node, next("a", 1))).isEqualTo(30);
      assertThat(text(node)).contains("meridian_sequences_forgotten_total{model=\"m\"} 1.0\n");
    }
  }

  @Test
  void infer_allSequencesUnderWay_refusesAnother() throws IOException {
    try (TestNode node =
        start(MODEL.replace(STATES, STATES + ", max_sequences: 1, max_waiting: 1"))) {
      CountDownLatch gate = node.backend.holdRuns();
      CompletionStage<InferResult> first = node.node.infer(start("a", 1));
      CompletionStage<InferResult> second = node.node.infer(next("a", 1));
      assertThat(problem(node.infer(next("a", 1))).message())
          .isEqualTo("sequence \"a\": 1 requests waiting and one more (expected: at most 1)");
      assertThat(problem(node.infer(start("b", 1))).code()).isEqualTo(ErrorCode.OVERLOADED);
      gate.countDown();
      assertThat(only(join(first)).toFloats()[0]).isEqualTo(10);
      assertThat(only(join(second)).toFloats()[0]).isEqualTo(20);
    }
  }

  @Test
  void infer_hundredThousandBegunAndEnded_leaveNothing() throws IOException {
    try (TestNode node = start(MODEL)) {
      for (int i = 1; i <= 100_000; i += 50) {
        List<CompletionStage<InferResult>> results = new ArrayList<>();
        for (int id = i; id < i + 50; id++) {
          results.add(node.node.infer(request(new Parameter.Int(id), 1, true, false)));
          results.add(node.node.infer(request(new Parameter.Int(id), 1, false, true)));
        }
        results.forEach(result -> assertThat(join(result)).isInstanceOf(InferResponse.class));
      }
      assertThat(text(node))
          .contains("meridian_sequences{model=\"m\"} 0.0\n")
          .contains("meridian_sequence_state_bytes{model=\"m\"} 0.0\n")
          .doesNotContain("meridian_sequences_forgotten_total{");
    }
  }

  @Test
  void infer_openSequences_areCountedWithTheirBytes() throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("a", 1));
      node.infer(start("b", 1));
      assertThat(text(node))
          .contains("meridian_sequences{model=\"m\"} 2.0\n")
          .contains("meridian_sequence_state_bytes{model=\"m\"} 16.0\n");
    }
  }

  @Test
  void infer_beyondTheBytes_forgetsTheOneNotUsedForTheLongest() throws IOException {
    try (TestNode node = start(MODEL.replace(STATES, STATES + ", max_state_bytes: 16"))) {
      node.infer(start("a", 1));
      node.infer(start("b", 1));
      node.infer(start("c", 1));
      assertUnknown(node, next("a", 1));
      assertThat(sum(node, next("b", 1))).isEqualTo(20);

      InferRequest three =
          start("d", 1).withInputs(List.of(new NamedTensor("x", floats(Shape.of(3, 1), 1, 2, 3))));
      assertThat(problem(node.infer(three)))
          .isEqualTo(
              Problem.of(
                  ErrorCode.TOO_LARGE,
                  "inputs: rows with a state of 24 bytes (expected: at most 16)"));
      assertUnknown(node, next("d", 1));
    }
  }

  @Test
  void infer_cancelledWhileOthersOfItsSequenceRun_isAnsweredAtOnceAndChangesNothing()
      throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("a", 1));
      CountDownLatch gate = node.backend.holdRuns();
      CompletionStage<InferResult> first = node.node.infer(next("a", 1));
      InferRequest waits = next("a", 100);
      CompletionStage<InferResult> second = node.node.infer(waits);
      CompletionStage<InferResult> third = node.node.infer(next("a", 1));
      waits.cancellation().cancel();

      assertThat(problem(join(second)).code()).isEqualTo(ErrorCode.CANCELLED);
      assertThat(first.toCompletableFuture()).isNotDone();
      gate.countDown();
      assertThat(only(join(first)).toFloats()[0]).isEqualTo(20);
      assertThat(only(join(third)).toFloats()[0]).isEqualTo(30);
    }
  }

  @Test
  void infer_deadlinePassedBeforeItsTurn_leavesTheStateAsItWas() throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("a", 1));
      InferRequest late = next("a", 100).withDeadline(Deadline.at(NanoClock.SYSTEM.nanos() - 1));
      assertThat(problem(node.infer(late)).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
      assertThat(sum(node, next("a", 1))).isEqualTo(20);
    }
  }

  @Test
  void infer_failedStart_leavesTheSequenceThatWasOpen() throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("a", 1));
      node.backend.failNth(Call.RUN, 1);
      assertThat(problem(node.infer(start("a", 5))).code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(sum(node, next("a", 1))).isEqualTo(20);

      node.backend.failNth(Call.RUN, 1);
      assertThat(problem(node.infer(start("b", 5))).code()).isEqualTo(ErrorCode.INTERNAL);
      assertUnknown(node, next("b", 1));
    }
  }

  @Test
  void infer_stateInAnotherShapeThanItGoesIn_failsAndKeepsTheLast() throws IOException {
    ModelFolder.write(root, "m", 1, StateGraphs.growing());
    Files.writeString(
        root.resolve("m/model.yaml"), "sequence: {states: [{input: state, output: next}]}");
    try (TestNode node = TestNode.start(root)) {
      Problem problem = problem(node.infer(start("a", 1)));
      assertThat(problem)
          .isEqualTo(
              Problem.of(
                  ErrorCode.INTERNAL,
                  "outputs[\"next\"].shape: [1,4] from the model, rows in front (expected: [1,2],"
                      + " as \"state\" takes)"));
      assertUnknown(node, next("a", 1));
    }
  }

  @Test
  void infer_afterAReplacement_isToldThatTheStateIsGone() throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("a", 1));
      node.load("m");
      assertUnknown(node, next("a", 1));
    }
  }

  @Test
  void load_whileRequestsOfASequenceWait_theOldVersionAnswersThem() throws IOException {
    try (TestNode node = start(MODEL)) {
      node.infer(start("a", 1));
      CountDownLatch gate = node.backend.holdRuns();
      CompletionStage<InferResult> first = node.node.infer(next("a", 1));
      CompletionStage<InferResult> second = node.node.infer(next("a", 1));
      CompletionStage<?> loading = node.node.load(LoadRequest.of("m"));
      gate.countDown();

      assertThat(only(join(first)).toFloats()[0]).isEqualTo(20);
      assertThat(only(join(second)).toFloats()[0]).isEqualTo(30);
      join(loading);
      assertUnknown(node, next("a", 1));
      assertThat(sum(node, start("a", 1))).isEqualTo(10);
    }
  }

  @Test
  void load_statesThatTheGraphDoesNotHave_failsAndNamesThem() throws IOException {
    assertRefused(
        "{input: z, output: next}",
        "sequence.states[0].input: \"z\" (expected: one of [x, state, scale])");
    assertRefused(
        "{input: state, output: z}",
        "sequence.states[0].output: \"z\" (expected: one of [sum, next])");
    assertRefused(
        "{input: state, output: sum, axis: 1}",
        "sequence.states[0].output: \"sum\" FP32 [-1,1] (expected: FP32 [2,-1,1], as the input)");
    assertRefused(
        "{input: state, output: next, axis: 1, data_type: INT64}",
        "sequence.states[0].data_type: INT64 for \"state\" (expected: FP32 as in the graph)");
    assertRefused(
        "{input: state, output: next, axis: 1, dims: [3, 1]}",
        "sequence.states[0].dims: [3,1] for \"state\" (expected: [2,1] as in the graph, without"
            + " the rows)");
    assertRefused(
        "{input: state, output: next, axis: 3}",
        "sequence.states[0].axis: 3 (expected: a dimension of \"state\" [2,-1,1])");
    assertRefused(
        "{input: state, output: next}",
        "sequence.states[0].axis: 0, of size 2 in \"state\" [2,-1,1] (expected: the dimension that"
            + " counts rows, variable or 1)");
    assertRefused(
        "{input: state, output: next, axis: 2}",
        "sequence.states[0].input: \"state\" FP32 [2,-1,1] (expected: a fixed size but for"
            + " dimension 2)");
  }

  @Test
  void load_tensorsThatAreTaken_failsAndNamesThem() throws IOException {
    String state = "{input: state, output: next, axis: 1}";
    assertRefused(
        state + ", " + state,
        "sequence.states[1].input: \"state\" is taken (expected: each input in one state or in"
            + " fixed_inputs)");
  }

  @Test
  void load_fixedInputThatTheGraphDoesNotHave_fails() throws IOException {
    assertFails(
        MODEL.replace("scale: 10", "scales: 10"),
        "fixed_inputs: \"scales\" (expected: an input of numbers of a fixed shape)");
  }

  private void assertRefused(String state, String reason) throws IOException {
    assertFails(MODEL.replace(STATES, "states: [" + state + "]"), reason);
  }

  private void assertFails(String yaml, String reason) throws IOException {
    try (TestNode node = start(yaml)) {
      assertThat(node.status("m", "1").reason()).isEqualTo(reason);
    }
  }

  private TestNode start(String yaml) throws IOException {
    Files.createDirectories(root.resolve("m"));
    Files.writeString(root.resolve("m/model.yaml"), yaml);
    ModelFolder.write(root, "m", 1, StateGraphs.accumulator());
    return TestNode.start(root);
  }

  private static void talk(TestNode node, int user) {
    String id = "user" + user;
    for (int i = 1; i <= 100; i++) {
      InferRequest request = i == 1 ? start(id, user) : next(id, user);
      assertThat(only(node.infer(request)).toFloats()[0]).isEqualTo(10f * user * i);
    }
  }

  private static void add(List<Throwable> thrown, Throwable one) {
    synchronized (thrown) {
      thrown.add(one);
    }
  }

  private static float sum(TestNode node, InferRequest request) {
    return only(node.infer(request)).toFloats()[0];
  }

  private static void assertUnknown(TestNode node, InferRequest request) {
    assertThat(problem(node.infer(request)).message())
        .startsWith("parameters.sequence_id: \"")
        .contains("\" has no state here (expected: ");
  }

  private static String text(TestNode node) {
    return new String(node.metrics.expose(null).body(), java.nio.charset.StandardCharsets.UTF_8);
  }

  private static InferRequest start(String id, float x) {
    return request(new Parameter.Text(id), x, true, false);
  }

  private static InferRequest next(String id, float x) {
    return request(new Parameter.Text(id), x, false, false);
  }

  private static InferRequest end(String id, float x) {
    return request(new Parameter.Text(id), x, false, true);
  }

  private static InferRequest request(Parameter id, float x, boolean start, boolean end) {
    return with(Parameters.NONE
            .with("sequence_id", id)
            .with("sequence_start", new Parameter.Bool(start))
            .with("sequence_end", new Parameter.Bool(end)))
        .withInputs(List.of(named("x", x)));
  }

  private static InferRequest with(Parameters parameters) {
    return InferRequest.of("m", List.of(named("x", 1))).withParameters(parameters);
  }

  private static NamedTensor named(String name, float value) {
    return new NamedTensor(name, floats(Shape.of(1, 1), value));
  }

  private static Tensor floats(Shape shape, float... values) {
    return Tensor.ofFloats(shape, values);
  }
}
