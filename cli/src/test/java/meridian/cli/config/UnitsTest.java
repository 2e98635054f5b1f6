package meridian.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnitsTest {

  @Test
  void duration_formatThenParse_isTheSame() {
    for (String text : List.of("500us", "250ms", "0s", "10s", "90s", "5m", "2h")) {
      assertThat(Units.format(Units.duration(text))).isEqualTo(text);
    }
    assertThat(Units.duration("1500ms")).isEqualTo(Duration.ofMillis(1500));
  }

  @Test
  void amounts_withoutOrWithUnknownUnit_areRefused() {
    for (String text : List.of("10", "s", "1 s", "-1s", "1d", "")) {
      assertThatThrownBy(() -> Units.duration(text)).hasMessageContaining("expected: a duration");
    }
    assertThatThrownBy(() -> Units.bytes("64MB")).hasMessageContaining("expected: a size");
    assertThat(Units.bytes("64MiB")).isEqualTo(64L << 20);
  }
}
