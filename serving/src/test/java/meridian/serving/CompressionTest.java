package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {

  private static final byte[] BODY = Running.ECHO.getBytes(StandardCharsets.UTF_8);
  private static final String LARGE =
      "{\"inputs\":[{\"name\":\"x\",\"shape\":[1000,2],\"datatype\":\"FP32\",\"data\":["
          + "1.5,".repeat(1_999)
          + "2]}]}";
  private static Running running;

  @BeforeAll
  static void start() {
    Brotli4jLoader.ensureAvailability();
    running = Running.start();
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "x-gzip", "GZIP", "deflate", "br", "zstd", "identity"})
  void infer_encodedBody_isTheSameAsPlain(String encoding) {
    HttpResponse<byte[]> response = infer(encoding, encode(encoding, BODY));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(new String(response.body(), StandardCharsets.UTF_8))
        .isEqualTo(running.infer(Running.ECHO).body());
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "deflate", "br", "zstd"})
  void infer_corruptBody_isRefused(String encoding) {
    byte[] good = encode(encoding, BODY);
    byte[] junk = Arrays.copyOf(good, good.length + 3);
    for (byte[] bad : new byte[][] {BODY, {}, Arrays.copyOf(good, good.length / 2), junk}) {
      HttpResponse<byte[]> response = infer(encoding, bad);
      assertThat(response.statusCode()).isEqualTo(400);
      assertThat(new String(response.body(), StandardCharsets.UTF_8))
          .startsWith("{\"error\":\"body: ")
          .contains("one complete " + encoding + " stream");
    }
    assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"compress", "gzip, gzip", "gzip,br", "nonsense"})
  void infer_otherEncoding_namesTheSupported(String encoding) {
    HttpResponse<byte[]> response = infer(encoding, BODY);
    assertThat(response.statusCode()).isEqualTo(415);
    assertThat(response.headers().firstValue("accept-encoding"))
        .hasValue("zstd, br, gzip, deflate");
    assertThat(new String(response.body(), StandardCharsets.UTF_8))
        .contains("expected: one of zstd, br, gzip, deflate");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "gzip | gzip",
        "deflate | deflate",
        "br | br",
        "zstd | zstd",
        "gzip, deflate, br, zstd | zstd",
        "gzip;q=1, br;q=0.1 | gzip",
        "identity | -",
        "- | -",
      })
  void infer_largeAnswer_comesAsAccepted(String accepted, String expected) {
    var request = running.to("/v2/models/echo/infer").POST(BodyPublishers.ofString(LARGE));
    HttpResponse<byte[]> response =
        running.send(
            accepted == null ? request : request.header("Accept-Encoding", accepted),
            BodyHandlers.ofByteArray());
    assertThat(response.headers().firstValue("content-encoding").orElse(null)).isEqualTo(expected);
    assertThat(decode(expected, response.body()))
        .startsWith("{\"model_name\":\"echo\"")
        .endsWith("2.0]}]}");
    if (expected != null) {
      assertThat(response.headers().firstValue("vary")).hasValue("accept-encoding");
    }
  }

  @Test
  void infer_smallAnswer_comesPlain() {
    HttpResponse<String> response =
        running.send(
            running
                .to("/v2/models/echo/infer")
                .header("Accept-Encoding", "gzip")
                .POST(BodyPublishers.ofString(Running.ECHO)));
    assertThat(response.headers().firstValue("content-encoding")).isEmpty();
  }

  @Test
  void index_encodedBody_isRead() {
    HttpResponse<String> response =
        running.send(
            running
                .to("/v2/repository/index")
                .header("Content-Encoding", "gzip")
                .POST(
                    BodyPublishers.ofByteArray(
                        encode("gzip", "{\"ready\":true}".getBytes(StandardCharsets.UTF_8)))));
    assertThat(response.statusCode()).isEqualTo(200);
    assertThat(response.body()).doesNotContain("LOADING");
  }

  private static HttpResponse<byte[]> infer(String encoding, byte[] body) {
    return running.send(
        running
            .to("/v2/models/echo/infer")
            .header("Content-Encoding", encoding)
            .POST(BodyPublishers.ofByteArray(body)),
        BodyHandlers.ofByteArray());
  }

  static byte[] encode(String encoding, byte[] content) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out =
        switch (encoding) {
          case "gzip", "x-gzip", "GZIP" -> new GZIPOutputStream(bytes);
          case "deflate" -> new DeflaterOutputStream(bytes);
          case "br" -> new BrotliOutputStream(bytes);
          default -> bytes;
        }) {
      out.write(encoding.equals("zstd") ? Zstd.compress(content) : content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static String decode(String encoding, byte[] content) {
    ByteArrayInputStream bytes = new ByteArrayInputStream(content);
    try (InputStream in =
        switch (encoding) {
          case "gzip" -> new GZIPInputStream(bytes);
          case "deflate" -> new InflaterInputStream(bytes);
          case "br" -> new BrotliInputStream(bytes);
          case "zstd" -> new ZstdInputStream(bytes);
          case null, default -> bytes;
        }) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
