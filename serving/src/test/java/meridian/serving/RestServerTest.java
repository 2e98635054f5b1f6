package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestServerTest {

  private static Running running;

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @Test
  void infer_json_answersWithBreakdown() {
    HttpResponse<String> response = running.infer(Running.ECHO);
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body())
        .isEqualTo(
            "{\"model_name\":\"echo\",\"model_version\":\"3\",\"id\":\"a\",\"outputs\":[{\"name\":\"y\","
                + "\"datatype\":\"FP32\",\"shape\":[1,2],\"data\":[1.5,-2.0]}]}");
    assertThat(response.headers().firstValue("content-type")).hasValue("application/json");
    assertThat(response.headers().firstValue("meridian-model-version")).hasValue("3");
    assertThat(response.headers().firstValue("meridian-region")).hasValue("ams");
    assertThat(response.headers().firstValue("server-timing").orElseThrow())
        .matches(
            "network;dur=\\d+\\.\\d{3}, data;dur=\\d+\\.\\d{3}, queue;dur=2\\.000,"
                + " model;dur=3\\.000, service;dur=\\d+\\.\\d{3}, total;dur=\\d+\\.\\d{3}");
  }

  @Test
  void infer_binary_comesBackBinary() {
    byte[] json =
        """
        {"inputs":[{"name":"x","shape":[1,2],"datatype":"FP32","parameters":{"binary_data_size":8}}],\
        "parameters":{"binary_data_output":true}}\
        """
            .getBytes(StandardCharsets.UTF_8);
    byte[] blob =
        ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putFloat(1.5f).putFloat(-2).array();
    HttpResponse<byte[]> response =
        running.send(
            running
                .to("/v2/models/echo/versions/3/infer")
                .header("Content-Type", "application/octet-stream")
                .header("Inference-Header-Content-Length", "" + json.length)
                .POST(
                    BodyPublishers.concat(
                        BodyPublishers.ofByteArray(json), BodyPublishers.ofByteArray(blob))),
            BodyHandlers.ofByteArray());
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.headers().firstValue("content-type")).hasValue("application/octet-stream");
    int jsonLength =
        Integer.parseInt(
            response.headers().firstValue("inference-header-content-length").orElseThrow());
    assertThat(Arrays.copyOfRange(response.body(), jsonLength, response.body().length))
        .isEqualTo(blob);
  }

  @Test
  void infer_largeBody_isReadAndWrittenWhole() {
    int rows = 200_000;
    StringBuilder data = new StringBuilder();
    for (int i = 0; i < 2 * rows; i++) {
      data.append(i == 0 ? "" : ",").append(ThreadLocalRandom.current().nextInt(1_000));
    }
    HttpResponse<String> response =
        running.infer(
            "{\"inputs\":[{\"name\":\"x\",\"shape\":["
                + rows
                + ",2],\"datatype\":\"FP32\",\"data\":["
                + data
                + "]}]}");
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).hasSizeGreaterThan(4 * rows).contains("\"shape\":[200000,2]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v2 | 200 | {\"name\":\"meridian\",\"version\":\"0.1\",\"extensions\":[",
        "/v2/ | 200 | {\"name\":\"meridian\"",
        "/v2/health/live | 200 | {\"live\":true,\"ready\":true}",
        "/v2/health/ready | 200 | {\"live\":true,\"ready\":true}",
        "/v2/models/echo | 200 | {\"name\":\"echo\",\"versions\":[\"3\"]",
        "/v2/models/echo/versions/3 | 200 | {\"name\":\"echo\"",
        "/v2/models/echo/ready | 200 | {\"name\":\"echo\",\"ready\":true}",
        "/v2/models/echo/versions/3/ready | 200 | {\"name\":\"echo\",\"ready\":true}",
        "/v2/models/echo/config | 200 | {\"name\":\"echo\"",
        "/v2/models/echo/versions/3/config | 200 | {\"name\":\"echo\"",
        "/v2/models/echo/stats | 200 | {\"model_stats\":[{\"name\":\"echo\",\"version\":\"3\"",
        "/v2/models/echo/versions/3/stats | 200 | {\"model_stats\":[",
        "/v2/models/echo/execution_times | 200 | {\"executions\":[{\"inputs\":[{\"name\":\"x\",",
        "/v2/models/echo/versions/3/execution_times | 200 | {\"executions\":[",
        "/v2/models/stats | 200 | {\"model_stats\":[{\"name\":\"echo\"",
        "/v2/models/nobody | 404 | {\"error\":\"model: unknown\"}",
        "/v2/models/nobody/ready | 404 | {\"error\":\"model: unknown\"}",
        "/v2/models/echo/versions/4/ready | 404 | {\"error\":\"version: unknown\"}",
        "/v2/models/loading/ready | 503 | {\"name\":\"loading\",\"ready\":false}",
        "/v2/models/loading | 503 | {\"error\":\"model: loading is loading\"}",
        "/nowhere | 404 | {\"error\":\"path: ",
        "/ | 404 | {\"error\":\"path: ",
      })
  void get_path_answers(String path, int status, String body) {
    HttpResponse<String> response = running.get(path);
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).startsWith(body);
    assertThat(response.headers().firstValue("content-type").orElseThrow())
        .startsWith("application/json");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "/v2/repository/index | - | 200 |"
            + " [{\"name\":\"echo\",\"version\":\"3\",\"state\":\"READY\"",
        "/v2/repository/index | {} | 200 | [{\"name\":\"echo\"",
        "/v2/repository/index | {\"ready\":true} | 200 | [{\"name\":\"echo\"",
        "/v2/repository/index | {\"ready\":1} | 400 | {\"error\":\"ready",
        "/v2/repository/models/echo/load | {} | 200 | -",
        "/v2/repository/models/echo/unload | - | 200 | -",
        "/v2/repository/models/nobody/load | {} | 404 | {\"error\":\"model: unknown\"}",
        "/v2/repository/models/echo/load | [ | 400 | {\"error\":",
      })
  void post_repository_answers(String path, String body, int status, String start) {
    HttpResponse<String> response = running.post(path, body == null ? "" : body);
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).startsWith(start == null ? "" : start);
    if (body != null && body.contains("true")) {
      assertThat(response.body()).doesNotContain("LOADING");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "meridian-timeout-ms, 1000, 2000",
    "meridian-tenant, a, b",
    "inference-header-content-length, 5, 6",
    "content-type, application/json, text/plain"
  })
  void infer_headerTwice_isRefused(String name, String first, String second) {
    HttpResponse<String> response =
        running.send(
            running
                .to("/v2/models/echo/infer")
                .header(name, first)
                .header(name, second)
                .POST(BodyPublishers.ofString(Running.ECHO)));

    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body())
        .isEqualTo("{\"error\":\"" + name + ": 2 headers (expected: one)\"}");
  }

  @Test
  void infer_loadingModel_isToldWhenToComeBack() {
    HttpResponse<String> response = running.post("/v2/models/loading/infer", Running.ECHO);
    assertThat(response.statusCode()).isEqualTo(503);
    assertThat(response.headers().firstValue("retry-after")).hasValue("2");
    assertThat(response.headers().firstValue("server-timing")).isPresent();
  }

  /** First the rule for names, then whether there is such a model, then the rest. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/v2/models/nobody/infer | 404 | {\"error\":\"model: unknown\"}",
        "/v2/models/echo/versions/4/infer | 404 | {\"error\":\"version: unknown\"}",
        "/v2/models/nobody/versions/x/infer | 400 | {\"error\":\"version: ",
        "/v2/models/a+b/infer | 400 | {\"error\":\"model: ",
        "/v2/models/echo/infer | 400 | {\"error\":\"",
        "/v2/models/loading/infer | 400 | {\"error\":\"",
      })
  void infer_malformedBody_isToldTheFirstFault(String path, int status, String start) {
    for (String body : new String[] {"{\"inputs\":", "[]", ""}) {
      HttpResponse<String> response = running.post(path, body);
      assertThat(response.statusCode()).as(body).isEqualTo(status);
      assertThat(response.body()).startsWith(start);
    }
  }

  @ParameterizedTest
  @CsvSource({"broken, 500", "unlinked, 500", "failing, 500", "nobody, 404"})
  void infer_failingModel_keepsTheConnection(String model, int status) {
    HttpResponse<String> response = running.post("/v2/models/" + model + "/infer", Running.ECHO);
    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).startsWith("{\"error\":\"").doesNotContain("a bug");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "GET | /v2/models/echo/infer | POST",
        "DELETE | /v2/models/echo | GET, HEAD",
        "PUT | /v2/repository/index | POST",
      })
  void wrongMethod_knownPath_saysTheRightOne(String method, String path, String allow) {
    HttpResponse<String> response =
        running.send(running.to(path).method(method, BodyPublishers.noBody()));
    assertThat(response.statusCode()).isEqualTo(405);
    assertThat(response.headers().firstValue("allow")).hasValue(allow);
    assertThat(response.body()).startsWith("{\"error\":\"method: " + method);
  }

  @Test
  void head_health_hasNoBody() {
    HttpResponse<String> response =
        running.send(running.to("/v2/health/ready").method("HEAD", BodyPublishers.noBody()));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "application/json | 200",
        "application/json; charset=utf-8 | 200",
        "text/plain | 200",
        "application/x-www-form-urlencoded | 200",
        "- | 200",
        "application/octet-stream | 415",
        "application/json; charset=utf-16 | 415",
        "multipart/form-data | 415",
      })
  void infer_contentType_followsTheRule(String type, int status) {
    var request = running.to("/v2/models/echo/infer").POST(BodyPublishers.ofString(Running.ECHO));
    HttpResponse<String> response =
        running.send(type == null ? request : request.header("Content-Type", type));
    assertThat(response.statusCode()).isEqualTo(status);
    if (status == 415) {
      assertThat(response.body()).startsWith("{\"error\":\"Content-Type: ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-1", "+1", "-0", "1.5", "99999999999999999999", "10000"})
  void infer_oddJsonLength_isRefused(String length) {
    HttpResponse<String> response =
        running.send(
            running
                .to("/v2/models/echo/infer")
                .header("Inference-Header-Content-Length", length)
                .POST(BodyPublishers.ofString(Running.ECHO)));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).startsWith("{\"error\":\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "null",
        "",
        "{",
        "{\"inputs\":{}}",
        "{\"inputs\":null}",
        "{\"inputs\":[null]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":\"-1\",\"datatype\":\"FP32\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1.5],\"datatype\":\"FP32\",\"data\":[1]}]}",
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"FP32\",\"data\":[{\"b64\":\"AA==\"}]}]}",
      })
  void infer_wrongStructure_isRefusedAndTheConnectionGoesOn(String body) {
    HttpResponse<String> response = running.infer(body);
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).startsWith("{\"error\":\"");
    assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
  }

  @Test
  void infer_twoDocuments_isRefused() {
    assertThat(running.infer(Running.ECHO + Running.ECHO).statusCode()).isEqualTo(400);
  }

  @Test
  void infer_deepNesting_isRefused() {
    String nest = "[".repeat(100_000) + "1" + "]".repeat(100_000);
    for (String body :
        new String[] {
          "{\"inputs\":[{\"name\":\"x\",\"shape\":[1,2],\"datatype\":\"FP32\",\"data\":"
              + nest
              + "}]}",
          "{\"unknown\":" + nest + "," + Running.ECHO.substring(1),
          "{\"parameters\":" + nest + "," + Running.ECHO.substring(1),
        }) {
      assertThat(running.infer(body).statusCode()).isEqualTo(400);
    }
    assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "..%2f..%2fetc",
        "%2e%2e",
        "%2e%2e%2f",
        "a%00b",
        "..%5cx",
        "a%5Cb",
        "a%20b",
        "a+b",
        "a%2Fb",
        "a:b",
        "%C3%A4",
        "echo%2f..%2fecho",
        ".hidden"
      })
  void anyEndpoint_awkwardModel_isRefusedByTheRule(String model) {
    for (String path : new String[] {"", "/ready", "/config", "/stats", "/versions/3"}) {
      assertThat(running.get("/v2/models/" + model + path))
          .as(model + path)
          .returns(400, HttpResponse::statusCode)
          .extracting(HttpResponse::body)
          .asString()
          .startsWith("{\"error\":\"");
    }
    assertThat(running.post("/v2/models/" + model + "/infer", Running.ECHO).statusCode())
        .isEqualTo(400);
    assertThat(running.post("/v2/repository/models/" + model + "/load", "").statusCode())
        .isEqualTo(400);
    assertThat(running.post("/v2/repository/models/" + model + "/unload", "").statusCode())
        .isEqualTo(400);
  }

  @Test
  void infer_nameOf300Characters_isRefusedBriefly() {
    HttpResponse<String> response = running.get("/v2/models/" + "m".repeat(300));
    assertThat(response.statusCode()).isEqualTo(400);
    assertThat(response.body()).hasSizeLessThan(250);
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-Forwarded-For", "Forwarded", "X-Real-IP", "Meridian-Hops"})
  void infer_forgedForwarding_isIgnored(String header) {
    for (String value : new String[] {"10.0.0.1", "for=10.0.0.1", "nonsense;;;,", "999.1.2.3:x"}) {
      HttpResponse<String> response =
          running.send(
              running
                  .to("/v2/models/echo/infer")
                  .header(header, value)
                  .POST(BodyPublishers.ofString(Running.ECHO)));
      assertThat(response.statusCode()).isEqualTo(200);
    }
  }
}
