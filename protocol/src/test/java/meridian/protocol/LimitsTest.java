package meridian.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LimitsTest {

  @Test
  void defaults_arePinned() {
    assertThat(Limits.DEFAULT).isEqualTo(new Limits(64 << 20, 64, 32));
  }

  @Test
  void values_outOfBounds_areRefused() {
    assertThatThrownBy(() -> new Limits(0, 64, 32))
        .hasMessage("maxBodyBytes: 0 (expected: 1..2147483639)");
    assertThatThrownBy(() -> new Limits(1L << 31, 64, 32)).hasMessageStartingWith("maxBodyBytes: ");
    assertThatThrownBy(() -> new Limits(1, 501, 32)).hasMessage("maxDepth: 501 (expected: 1..500)");
    assertThatThrownBy(() -> new Limits(1, 64, 0)).hasMessage("maxRank: 0 (expected: 1..500)");
  }
}
