package meridian.serving.rest;

import static org.assertj.core.api.Assertions.assertThat;

import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonBodiesTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "application/json; charset=utf-8",
        "application/json;charset=UTF-8",
        "application/vnd.x+json",
        "text/plain",
        "text/plain; charset=utf-8",
        "application/x-www-form-urlencoded"
      })
  void check_typeOfJson_isTaken(String type) {
    assertThat(JsonBodies.check(type)).isNull();
  }

  @Test
  void check_none_isTaken() {
    assertThat(JsonBodies.check(null)).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/octet-stream",
        "application/json; charset=latin1",
        "text/html",
        "image/png",
        "application/json; charset=nonsense",
        "multipart/form-data",
        "nonsense",
        "",
        "a/b/c"
      })
  void check_otherType_isUnsupported(String type) {
    assertThat(JsonBodies.check(type))
        .returns(ErrorCode.UNSUPPORTED_ENCODING, Problem::code)
        .extracting(Problem::message)
        .asString()
        .startsWith("Content-Type: \"" + type + "\" (expected: application/json, or");
  }
}
