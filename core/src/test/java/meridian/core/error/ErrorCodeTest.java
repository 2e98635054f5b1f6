package meridian.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {

  @Test
  void table_isPinned() {
    assertThat(Arrays.stream(ErrorCode.values()).map(ErrorCodeTest::row))
        .containsExactly(
            "invalid_argument 400 3",
            "unauthenticated 401 16",
            "not_allowed 403 7",
            "not_found 404 5",
            "method_not_allowed 405 12",
            "request_timeout 408 4",
            "conflict 409 10",
            "too_large 413 8",
            "unsupported_encoding 415 12",
            "wrong_generation 421 9",
            "not_representable 422 9",
            "overloaded 429 8",
            "residency 451 7",
            "cancelled 499 1",
            "internal 500 13",
            "unavailable 503 14",
            "deadline_exceeded 504 4");
  }

  private static String row(ErrorCode code) {
    return code.label() + " " + code.httpStatus() + " " + code.grpcStatus();
  }
}
