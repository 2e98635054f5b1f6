package meridian.core.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteStringsTest {

  @Test
  void encode_isLittleEndianLengthThenBytes() {
    MemorySegment data = ByteStrings.encode(List.of(new byte[] {9, 8}, new byte[0]));
    assertThat(data.toArray(java.lang.foreign.ValueLayout.JAVA_BYTE))
        .containsExactly(2, 0, 0, 0, 9, 8, 0, 0, 0, 0);
    assertThat(ByteStrings.decode(data)).containsExactly(new byte[] {9, 8}, new byte[0]);
    assertThat(ByteStrings.count(data)).isEqualTo(2);
  }

  @Test
  void count_ofBrokenFraming_isMinusOne() {
    assertThat(count(1, 2, 3)).isEqualTo(-1);
    assertThat(count(5, 0, 0, 0, 1)).isEqualTo(-1);
    assertThat(count(0xff, 0xff, 0xff, 0xff)).isEqualTo(-1);
    assertThat(count(1, 0, 0, 0, 7, 1)).isEqualTo(-1);
    assertThat(count()).isZero();
  }

  private static long count(int... bytes) {
    byte[] data = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      data[i] = (byte) bytes[i];
    }
    return ByteStrings.count(MemorySegment.ofArray(data));
  }
}
