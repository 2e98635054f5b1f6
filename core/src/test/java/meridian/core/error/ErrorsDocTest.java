package meridian.core.error;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Keeps the page about failures to the table. */
class ErrorsDocTest {

  private static final Pattern ROW =
      Pattern.compile("\\| `([a-z_]+)` \\| (\\d+) \\| ([A-Z_]+) \\((\\d+)\\) \\| .+ \\| .+ \\|");

  /** By number. */
  private static final List<String> GRPC_NAMES =
      List.of(
          "OK",
          "CANCELLED",
          "UNKNOWN",
          "INVALID_ARGUMENT",
          "DEADLINE_EXCEEDED",
          "NOT_FOUND",
          "ALREADY_EXISTS",
          "PERMISSION_DENIED",
          "RESOURCE_EXHAUSTED",
          "FAILED_PRECONDITION",
          "ABORTED",
          "OUT_OF_RANGE",
          "UNIMPLEMENTED",
          "INTERNAL",
          "UNAVAILABLE",
          "DATA_LOSS",
          "UNAUTHENTICATED");

  @Test
  void page_listsEveryCodeWithItsStatuses() throws IOException {
    assertThat(documented())
        .containsExactlyElementsOf(
            Arrays.stream(ErrorCode.values()).map(ErrorsDocTest::row).toList());
  }

  private static String row(ErrorCode code) {
    return "%s %d %s (%d)"
        .formatted(
            code.label(), code.httpStatus(), GRPC_NAMES.get(code.grpcStatus()), code.grpcStatus());
  }

  private static List<String> documented() throws IOException {
    String page = Files.readString(Path.of("../docs/errors.md"));
    return ROW.matcher(page)
        .results()
        .map(
            (MatchResult row) ->
                "%s %s %s (%s)".formatted(row.group(1), row.group(2), row.group(3), row.group(4)))
        .toList();
  }
}
