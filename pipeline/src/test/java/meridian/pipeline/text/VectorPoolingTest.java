package meridian.pipeline.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import meridian.core.tensor.Rows;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.pipeline.text.TextSettings.Normalize;
import meridian.pipeline.text.TextSettings.Pooling;
import org.junit.jupiter.api.Test;

class VectorPoolingTest {

  private static final int SIZE = 37;

  private final Random random = new Random(7);

  @Test
  void mean_paddedBatch_equalsTheNaiveMeanOfEachText() {
    int[] lengths = {3, 1, 9, 0, 7};
    Tensor output = random(5, 9);
    Tensor pooled = pool(Pooling.MEAN, Normalize.L2, List.of(output), lengths);
    assertThat(pooled.shape()).isEqualTo(Shape.of(5, SIZE));
    for (int row = 0; row < 5; row++) {
      double[] mean = NaivePooling.mean(output.toFloats(), row * 9 * SIZE, lengths[row], SIZE);
      assertClose(vector(pooled, row), NaivePooling.normalized(mean));
    }
  }

  @Test
  void mean_notNormalized_keepsItsLength() {
    Tensor output = random(2, 4);
    Tensor pooled = pool(Pooling.MEAN, Normalize.NONE, List.of(output), 4, 2);
    assertClose(vector(pooled, 0), NaivePooling.mean(output.toFloats(), 0, 4, SIZE));
    assertClose(vector(pooled, 1), NaivePooling.mean(output.toFloats(), 4 * SIZE, 2, SIZE));
  }

  @Test
  void mean_separateOutputs_followEachOther() {
    List<Tensor> outputs = List.of(random(1, 5), random(1, 2), random(1, 8));
    Tensor pooled = pool(Pooling.MEAN, Normalize.NONE, outputs, 5, 2, 8);
    for (int i = 0; i < 3; i++) {
      int tokens = (int) outputs.get(i).shape().dim(1);
      assertClose(vector(pooled, i), NaivePooling.mean(outputs.get(i).toFloats(), 0, tokens, SIZE));
    }
  }

  @Test
  void mean_offHeapOutput_isTheSame() {
    Tensor output = random(3, 6);
    try (Arena arena = Arena.ofConfined()) {
      Tensor offHeap = Rows.copy(output, arena);
      assertThat(pool(Pooling.MEAN, Normalize.L2, List.of(offHeap), 6, 5, 4).toFloats())
          .containsExactly(pool(Pooling.MEAN, Normalize.L2, List.of(output), 6, 5, 4).toFloats());
    }
  }

  @Test
  void normalize_zeroVector_staysZero() {
    Tensor zeros = Tensor.ofFloats(Shape.of(1, 2, SIZE), new float[2 * SIZE]);
    assertThat(pool(Pooling.MEAN, Normalize.L2, List.of(zeros), 2).toFloats()).containsOnly(0f);
  }

  @Test
  void normalize_tinyAndHugeVectors_haveLengthOne() {
    for (float magnitude : new float[] {1e-9f, 1e30f}) {
      float[] values = new float[SIZE];
      Arrays.fill(values, magnitude);
      Tensor output = Tensor.ofFloats(Shape.of(1, 1, SIZE), values);
      double[] pooled = vector(pool(Pooling.MEAN, Normalize.L2, List.of(output), 1), 0);
      assertThat(Arrays.stream(pooled).map(v -> v * v).sum()).isCloseTo(1, within(1e-5));
    }
  }

  @Test
  void cls_batch_isTheFirstVector() {
    Tensor output = random(2, 3);
    float[] pooled = pool(Pooling.CLS, Normalize.NONE, List.of(output), 3, 1).toFloats();
    float[] all = output.toFloats();
    assertThat(pooled)
        .containsExactly(
            concat(Arrays.copyOfRange(all, 0, SIZE), Arrays.copyOfRange(all, 3 * SIZE, 4 * SIZE)));
  }

  @Test
  void cls_textWithoutTokens_isZero() {
    assertThat(pool(Pooling.CLS, Normalize.L2, List.of(random(1, 1)), 0).toFloats())
        .containsOnly(0f);
  }

  @Test
  void none_separateOutputs_arePaddedWithZeros() {
    Tensor two = random(1, 2);
    Tensor three = random(1, 3);
    Tensor pooled = pool(Pooling.NONE, Normalize.NONE, List.of(two, three), 2, 3);
    assertThat(pooled.shape()).isEqualTo(Shape.of(2, 3, SIZE));
    assertThat(pooled.toFloats())
        .containsExactly(concat(two.toFloats(), new float[SIZE], three.toFloats()));
  }

  @Test
  void none_vectorsOfPadding_areZeroAndOthersNormalized() {
    Tensor output = random(1, 4);
    Tensor pooled = pool(Pooling.NONE, Normalize.L2, List.of(output), 3);
    for (int token = 0; token < 4; token++) {
      double[] expected =
          NaivePooling.mean(output.toFloats(), token * SIZE, token < 3 ? 1 : 0, SIZE);
      assertClose(vector(pooled, token), NaivePooling.normalized(expected));
    }
  }

  @Test
  void none_graphThatPools_isTakenAsItIs() {
    float[] values = {1, 2, 3, 4, 5, 6};
    Tensor output = Tensor.ofFloats(Shape.of(2, 3), values);
    Tensor pooled =
        new VectorPooling(Pooling.NONE, Normalize.NONE)
            .pool(List.of(output), new int[] {5, 6}, false, 3);
    assertThat(pooled.shape()).isEqualTo(Shape.of(2, 3));
    assertThat(pooled.toFloats()).containsExactly(values);
  }

  @Test
  void pool_noOutputs_isEmptyOfTheDeclaredSize() {
    assertThat(pool(Pooling.MEAN, Normalize.L2, List.of()).shape()).isEqualTo(Shape.of(0, SIZE));
    assertThat(pool(Pooling.NONE, Normalize.L2, List.of()).shape()).isEqualTo(Shape.of(0, 0, SIZE));
  }

  private static Tensor pool(
      Pooling pooling, Normalize normalize, List<Tensor> outputs, int... lengths) {
    return new VectorPooling(pooling, normalize).pool(outputs, lengths, true, SIZE);
  }

  private Tensor random(int rows, int tokens) {
    float[] values = new float[rows * tokens * SIZE];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.ofFloats(Shape.of(rows, tokens, SIZE), values);
  }

  private static double[] vector(Tensor tensor, int index) {
    float[] values = tensor.toFloats();
    double[] vector = new double[SIZE];
    for (int i = 0; i < SIZE; i++) {
      vector[i] = values[index * SIZE + i];
    }
    return vector;
  }

  private static void assertClose(double[] actual, double[] expected) {
    assertThat(actual).containsExactly(expected, within(1e-6));
  }

  private static float[] concat(float[]... parts) {
    List<Float> all = new ArrayList<>();
    for (float[] part : parts) {
      for (float value : part) {
        all.add(value);
      }
    }
    float[] joined = new float[all.size()];
    for (int i = 0; i < joined.length; i++) {
      joined[i] = all.get(i);
    }
    return joined;
  }
}
