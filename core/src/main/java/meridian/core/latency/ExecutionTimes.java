package meridian.core.latency;

import java.util.List;
import meridian.core.tensor.TensorSpec;

/**
 * How long executions of a model take, as measured: the content of a latency table as data.
 *
 * @param entries those of the inputs used last at the end
 */
public record ExecutionTimes(List<Entry> entries) {

  /** The most rows of an execution that are measured as a size of their own. */
  public static final int MOST_ROWS = 128;

  public static final ExecutionTimes NONE = new ExecutionTimes(List.of());

  public ExecutionTimes {
    entries = List.copyOf(entries);
  }

  /**
   * Executions of one number of rows of the same inputs.
   *
   * @param inputs by name, with any number of rows; none for requests of every shape
   * @param rows of the execution, of all its requests together
   * @param runs measured so far
   */
  public record Entry(
      List<TensorSpec> inputs, int rows, long medianNanos, long q99Nanos, long runs) {

    public Entry {
      inputs = List.copyOf(inputs);
      requirePositive("rows", rows);
      requirePositive("medianNanos", medianNanos);
      requirePositive("runs", runs);
      if (rows > MOST_ROWS) {
        throw new IllegalArgumentException(
            "rows: %d (expected: at most %d)".formatted(rows, MOST_ROWS));
      }
      if (q99Nanos < medianNanos) {
        throw new IllegalArgumentException(
            "q99Nanos: %d (expected: %d, the median, or more)".formatted(q99Nanos, medianNanos));
      }
    }

    private static void requirePositive(String field, long value) {
      if (value < 1) {
        throw new IllegalArgumentException(field + ": " + value + " (expected: 1 or more)");
      }
    }
  }
}
