package meridian.pipeline.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import meridian.pipeline.text.TextSettings.GraphNames;
import meridian.pipeline.text.TextSettings.Normalize;
import meridian.pipeline.text.TextSettings.Overflow;
import meridian.pipeline.text.TextSettings.Pooling;
import meridian.pipeline.text.TextSettings.SpecialTokens;
import org.junit.jupiter.api.Test;

class TextSettingsTest {

  @Test
  void defaults_everyKey_isPinned() {
    assertThat(TextSettings.defaults())
        .isEqualTo(
            new TextSettings(
                "text",
                "embedding",
                new GraphNames(null, null, null, null),
                null,
                1_048_576,
                Overflow.TRUNCATE,
                1,
                SpecialTokens.TEXT,
                Pooling.MEAN,
                Normalize.L2));
    assertThat(TextSettings.DEFAULT_MAX_TOKENS).isEqualTo(512);
  }

  @Test
  void constructor_absentKeys_becomeDefaults() {
    assertThat(new TextSettings(null, null, null, null, null, null, null, null, null, null))
        .isEqualTo(TextSettings.defaults());
  }

  @Test
  void constructor_valuesOutOfRange_areRefused() {
    assertThatThrownBy(() -> numbers(0, 1, 1)).hasMessage("max_tokens: 0 (expected: 1 or more)");
    assertThatThrownBy(() -> numbers(1, -1, 1))
        .hasMessage("max_text_bytes: -1 (expected: 1 or more)");
    assertThatThrownBy(() -> numbers(1, 1, 0))
        .hasMessage("pad_to_multiple_of: 0 (expected: 1 or more)");
    assertThatThrownBy(
            () -> new TextSettings(" ", null, null, null, null, null, null, null, null, null))
        .hasMessage("input: \" \" (expected: a tensor name)");
  }

  private static TextSettings numbers(int maxTokens, int maxTextBytes, int multiple) {
    return new TextSettings(
        null, null, null, maxTokens, maxTextBytes, null, multiple, null, null, null);
  }
}
