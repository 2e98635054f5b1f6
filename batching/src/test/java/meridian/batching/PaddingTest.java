package meridian.batching;

import static meridian.batching.LanesUnderTest.done;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.InvarianceProbe;
import meridian.core.infer.Cancellation;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PaddingTest {

  private static final byte[] SEVEN = InvarianceProbe.Padding.element(DataType.FP32, 7);

  @RegisterExtension private final LanesUnderTest under = new LanesUnderTest();

  private final Arithmetic model = new Arithmetic();
  private final Queue<List<Float>> ran = new ConcurrentLinkedQueue<>();

  @Test
  void submit_unlikeLengthsUpToAnEdge_runAsOneAndComeBackAsTheyWere() throws Exception {
    ModelQueue queue = held(Set.of("twice"), 4, 8);
    List<CompletionStage<WorkResult>> results =
        List.of(
            queue.submit(rows(1, 1, 2)),
            queue.submit(rows(2, 3, 4, 5, 6, 8, 9)),
            queue.submit(rows(1, 10, 11, 12, 13)));
    model.release();

    assertOutput(results.get(0), Shape.of(1, 2), 2, 4);
    assertOutput(results.get(1), Shape.of(2, 3), 6, 8, 10, 12, 16, 18);
    assertOutput(results.get(2), Shape.of(1, 4), 20, 22, 24, 26);
    assertThat(last())
        .containsExactly(1f, 2f, 7f, 7f, 3f, 4f, 5f, 7f, 6f, 8f, 9f, 7f, 10f, 11f, 12f, 13f);
  }

  @Test
  void submit_longestOfTheBatchBelowTheEdge_isFilledUpNoFurther() throws Exception {
    ModelQueue queue = held(Set.of("twice"), 8);
    List<CompletionStage<WorkResult>> results =
        List.of(queue.submit(rows(1, 1)), queue.submit(rows(1, 2, 3)));
    model.release();

    results.forEach(LanesUnderTest::done);
    assertThat(last()).containsExactly(1f, 7f, 2f, 3f);
  }

  @Test
  void submit_lengthsOnTwoSidesOfAnEdgeOrBeyondTheLast_doNotShare() throws Exception {
    ModelQueue queue = held(Set.of("twice"), 2, 4);
    List<CompletionStage<WorkResult>> results = new ArrayList<>();
    for (int length : new int[] {2, 3, 5, 6, 6}) {
      results.add(queue.submit(rows(1, new float[length])));
    }
    model.release();

    results.forEach(LanesUnderTest::done);
    assertThat(model.runs()).containsExactlyInAnyOrder(1, 1, 1, 1, 2);
  }

  @Test
  void submit_outputThatIsNotDeclared_comesBackAsTheModelGaveIt() throws Exception {
    ModelQueue queue = held(Set.of(), 4);
    List<CompletionStage<WorkResult>> results =
        List.of(queue.submit(rows(1, 1)), queue.submit(rows(1, 2, 3)));
    model.release();

    assertOutput(results.get(0), Shape.of(1, 2), 2, 14);
    assertOutput(results.get(1), Shape.of(1, 2), 4, 6);
  }

  @Test
  void submit_declaredOutputOfAnotherLength_hasRequestsRunOneByOne() throws Exception {
    ModelQueue queue =
        under.open(
            under.start(1, NanoClock.SYSTEM),
            settings(Set.of("twice"), 4),
            (inputs, outputs, stop) -> halved(model.run(inputs, outputs, stop)));
    var _ = queue.submit(rows(1, Arithmetic.HOLD, 0));
    model.awaitHeld();
    List<CompletionStage<WorkResult>> results =
        List.of(queue.submit(rows(1, 1, 2)), queue.submit(rows(1, 3, 4, 5, 6)));
    model.release();

    assertOutput(results.get(0), Shape.of(1, 1), 2);
    assertOutput(results.get(1), Shape.of(1, 2), 6, 8);
    assertThat(model.runs()).containsExactly(1, 2, 1, 1);
  }

  @Test
  void padding_edgesThatDoNotAscend_areRefused() {
    assertThatThrownBy(() -> new Padding(Map.of(), Set.of(), List.of(8, 8)))
        .hasMessage("edges: [8, 8] (expected: ascending, from 1)");
  }

  private ModelQueue held(Set<String> outputs, Integer... edges) throws Exception {
    ModelQueue queue =
        under.open(under.start(1, NanoClock.SYSTEM), settings(outputs, edges), this::run);
    var _ = queue.submit(rows(1, Arithmetic.HOLD));
    model.awaitHeld();
    return queue;
  }

  private List<NamedTensor> run(List<NamedTensor> inputs, Set<String> outputs, Cancellation stop)
      throws ExecutionException {
    List<Float> values = new ArrayList<>();
    for (float value : inputs.getFirst().tensor().toFloats()) {
      values.add(value);
    }
    ran.add(values);
    return model.run(inputs, outputs, stop);
  }

  private List<Float> last() {
    return List.copyOf(ran).getLast();
  }

  private static QueueSettings settings(Set<String> outputs, Integer... edges) {
    Padding padding = new Padding(Map.of("x", SEVEN), outputs, Arrays.asList(edges));
    return new QueueSettings("m", 8, true, false, padding, 100, 1 << 20, Long.MAX_VALUE, 5);
  }

  private static Work rows(int rows, float... values) {
    Tensor x = Tensor.ofFloats(Shape.of(rows, values.length / rows), values);
    return Requests.work(List.of(new NamedTensor("x", x)), rows, Requests.TWICE);
  }

  /** The first half of each of two or more columns. */
  private static List<NamedTensor> halved(List<NamedTensor> outputs) {
    Tensor whole = outputs.getFirst().tensor();
    int rows = (int) whole.shape().dim(0);
    int length = (int) whole.shape().dim(1);
    float[] values = whole.toFloats();
    float[] half = new float[rows * length / 2];
    for (int row = 0; row < rows; row++) {
      System.arraycopy(values, row * length, half, row * length / 2, length / 2);
    }
    Tensor tensor = Tensor.ofFloats(Shape.of(rows, length / 2), half);
    return List.of(new NamedTensor(outputs.getFirst().name(), tensor));
  }

  private static void assertOutput(
      CompletionStage<WorkResult> stage, Shape shape, float... values) {
    Tensor twice = done(stage).outputs().getFirst().tensor();
    assertThat(twice.shape()).isEqualTo(shape);
    assertThat(twice.toFloats()).containsExactly(values);
  }
}
