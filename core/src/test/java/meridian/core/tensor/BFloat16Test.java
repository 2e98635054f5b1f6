package meridian.core.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BFloat16Test {

  @Test
  void fromFloat_ofEveryBFloat16_isTheSameBits() {
    for (int bits = 0; bits <= 0xFFFF; bits++) {
      float value = BFloat16.toFloat((short) bits);
      if (!Float.isNaN(value)) {
        assertThat(BFloat16.fromFloat(value)).isEqualTo((short) bits);
      }
    }
  }

  @Test
  void fromFloat_halfway_roundsToEven() {
    assertThat(BFloat16.fromFloat(Float.intBitsToFloat(0x3F80_8000))).isEqualTo((short) 0x3F80);
    assertThat(BFloat16.fromFloat(Float.intBitsToFloat(0x3F81_8000))).isEqualTo((short) 0x3F82);
    assertThat(BFloat16.fromFloat(Float.intBitsToFloat(0x3F80_8001))).isEqualTo((short) 0x3F81);
  }

  @Test
  void fromFloat_beyondTheRange_isInfinityAndNaNStaysNaN() {
    assertThat(BFloat16.toFloat(BFloat16.fromFloat(Float.MAX_VALUE))).isInfinite();
    float signalling = Float.intBitsToFloat(0x7F80_0001);
    assertThat(BFloat16.toFloat(BFloat16.fromFloat(signalling))).isNaN();
  }
}
