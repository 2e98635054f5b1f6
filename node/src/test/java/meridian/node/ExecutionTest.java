package meridian.node;

import static meridian.node.TestNode.join;
import static meridian.node.TestNode.only;
import static meridian.node.TestNode.problem;
import static meridian.node.TestNode.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.RequestedOutput;
import meridian.core.latency.Stage;
import meridian.core.model.ModelStatistics;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import meridian.testkit.graph.RowGraphs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutionTest {

  @TempDir Path root;

  @Test
  void infer_oneBadRequestAmongGoodOnes_onlyThatOneFails() {
    ModelFolder.write(root, "m", 1, Graphs.gather());
    try (TestNode node = TestNode.start(root)) {
      for (int round = 0; round < 100; round++) {
        List<CompletionStage<InferResult>> results = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          results.add(node.node.infer(request("m", "ids", ids(i == 5 ? 99 : i % 8))));
        }
        for (int i = 0; i < 8; i++) {
          InferResult result = join(results.get(i));
          if (i == 5) {
            assertThat(problem(result).code()).isEqualTo(ErrorCode.INTERNAL);
          } else {
            assertThat(only(result).toFloats()[0]).isEqualTo(10f * i);
          }
        }
      }
    }
  }

  @Test
  void infer_requestsOfManyRows_runsNeverExceedTheLimitInRows() throws IOException {
    yaml("m", "batching: {max_rows: 8}");
    ModelFolder.write(root, "m", 1, Graphs.batchSize());
    try (TestNode node = TestNode.start(root)) {
      CountDownLatch gate = node.backend.holdRuns();
      List<CompletionStage<InferResult>> results = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        results.add(node.node.infer(request("m", "x", rows(i < 7 ? 5 : 3))));
      }
      gate.countDown();
      for (CompletionStage<InferResult> result : results) {
        assertThat(only(join(result)).toLongs()[0]).isLessThanOrEqualTo(8);
      }
    }
  }

  @Test
  void infer_moreRowsThanARunMayHave_runsInPartsAndAnswersAsOne() throws IOException {
    yaml("m", "batching: {max_rows: 8, max_queue_rows: 100}");
    ModelFolder.write(root, "m", 1, Graphs.batchSize());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.output("m", "x", rows(9)).toLongs())
          .containsExactly(8, 8, 8, 8, 8, 8, 8, 8, 1);
      assertThat(node.output("m", "x", rows(24)).shape()).isEqualTo(Shape.of(24, 1));
      Problem tooMany = node.problem("m", "x", rows(101));
      assertThat(tooMany).isEqualTo(Problem.invalid("inputs", "101 rows", "at most 100"));
    }
  }

  @Test
  void infer_noRows_givesNoRows() {
    ModelFolder.write(root, "m", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.output("m", "x", Tensor.ofFloats(Shape.of(0, 4))).shape())
          .isEqualTo(Shape.of(0, 3));
    }
  }

  @Test
  void infer_rowsBeyondAnInt_areRefused() {
    ModelFolder.write(root, "m", 1, Graphs.identity(meridian.core.tensor.DataType.FP32));
    try (TestNode node = TestNode.start(root)) {
      Tensor many = Tensor.ofFloats(Shape.of(1L << 40, 0));

      assertThat(node.problem("m", "INPUT0", many).message())
          .isEqualTo("inputs: 1099511627776 rows (expected: at most 4096)");
    }
  }

  @Test
  void infer_rowAloneAndInBatches_agreesWithinTolerance() {
    ModelFolder.write(root, "m", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      float[] alone =
          node.output("m", "x", Tensor.ofFloats(Shape.of(1, 4), 0.1f, 0.2f, 0.3f, 0.4f)).toFloats();
      for (int rows : new int[] {2, 3, 4, 8}) {
        float[] values = new float[rows * 4];
        for (int i = 0; i < values.length; i++) {
          values[i] = i < 4 ? 0.1f * (i + 1) : i;
        }
        float[] together =
            node.output("m", "x", Tensor.ofFloats(Shape.of(rows, 4), values)).toFloats();
        for (int i = 0; i < alone.length; i++) {
          assertThat(together[i]).isCloseTo(alone[i], within(1e-5f * Math.abs(alone[i])));
        }
      }
    }
  }

  @Test
  void mixing_graphWhoseRowsInfluenceEachOther_requestsRunAlone() throws IOException {
    ModelFolder.write(root, "exact", 1, RowGraphs.tensorWiseQuantized());
    yaml("mixed", "batching: {mixing: allowed}");
    ModelFolder.write(root, "mixed", 1, RowGraphs.tensorWiseQuantized());
    ModelFolder.write(root, "invariant", 1, RowGraphs.rowWiseQuantized());
    yaml("declared", "batching: {mixing: exact}");
    ModelFolder.write(root, "declared", 1, RowGraphs.rowWiseQuantized());
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.properties("exact"))
          .containsEntry("batch_invariant", "false")
          .containsEntry("batching", "exact");
      assertThat(Double.parseDouble(node.properties("exact").get("largest_deviation")))
          .isGreaterThan(1e-3);
      assertThat(node.properties("invariant"))
          .containsEntry("batch_invariant", "true")
          .containsEntry("batching", "mixed");

      assertThat(largestBatch(node, "exact")).isEqualTo(1);
      assertThat(largestBatch(node, "declared")).isEqualTo(1);
      assertThat(largestBatch(node, "mixed")).isGreaterThan(1);
      assertThat(largestBatch(node, "invariant")).isGreaterThan(1);
    }
  }

  @Test
  void infer_outputsInAnotherOrder_areAnsweredInThatOrder() {
    ModelFolder.write(root, "m", 1, Graphs.add2());
    float[] values = new float[16];
    values[0] = 3;
    Tensor tensor = Tensor.ofFloats(Shape.of(1, 16), values);
    InferRequest request =
        InferRequest.of(
            "m", List.of(new NamedTensor("INPUT1", tensor), new NamedTensor("INPUT0", tensor)));
    try (TestNode node = TestNode.start(root)) {
      assertThat(names(node.infer(request))).containsExactly("OUTPUT0", "OUTPUT1");
      assertThat(names(node.infer(request.withOutputs(outputs("OUTPUT1", "OUTPUT0")))))
          .containsExactly("OUTPUT1", "OUTPUT0");
      assertThat(names(node.infer(request.withOutputs(outputs("OUTPUT1")))))
          .containsExactly("OUTPUT1");
    }
  }

  @Test
  void infer_classificationOfBytesOrBelowZero_isRefused() {
    ModelFolder.write(root, "m", 1, Graphs.identity(meridian.core.tensor.DataType.BYTES));
    Tensor text = Tensor.ofStrings(Shape.of(1, 1), List.of(new byte[] {'a'}));
    try (TestNode node = TestNode.start(root)) {
      InferRequest request = request("m", "INPUT0", text);
      assertThat(
              problem(node.infer(request.withOutputs(List.of(new RequestedOutput("OUTPUT0", 1)))))
                  .message())
          .isEqualTo(
              "outputs[0].parameters.classification: BYTES of \"OUTPUT0\" (expected: an output of"
                  + " numbers)");
      assertThat(
              problem(node.infer(request.withOutputs(List.of(new RequestedOutput("OUTPUT0", -1)))))
                  .code())
          .isEqualTo(ErrorCode.INVALID_ARGUMENT);
    }
  }

  @Test
  void infer_moreBytesThanTheModelTakes_isTooLarge() throws IOException {
    yaml("m", "limits: {max_request_bytes: 31}");
    ModelFolder.write(root, "m", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      Problem problem = node.problem("m", "x", Tensor.ofFloats(Shape.of(2, 4), new float[8]));

      assertThat(problem.code()).isEqualTo(ErrorCode.TOO_LARGE);
      assertThat(problem.message()).isEqualTo("inputs: 32 bytes (expected: at most 31)");
    }
  }

  @Test
  void infer_modelWithADefaultTimeout_failsWhatWaitsLonger() throws IOException {
    yaml("m", "limits: {default_timeout_ms: 1}");
    ModelFolder.write(root, "m", 1, Graphs.linear());
    try (TestNode node = TestNode.start(root)) {
      CountDownLatch gate = node.backend.holdRuns();
      List<CompletionStage<InferResult>> results = new ArrayList<>();
      Tensor row = Tensor.ofFloats(Shape.of(1, 4), 1, 2, 3, 4);
      for (int i = 0; i < 3; i++) {
        results.add(node.node.infer(request("m", "x", row)));
      }
      assertThat(problem(join(results.getLast())).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
      gate.countDown();
      results.forEach(TestNode::join);
    }
  }

  @Test
  void statistics_goodAndBadRequests_areCounted() {
    ModelFolder.write(root, "m", 1, Graphs.gather());
    try (TestNode node = TestNode.start(root)) {
      assertThat(statistics(node).inferences().success().count()).isZero();
      node.output("m", "ids", ids(1, 2, 3));
      node.output("m", "ids", ids(4));
      node.problem("m", "ids", ids(99));
      node.problem("m", "wrong", ids(1));

      ModelStatistics statistics = statistics(node);
      assertThat(statistics.inferenceCount()).isEqualTo(4);
      assertThat(statistics.executionCount()).isEqualTo(2);
      assertThat(statistics.inferences().success().count()).isEqualTo(2);
      assertThat(statistics.inferences().fail().count()).isEqualTo(2);
      assertThat(statistics.inferences().computeInfer().nanos()).isPositive();
      assertThat(statistics.inferences().success().nanos())
          .isGreaterThanOrEqualTo(
              statistics.inferences().computeInfer().nanos()
                  + statistics.inferences().queue().nanos());
      assertThat(statistics.batches())
          .extracting(batch -> batch.batchSize())
          .containsExactly(1L, 3L);
      assertThat(statistics.lastInferenceMillis()).isPositive();
    }
  }

  @Test
  void latency_answeredRequest_hasModelAndDataTime() {
    ModelFolder.write(root, "m", 1, Graphs.slow());
    try (TestNode node = TestNode.start(root)) {
      InferResult result = node.infer("m", "iterations", Tensor.ofLongs(Shape.of(1, 1), 100));

      assertThat(result.latency().nanos(Stage.MODEL)).isPositive();
      assertThat(result.latency().nanos(Stage.DATA)).isPositive();
      assertThat(result.latency().nanos(Stage.NETWORK)).isZero();
    }
  }

  @Test
  void infer_cancelledWhileItWaits_isNotExecuted() {
    ModelFolder.write(root, "m", 1, Graphs.linear());
    Tensor row = Tensor.ofFloats(Shape.of(1, 4), 1, 2, 3, 4);
    try (TestNode node = TestNode.start(root)) {
      CountDownLatch gate = node.backend.holdRuns();
      List<CompletionStage<InferResult>> busy = new ArrayList<>();
      busy.add(node.node.infer(request("m", "x", row)));
      busy.add(node.node.infer(request("m", "x", row)));
      InferRequest waiting = request("m", "x", row);
      CompletionStage<InferResult> result = node.node.infer(waiting);

      waiting.cancellation().cancel();

      assertThat(problem(join(result)).code()).isEqualTo(ErrorCode.CANCELLED);
      gate.countDown();
      busy.forEach(each -> only(join(each)));
      assertThat(statistics(node).executionCount()).isEqualTo(2);
    }
  }

  /** Holds both lanes, has requests gather, and says how many rows ran together at most. */
  private static long largestBatch(TestNode node, String model) {
    CountDownLatch gate = node.backend.holdRuns();
    List<CompletionStage<InferResult>> results = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      results.add(
          node.node.infer(request(model, "x", Tensor.ofFloats(Shape.of(1, 4), i, 1, 2, 3))));
    }
    gate.countDown();
    results.forEach(result -> only(join(result)));
    return statistics(node, model).batches().getLast().batchSize();
  }

  private static ModelStatistics statistics(TestNode node) {
    return statistics(node, "m");
  }

  private static ModelStatistics statistics(TestNode node, String model) {
    return ((Outcome.Ok<List<ModelStatistics>>) node.node.statistics(model, null))
        .value()
        .getFirst();
  }

  private static List<String> names(InferResult result) {
    return ((InferResponse) result).outputs().stream().map(NamedTensor::name).toList();
  }

  private static List<RequestedOutput> outputs(String... names) {
    return List.of(names).stream().map(RequestedOutput::of).toList();
  }

  private static Tensor ids(long... ids) {
    return Tensor.ofLongs(Shape.of(ids.length), ids);
  }

  private static Tensor rows(int count) {
    return Tensor.ofFloats(Shape.of(count, 1), new float[count]);
  }

  private void yaml(String model, String text) throws IOException {
    Files.createDirectories(root.resolve(model));
    Files.writeString(root.resolve(model).resolve("model.yaml"), text);
  }
}
