package meridian.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

  @ParameterizedTest
  @ValueSource(strings = {"minilm", "iris-v1.0.1", "_x", "9", "A_b-c.d"})
  void modelName_allowed_hasNoProblem(String name) {
    assertThat(ModelName.check("model_name", name)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "..", ".", ".hidden", "-x", "../x", "a/b", "a\\b", "/etc", "a b", "a+b", "a:b", "a%2Fb",
        "a\0b", "a\n", "naïve"
      })
  void modelName_forbidden_isRefusedWithTheRule(String name) {
    assertThat(Objects.requireNonNull(ModelName.check("model_name", name)).message())
        .startsWith("model_name: \"")
        .endsWith("(expected: " + ModelName.RULE + ")");
  }

  @Test
  void modelName_tooLong_isShownCutOff() {
    assertThat(ModelName.isValid("a".repeat(128))).isTrue();
    assertThat(Objects.requireNonNull(ModelName.check("n", "a".repeat(300))).message())
        .hasSizeLessThan(200);
  }

  @Test
  void modelVersion_onlyCanonicalPositiveNumbers() {
    assertThat(ModelVersion.parse("10")).hasValue(10);
    assertThat(ModelVersion.parse("9223372036854775807")).hasValue(Long.MAX_VALUE);
    for (String junk :
        List.of("0", "01", "v2", "1.0", "code", ".tmp-3", "-1", "9223372036854775808", "")) {
      assertThat(ModelVersion.parse(junk)).as(junk).isEmpty();
    }
  }

  @Test
  void versionPolicy_selects_inDescendingOrder() {
    List<Long> available = List.of(9L, 10L, 1L);
    assertThat(new VersionPolicy.Latest(2).select(available)).containsExactly(10L, 9L);
    assertThat(new VersionPolicy.All().select(available)).containsExactly(10L, 9L, 1L);
    assertThat(new VersionPolicy.Specific(List.of(1L, 4L)).select(available)).containsExactly(1L);
  }
}
