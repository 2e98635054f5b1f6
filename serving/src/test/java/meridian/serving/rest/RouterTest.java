package meridian.serving.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.common.HttpMethod;
import meridian.core.error.ErrorCode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RouterTest {

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "GET, /v2, SERVER, -, -",
        "GET, /v2/, SERVER, -, -",
        "HEAD, /v2/health/live, LIVE, -, -",
        "GET, /v2/health/ready, READY, -, -",
        "GET, /v2/models/m, MODEL, m, -",
        "GET, /v2/models/m/versions/3, MODEL, m, 3",
        "GET, /v2/models/m/ready, MODEL_READY, m, -",
        "GET, /v2/models/m/versions/3/ready, MODEL_READY, m, 3",
        "GET, /v2/models/m/config, CONFIGURATION, m, -",
        "GET, /v2/models/m/versions/3/config, CONFIGURATION, m, 3",
        "GET, /v2/models/stats, STATISTICS, -, -",
        "GET, /v2/models/m/stats, STATISTICS, m, -",
        "GET, /v2/models/m/versions/3/stats, STATISTICS, m, 3",
        "POST, /v2/models/m/infer, INFER, m, -",
        "POST, /v2/models/m/versions/3/infer, INFER, m, 3",
        "POST, /v2/repository/index, INDEX, -, -",
        "POST, /v2/repository/models/m/load, LOAD, m, -",
        "POST, /v2/repository/models/m/unload, UNLOAD, m, -",
        "GET, /v2/models/iris-v1.0.1, MODEL, iris-v1.0.1, -",
        "GET, /v2/models/%69ris, MODEL, iris, -",
      })
  void match_path_findsEndpointAndNames(
      HttpMethod method, String path, Endpoint endpoint, String model, String version) {
    assertThat(Router.match(method, path))
        .isEqualTo(new Router.Found(new Target(endpoint, model, version)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/v1",
        "/v2/x",
        "/v2/models",
        "/v2/models/m/",
        "/v2//models/m",
        "/v2/models/m/x",
        "/v2/models/m/versions",
        "/v2/models/m/n/infer",
        "/v2/repository",
        "/metrics",
        "/v2/health"
      })
  void match_unknownPath_isNotFound(String path) {
    assertThat(Router.match(HttpMethod.GET, path))
        .isInstanceOfSatisfying(
            Router.Refused.class,
            refused -> {
              assertThat(refused.problem().code()).isEqualTo(ErrorCode.NOT_FOUND);
              assertThat(refused.allow()).isNull();
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /v2/models/m/infer | POST",
        "DELETE | /v2/models/m | GET, HEAD",
        "POST | /v2 | GET, HEAD",
        "PUT | /v2/repository/index | POST",
      })
  void match_wrongMethod_saysTheRightOne(HttpMethod method, String path, String allow) {
    assertThat(Router.match(method, path))
        .isInstanceOfSatisfying(
            Router.Refused.class,
            refused -> {
              assertThat(refused.problem().code()).isEqualTo(ErrorCode.METHOD_NOT_ALLOWED);
              assertThat(refused.allow()).isEqualTo(allow);
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..%2f..%2fetc",
        "%2e%2e",
        "a%00b",
        "..\\x",
        "a%5Cb",
        "a%20b",
        "a+b",
        "a%2Fb",
        "a:b",
        "%C3%A4",
        "%",
        "%4",
        "%zz",
        "%ff",
        "..",
        ".",
        "%252e",
        ""
      })
  void match_awkwardModel_breaksTheRule(String model) {
    for (String path :
        new String[] {"/v2/models/" + model + "/ready", "/v2/models/" + model + "/versions/1"}) {
      assertThat(Router.match(HttpMethod.GET, path))
          .isInstanceOfSatisfying(
              Router.Refused.class,
              refused ->
                  assertThat(refused.problem().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "01", "-1", "x", "..", "", "9223372036854775808", "1%30"})
  void match_oddVersion_breaksTheRule(String version) {
    assertThat(Router.match(HttpMethod.GET, "/v2/models/m/versions/" + version + "/ready"))
        .isInstanceOfSatisfying(
            Router.Refused.class,
            refused ->
                assertThat(refused.problem().message())
                    .startsWith("version: \"" + version + "\" (expected: "));
  }
}
