package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.RequestHeaders;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import meridian.core.error.ErrorCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Any bytes as a body get a status of the table, and the next request on the connection works. */
class FuzzTest {

  private static final int ROUNDS = 600;
  private static final byte[] JSON = Running.ECHO.getBytes(StandardCharsets.UTF_8);
  private static final List<String> HEADERS =
      List.of(
          "Inference-Header-Content-Length",
          "Content-Encoding",
          "Content-Type",
          "Meridian-Timeout-Ms");
  private static final List<String> VALUES =
      List.of(
          "0",
          "1",
          "40",
          "-1",
          "gzip",
          "br",
          "zstd",
          "deflate",
          "application/json",
          "x",
          "9999999");
  private static final List<Integer> STATUSES =
      Arrays.stream(ErrorCode.values()).map(ErrorCode::httpStatus).filter(s -> s < 500).toList();

  private static Running running;

  private final Random random = new Random(20_261_130);

  @BeforeAll
  static void start() {
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @Test
  void rest_anyBody_getsAStatusOfTheTable() {
    for (int i = 0; i < ROUNDS; i++) {
      byte[] body = mutated(JSON);
      var request = running.to("/v2/models/echo/infer").POST(BodyPublishers.ofByteArray(body));
      String header = "none";
      if (random.nextInt(3) == 0) {
        header = pick(HEADERS) + ": " + pick(VALUES);
        request.header(header.split(": ")[0], header.split(": ")[1]);
      }
      HttpResponse<String> response = running.send(request);
      if (response.statusCode() != 200) {
        assertThat(STATUSES)
            .as("%s with %s", new String(body, StandardCharsets.ISO_8859_1), header)
            .contains(response.statusCode());
        assertThat(response.body()).startsWith("{\"error\":\"");
      }
      if (i % 20 == 0) {
        assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
      }
    }
  }

  @Test
  void grpc_anyMessage_getsAStatusOfTheTable() {
    byte[] good = GrpcServerTest.request("echo", "a", 1, 2).toByteArray();
    WebClient client = WebClient.of(running.h2c());
    for (int i = 0; i < ROUNDS; i++) {
      byte[] message = mutated(good);
      byte[] body = random.nextInt(8) == 0 ? message : framed(message);
      String path =
          random.nextInt(4) == 0
              ? "ModelStreamInfer"
              : random.nextInt(4) == 0 ? "ModelMetadata" : "ModelInfer";
      AggregatedHttpResponse response = call(client, path, body);
      int status = grpcStatus(response);
      assertThat(status)
          .as(
              "%s of %s: %s %s",
              path, Arrays.toString(body), response.headers(), response.trailers())
          .isIn(0, 3, 5, 8, 9, 12);
      if (i % 20 == 0) {
        assertThat(grpcStatus(call(client, "ModelInfer", framed(good)))).isZero();
      }
    }
  }

  @Test
  void grpc_noMessage_isToldWithoutTheWordsOfALibrary() {
    WebClient client = WebClient.of(running.h2c());
    for (byte[] body : List.of(framed(new byte[] {-1, -1, -1}), new byte[] {2, 0, 0, 0, 0})) {
      AggregatedHttpResponse response = call(client, "ModelInfer", body);
      assertThat(grpcStatus(response)).isEqualTo(3);
      assertThat(
              response
                  .headers()
                  .get("grpc-message", response.trailers().get("grpc-message", "none")))
          .isEqualTo("message: cannot be read (expected: one complete protobuf message)");
    }
  }

  @Test
  void grpc_oddCalls_areRefusedInTheRightForm() {
    WebClient client = WebClient.of(running.h2c());
    assertThat(grpcStatus(call(client, "NoSuchMethod", framed(new byte[0])))).isEqualTo(12);
    AggregatedHttpResponse json =
        client
            .execute(
                HttpRequest.of(
                    RequestHeaders.of(
                        HttpMethod.POST,
                        "/inference.GRPCInferenceService/ModelInfer",
                        "content-type",
                        "application/json"),
                    HttpData.ofUtf8("{}")))
            .aggregate()
            .join();
    assertThat(json.status().code()).isEqualTo(415);
    assertThat(json.contentUtf8()).startsWith("{\"error\":\"Content-Type: ");
    AggregatedHttpResponse get =
        client.get("/inference.GRPCInferenceService/ModelInfer").aggregate().join();
    assertThat(get.status().code()).isEqualTo(405);
    assertThat(get.contentUtf8()).startsWith("{\"error\":\"method: ");
    AggregatedHttpResponse encoded =
        client
            .execute(
                HttpRequest.of(
                    RequestHeaders.of(
                        HttpMethod.POST,
                        "/inference.GRPCInferenceService/ModelInfer",
                        "content-type",
                        "application/grpc",
                        "grpc-encoding",
                        "snappy"),
                    HttpData.wrap(framed(new byte[0]))))
            .aggregate()
            .join();
    assertThat(grpcStatus(encoded)).isEqualTo(12);
  }

  private static AggregatedHttpResponse call(WebClient client, String method, byte[] body) {
    return client
        .execute(
            HttpRequest.of(
                RequestHeaders.of(
                    HttpMethod.POST,
                    "/inference.GRPCInferenceService/" + method,
                    "content-type",
                    "application/grpc",
                    "te",
                    "trailers"),
                HttpData.wrap(body)))
        .aggregate()
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
  }

  private static int grpcStatus(AggregatedHttpResponse response) {
    assertThat(response.status().code()).as("%s", response).isEqualTo(200);
    return response.headers().contains("grpc-status")
        ? response.headers().getInt("grpc-status", -1)
        : response.trailers().getInt("grpc-status", -1);
  }

  private static byte[] framed(byte[] message) {
    byte[] framed = new byte[message.length + 5];
    framed[1] = (byte) (message.length >> 24);
    framed[2] = (byte) (message.length >> 16);
    framed[3] = (byte) (message.length >> 8);
    framed[4] = (byte) message.length;
    System.arraycopy(message, 0, framed, 5, message.length);
    return framed;
  }

  /** Some bytes changed, cut out, doubled or put in, or nothing of the original at all. */
  private byte[] mutated(byte[] original) {
    if (random.nextInt(10) == 0) {
      byte[] noise = new byte[random.nextInt(200)];
      random.nextBytes(noise);
      return noise;
    }
    byte[] bytes = original.clone();
    for (int i = random.nextInt(4); i >= 0; i--) {
      int at = random.nextInt(bytes.length);
      switch (random.nextInt(4)) {
        case 0 -> bytes[at] = (byte) random.nextInt(256);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
        default -> {
          byte[] longer = new byte[bytes.length + 3];
          System.arraycopy(bytes, 0, longer, 0, at);
          System.arraycopy(bytes, at, longer, at + 3, bytes.length - at);
          bytes = longer;
        }
      }
    }
    return bytes;
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
