package meridian.core.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ShapeTest {

  @Test
  void filled_dimensionsThatVary_getTheKnownSizeOrTheOther() {
    Shape shape = Shape.of(1, -1, 3, -1, -1);
    assertThat(shape.filled(1, List.of(7L, 9L, -1L), 5)).isEqualTo(Shape.of(1, 7, 3, 5, 5));
    assertThat(shape.filled(0, List.of(), 2)).isEqualTo(Shape.of(1, 2, 3, 2, 2));
  }

  @Test
  void elementCount_ofRankZero_isOne() {
    assertThat(Shape.SCALAR.elementCount()).isEqualTo(1);
    assertThat(Shape.of()).isEqualTo(Shape.SCALAR);
  }

  @Test
  void elementCount_withEmptyDimension_isZeroEvenWhereTheRestOverflows() {
    assertThat(Shape.of(2, 0, 16).elementCount()).isZero();
    assertThat(Shape.of(0, 7).elementCount()).isZero();
  }

  @Test
  void elementCount_beyondLong_throws() {
    Shape huge = Shape.of(Long.MAX_VALUE, 3);
    assertThatThrownBy(huge::elementCount).isInstanceOf(ArithmeticException.class);
  }

  @Test
  void of_dimensionBelowAny_throwsWithTheValue() {
    assertThatThrownBy(() -> Shape.of(2, -2)).hasMessage("dimension: -2 (expected: -1 or more)");
  }

  @Test
  void matches_anyDimension_takesEverySizeOfTheSameRank() {
    Shape spec = Shape.of(Shape.ANY, 16);
    assertThat(spec.matches(Shape.of(0, 16))).isTrue();
    assertThat(spec.matches(Shape.of(5, 15))).isFalse();
    assertThat(spec.matches(Shape.of(16))).isFalse();
  }

  @Test
  void batchOf_thenRow_givesTheShapeBack() {
    Shape row = Shape.of(3, 4);
    assertThat(row.batchOf(7)).isEqualTo(Shape.of(7, 3, 4));
    assertThat(row.batchOf(7).row()).isEqualTo(row);
    assertThat(row.batchOf(7)).hasToString("[7,3,4]");
  }
}
