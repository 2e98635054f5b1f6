package meridian.core.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class TensorTest {

  @Test
  void construction_bytesThatDoNotFit_throwsWithBothCounts() {
    MemorySegment data = MemorySegment.ofArray(new byte[7]);
    assertThatThrownBy(() -> new Tensor(DataType.FP32, Shape.of(2), data))
        .hasMessage("data: 7 bytes (expected: 8 for FP32 [2])");
  }

  @Test
  void ofLongs_areLittleEndian() {
    Tensor tensor = Tensor.ofLongs(Shape.SCALAR, 0x0102030405060708L);
    assertThat(tensor.data().toArray(ValueLayout.JAVA_BYTE))
        .containsExactly(8, 7, 6, 5, 4, 3, 2, 1);
    assertThat(tensor.toLongs()).containsExactly(0x0102030405060708L);
  }

  @Test
  void toFloats_ofAnotherType_throws() {
    Tensor tensor = Tensor.ofLongs(Shape.of(1), 1);
    assertThatThrownBy(tensor::toFloats).hasMessage("type: INT64 (expected: FP32)");
  }
}
