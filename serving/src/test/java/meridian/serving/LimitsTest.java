package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.Socket;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import meridian.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub;
import meridian.serving.ServerSettings.Bodies;
import meridian.serving.ServerSettings.Grpc;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class LimitsTest {

  private static Running running;
  private static GRPCInferenceServiceBlockingStub stub;

  @BeforeAll
  static void start() {
    running =
        Running.startHttp2(
            s ->
                Settings.with(
                    s,
                    new Bodies(10_000, 20_000, 250, 65_536, 1_024),
                    new Grpc(16_384, 8_192, 4, Duration.ofSeconds(1))));
    stub = running.grpc(GRPCInferenceServiceBlockingStub.class);
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @Test
  void rest_bodyOverTheLimit_isRefusedWithBothSizes() {
    HttpResponse<String> response = running.infer(Running.ECHO + " ".repeat(10_000));
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(response.body())
        .isEqualTo(
            "{\"error\":\"body: %d bytes (expected: at most 10000)\"}"
                .formatted(Running.ECHO.length() + 10_000));
    assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
  }

  @Test
  void rest_bodyOverTheLimitOverHttp2_isAnsweredWithoutAResetOfTheStream() throws Exception {
    try (RawHttp2 connection = RawHttp2.connect(running)) {
      byte[] head =
          RawHttp2.block(
              ":method",
              "POST",
              ":path",
              "/v2/models/echo/infer",
              ":scheme",
              "http",
              ":authority",
              "x",
              "content-length",
              "20000");
      connection.write(RawHttp2.frame(RawHttp2.HEADERS, RawHttp2.END_HEADERS, 1, head));
      RawHttp2.Answer answer = connection.answer(1);
      assertThat(answer.body()).contains("body: 20000 bytes (expected: at most 10000)");
      connection.write(RawHttp2.frame(RawHttp2.DATA, 0, 1, new byte[10_000]));
      connection.write(RawHttp2.frame(RawHttp2.DATA, RawHttp2.END_STREAM, 1, new byte[10_000]));
      connection.write(RawHttp2.get(3, "GET", "/v2"));
      assertThat(connection.answer(3).status()).isEqualTo(RawHttp2.OK);
      assertThat(connection.resets()).isZero();
    }
  }

  @Test
  void rest_bodyAtTheLimit_isTaken() {
    assertThat(
            running.infer(Running.ECHO + " ".repeat(10_000 - Running.ECHO.length())).statusCode())
        .isEqualTo(200);
  }

  @Test
  void rest_chunkedBodyOverTheLimit_isRefused() throws Exception {
    try (Socket socket =
        running.raw(Running.postHead("/v2/models/echo/infer", "Transfer-Encoding: chunked"))) {
      socket
          .getOutputStream()
          .write(
              ("2ee0\r\n" + " ".repeat(12_000) + "\r\n0\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
          .startsWith("HTTP/1.1 413 ")
          .contains("bytes (expected: at most 10000)");
    }
  }

  @Test
  void rest_decompressedOverTheLimit_isRefused() {
    HttpResponse<String> response =
        running.send(
            running
                .to("/v2/models/echo/infer")
                .header("Content-Encoding", "gzip")
                .POST(
                    BodyPublishers.ofByteArray(CompressionTest.encode("gzip", new byte[20_001]))));
    assertThat(response.statusCode()).isEqualTo(413);
    assertThat(response.body()).contains("(expected: at most 20000)");
  }

  @Test
  void grpc_messageOverTheLimit_isRefusedWithBothSizes() {
    for (int floats : new int[] {4_096, 10_000, 100_000}) {
      assertThatThrownBy(
              () -> stub.modelInfer(GrpcServerTest.request("echo", "", new float[floats])))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> {
                assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
                assertThat(e.getStatus().getDescription()).containsPattern("\\d{5}.*\\d{5}");
              });
    }
    assertThat(stub.modelInfer(GrpcServerTest.request("echo", "next", 1, 2)).getId())
        .isEqualTo("next");
  }

  @Test
  void grpc_answerOverTheLimit_isRefusedWithBothSizes() {
    assertThatThrownBy(() -> stub.modelInfer(GrpcServerTest.request("echo", "", new float[3_000])))
        .hasMessageMatching(
            "RESOURCE_EXHAUSTED: response: 12\\d{3} bytes \\(expected: at most 8192\\)");
    assertThat(stub.modelInfer(GrpcServerTest.request("echo", "next", 1, 2)).getId())
        .isEqualTo("next");
  }
}
