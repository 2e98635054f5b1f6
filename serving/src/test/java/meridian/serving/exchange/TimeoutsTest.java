package meridian.serving.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.time.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimeoutsTest {

  private final Timeouts timeouts = new Timeouts(60_000_000_000L);

  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "-, -, 60000000000",
        "250, -, 250000000",
        "250, 100m, 99999900",
        "50, 100m, 50000000",
        "999999999999999999, -, 60000000000",
        "-, 1H, 60000000000",
        "-, 1M, 59999999900",
        "-, 2S, 1999999900",
        "-, 7u, 6900",
        "-, 107n, 7",
        "-, 0n, -100",
      })
  void deadline_headers_earliestWins(String millis, String grpc, long nanos) {
    assertThat(timeouts.deadline(1_100, millis, 1_000, grpc))
        .isEqualTo(Outcome.ok(Deadline.at(1_100 + nanos)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "0", "-1", "+1", "1.5", "1 ", "1e3", "٣", "1000000000000000000"})
  void deadline_oddMillis_isInvalid(String millis) {
    assertThat(timeouts.deadline(0, millis, 0, null))
        .isEqualTo(
            Outcome.failed(
                Problem.of(
                    ErrorCode.INVALID_ARGUMENT,
                    "meridian-timeout-ms: \""
                        + millis
                        + "\" (expected: a whole number of milliseconds above 0)")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "S", "1", "1s", "123456789m", "-1S", "1.5S", " 1S", "1SS"})
  void deadline_oddGrpcTimeout_isInvalid(String grpc) {
    assertThat(timeouts.deadline(0, null, 0, grpc)).isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void deadline_millisBeforeGrpcFault_isNamedFirst() {
    assertThat(timeouts.deadline(0, "x", 0, "x")).isEqualTo(timeouts.deadline(0, "x", 0, null));
  }
}
