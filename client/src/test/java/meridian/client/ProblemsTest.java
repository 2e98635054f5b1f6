package meridian.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.Status;
import java.time.Duration;
import meridian.core.error.ErrorCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProblemsTest {

  private static final Status FULL = Status.RESOURCE_EXHAUSTED.withDescription("queue: full");

  @Test
  void ofStatus_pushback_isTheTimeToWait() {
    assertThat(Problems.ofStatus(FULL, pushback("250")).retryAfter())
        .isEqualTo(Duration.ofMillis(250));
    assertThat(Problems.ofStatus(FULL, pushback("250")).code()).isEqualTo(ErrorCode.OVERLOADED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "", "soon", "99999999999999999999"})
  void ofStatus_pushbackThatIsNone_isNoTimeToWait(String pushback) {
    assertThat(Problems.ofStatus(FULL, pushback(pushback)).retryAfter()).isNull();
  }

  @Test
  void ofStatus_withoutTrailers_hasCodeAndMessage() {
    assertThat(Problems.ofStatus(FULL, null).message()).isEqualTo("queue: full");
  }

  private static Metadata pushback(String millis) {
    Metadata trailers = new Metadata();
    trailers.put(
        Metadata.Key.of("grpc-retry-pushback-ms", Metadata.ASCII_STRING_MARSHALLER), millis);
    return trailers;
  }
}
