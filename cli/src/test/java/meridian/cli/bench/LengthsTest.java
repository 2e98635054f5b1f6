package meridian.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LengthsTest {

  private static final int DRAWS = 20_000;

  private final SplittableRandom random = new SplittableRandom(1);

  @ParameterizedTest
  @ValueSource(strings = {"16", "8..128", "lognormal:32:0.7:8:128"})
  void parse_everyForm_readsWhatTextWrites(String text) {
    assertThat(Lengths.parse(text).text()).isEqualTo(text);
  }

  @Test
  void uniform_draws_areEvenlySpreadAndReachBothEnds() {
    int[] lengths = draw("3..12");
    assertThat(lengths).contains(3, 12);
    for (int length = 3; length <= 12; length++) {
      int wanted = length;
      long times = IntStream.of(lengths).filter(each -> each == wanted).count();
      assertThat(times).isBetween(DRAWS / 12L, DRAWS / 8L);
    }
    assertThat(lengths).hasSize(DRAWS);
  }

  @Test
  void lognormal_draws_haveTheMedianTheSkewAndTheBounds() {
    int[] lengths = draw("lognormal:32:0.7:8:128");
    int[] sorted = IntStream.of(lengths).sorted().toArray();
    assertThat(sorted[0]).isEqualTo(8);
    assertThat(sorted[DRAWS - 1]).isEqualTo(128);
    assertThat(sorted[DRAWS / 2]).isBetween(31, 33);
    // One standard deviation up: 32 * exp(0.7).
    assertThat(sorted[(int) (0.8413 * DRAWS)]).isBetween(62, 67);
  }

  @Test
  void samples_inputsOfOneRequest_shareTheLength() {
    Shape shape = Shape.of(Shape.ANY, Shape.ANY);
    Signature signature =
        new Signature(
            List.of(
                new TensorSpec("ids", DataType.INT64, shape, false),
                new TensorSpec("mask", DataType.INT64, shape, false)),
            List.of(new TensorSpec("y", DataType.FP32, shape, false)),
            true);
    Samples samples = new Samples(signature, 2, Lengths.parse("5..50"), random);
    assertThat(
            IntStream.range(0, 100)
                .mapToObj(_ -> samples.next())
                .peek(
                    inputs ->
                        assertThat(inputs.get(0).tensor().shape())
                            .isEqualTo(inputs.get(1).tensor().shape()))
                .map(List::getFirst)
                .map(NamedTensor::tensor)
                .map(tensor -> tensor.shape().toArray()[1])
                .distinct()
                .count())
        .isGreaterThan(20);
  }

  @ParameterizedTest
  @CsvSource({
    "0, length: 0 (expected: 1 or more)",
    "9..8, most: 8 (expected: 9 or more)",
    "0..8, least: 0 (expected: 1 or more)",
    "lognormal:4:0.7:8:128, median: 4 (expected: 8 or more)",
    "lognormal:32:0:8:128, 'sigma: 0.0 (expected: above 0, at most 10)'",
    "lognormal:32:0.7:8:16, most: 16 (expected: 32 or more)",
    "long, 'long (expected: N, MIN..MAX or lognormal:MEDIAN:SIGMA:MIN:MAX)'",
    "-1, '-1 (expected: N, MIN..MAX or lognormal:MEDIAN:SIGMA:MIN:MAX)'"
  })
  void parse_whatMakesNoSense_isRefused(String text, String message) {
    assertThatThrownBy(() -> Lengths.parse(text)).hasMessage(message);
  }

  private int[] draw(String text) {
    Lengths lengths = Lengths.parse(text);
    return IntStream.range(0, DRAWS).map(_ -> lengths.next(random)).toArray();
  }
}
