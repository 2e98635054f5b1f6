package meridian.node.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.node.version.Labels;
import org.junit.jupiter.api.Test;

class ClassificationTest {

  private static final Labels LABELS = new Labels(Map.of("p", List.of("cat", "dog")));

  @Test
  void of_rows_givesTheLargestOfEachRowWithLabels() {
    Tensor tensor = Tensor.ofFloats(Shape.of(2, 3), 0.25f, 0.5f, 0.75f, 3, 1, 2);

    Tensor top = classify(tensor, 2, true);

    assertThat(top.shape()).isEqualTo(Shape.of(2, 2));
    assertThat(texts(top)).containsExactly("0.75:2", "0.5:1:dog", "3.0:0:cat", "2.0:2");
  }

  @Test
  void of_tensorWithoutRows_isOneRow() {
    Tensor top = classify(Tensor.ofFloats(Shape.of(1, 3), 1, 3, 2), 1, false);

    assertThat(top.shape()).isEqualTo(Shape.of(1));
    assertThat(texts(top)).containsExactly("3.0:1:dog");
  }

  @Test
  void of_moreClassesThanElements_givesAll() {
    assertThat(classify(Tensor.ofFloats(Shape.of(1, 2), 1, 2), 10, true).shape())
        .isEqualTo(Shape.of(1, 2));
  }

  @Test
  void of_equalValuesAndNan_areOrderedByIndexWithNanLast() {
    Tensor tensor =
        Tensor.ofFloats(
            Shape.of(1, 5), Float.NaN, -0f, 0f, Float.NEGATIVE_INFINITY, Float.POSITIVE_INFINITY);

    assertThat(texts(classify(tensor, 5, true)))
        .containsExactly("Infinity:4", "-0.0:1:dog", "0.0:2", "-Infinity:3", "NaN:0:cat");
  }

  @Test
  void of_wholeNumbersAboveDoublePrecision_areExact() {
    Tensor tensor = Tensor.ofLongs(Shape.of(1, 2), 9007199254740992L, 9007199254740993L);

    assertThat(texts(classify(tensor, 1, true))).containsExactly("9007199254740993:1:dog");
  }

  @Test
  void of_unsignedNumbers_orderAsUnsigned() {
    Tensor tensor = new Tensor(DataType.UINT64, Shape.of(1, 2), longs(-1, 1));

    assertThat(texts(classify(tensor, 2, true)))
        .containsExactly("18446744073709551615:0:cat", "1:1:dog");
  }

  @Test
  void of_noRows_isEmpty() {
    Tensor top = classify(Tensor.ofFloats(Shape.of(0, 3)), 2, true);

    assertThat(top.shape()).isEqualTo(Shape.of(0, 2));
    assertThat(texts(top)).isEmpty();
  }

  @Test
  void topElements_randomNumbers_agreeWithSorting() {
    Random random = new Random(7);
    for (int round = 0; round < 500; round++) {
      long[] keys = random.longs(1 + random.nextInt(40), 0, 12).toArray();
      int count = 1 + random.nextInt(keys.length);

      assertThat(TopElements.of(keys, count))
          .isEqualTo(
              IntStream.range(0, keys.length)
                  .boxed()
                  .sorted((i, j) -> Long.compare(keys[j], keys[i]))
                  .limit(count)
                  .mapToInt(Integer::intValue)
                  .toArray());
    }
  }

  private static Tensor classify(Tensor tensor, int classes, boolean batched) {
    return Classification.of(new NamedTensor("p", tensor), classes, batched, LABELS).tensor();
  }

  private static List<String> texts(Tensor tensor) {
    return tensor.toStrings().stream()
        .map(text -> new String(text, StandardCharsets.UTF_8))
        .toList();
  }

  private static MemorySegment longs(long... values) {
    ByteBuffer bytes = ByteBuffer.allocate(values.length * 8).order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(values);
    return MemorySegment.ofArray(bytes.array());
  }
}
