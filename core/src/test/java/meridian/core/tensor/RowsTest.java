package meridian.core.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowsTest {

  @Test
  void concatThenSlice_randomFloats_givesEveryPartBack() {
    Random random = new Random(7);
    List<Tensor> parts = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      parts.add(floats(random, random.nextInt(4), 3));
    }
    try (Arena arena = Arena.ofConfined()) {
      assertSlicesEqual(Rows.concat(parts, arena), parts);
    }
  }

  @Test
  void concatThenSlice_strings_givesEveryPartBack() {
    List<Tensor> parts =
        List.of(strings(1, 2, "a", ""), strings(0, 2), strings(2, 2, "längst", "x", "y", "zz"));
    try (Arena arena = Arena.ofConfined()) {
      assertSlicesEqual(Rows.concat(parts, arena), parts);
    }
  }

  @Test
  void concat_rowsOfAnotherShape_throwsWithBoth() {
    List<Tensor> parts = List.of(floats(new Random(1), 1, 3), floats(new Random(1), 1, 4));
    try (Arena arena = Arena.ofConfined()) {
      assertThatThrownBy(() -> Rows.concat(parts, arena))
          .hasMessage("rows: FP32 [1,4] (expected: rows like FP32 [1,3])");
    }
  }

  @Test
  void slice_isAViewOfTheSameMemory() {
    Tensor tensor = Tensor.ofFloats(Shape.of(3, 2), 1, 2, 3, 4, 5, 6);
    Tensor row = Rows.slice(tensor, 1, 1);
    assertThat(row.toFloats()).containsExactly(3, 4);
    assertThat(row.data().asOverlappingSlice(tensor.data())).isPresent();
  }

  @Test
  void split_strings_givesEveryPartAsAView() {
    List<Tensor> parts =
        List.of(strings(1, 2, "a", ""), strings(0, 2), strings(2, 2, "längst", "x", "y", "zz"));
    try (Arena arena = Arena.ofConfined()) {
      List<Tensor> split = Rows.split(Rows.concat(parts, arena), new int[] {1, 0, 2});
      assertThat(split).hasSize(3);
      for (int i = 0; i < parts.size(); i++) {
        assertThat(split.get(i).shape()).isEqualTo(parts.get(i).shape());
        assertThat(split.get(i).data().mismatch(parts.get(i).data())).isEqualTo(-1);
      }
    }
  }

  @Test
  void split_randomFloats_equalsSlices() {
    Tensor batch = floats(new Random(3), 9, 4);
    int[] counts = {2, 0, 3, 4};
    List<Tensor> split = Rows.split(batch, counts);
    long at = 0;
    for (int i = 0; i < counts.length; i++) {
      assertThat(split.get(i).toFloats())
          .containsExactly(Rows.slice(batch, at, counts[i]).toFloats());
      at += counts[i];
    }
  }

  @Test
  void split_countsOfOtherSum_throwsWithBoth() {
    assertThatThrownBy(() -> Rows.split(floats(new Random(1), 3, 2), new int[] {2, 2}))
        .hasMessage("counts: 4 rows in all (expected: 3)");
  }

  private static void assertSlicesEqual(Tensor batch, List<Tensor> parts) {
    long at = 0;
    for (Tensor part : parts) {
      long rows = part.shape().dim(0);
      Tensor slice = Rows.slice(batch, at, rows);
      assertThat(slice.shape()).isEqualTo(part.shape());
      assertThat(slice.data().mismatch(part.data())).isEqualTo(-1);
      at += rows;
    }
    assertThat(batch.shape().dim(0)).isEqualTo(at);
  }

  private static Tensor floats(Random random, int rows, int columns) {
    float[] values = new float[rows * columns];
    for (int i = 0; i < values.length; i++) {
      values[i] = random.nextFloat();
    }
    return Tensor.ofFloats(Shape.of(rows, columns), values);
  }

  private static Tensor strings(int rows, int columns, String... values) {
    List<byte[]> elements = new ArrayList<>();
    for (String value : values) {
      elements.add(value.getBytes(StandardCharsets.UTF_8));
    }
    return Tensor.ofStrings(Shape.of(rows, columns), elements);
  }
}
