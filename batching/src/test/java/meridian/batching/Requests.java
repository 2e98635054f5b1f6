package meridian.batching;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import meridian.core.infer.Cancellation;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.Deadline;

/** Work for the models of these tests: rows of one float under the name x. */
final class Requests {

  static final Set<String> TWICE = Set.of("twice");

  /** That of all but {@link #wide}. */
  static final Bucket BUCKET = Bucket.of(column(0));

  private Requests() {}

  static Work of(float... rows) {
    return of(TWICE, rows);
  }

  static Work of(Set<String> outputs, float... rows) {
    return work(column(rows), rows.length, outputs);
  }

  /** Rows of another shape: {@code width} times the same value. */
  static Work wide(int width, float value) {
    float[] row = new float[width];
    Arrays.fill(row, value);
    Tensor tensor = Tensor.ofFloats(Shape.of(1, width), row);
    return work(List.of(new NamedTensor("x", tensor)), 1, TWICE);
  }

  static Work work(List<NamedTensor> inputs, int rows, Set<String> outputs) {
    return new Work(inputs, rows, outputs, Deadline.NONE, 0, new Cancellation());
  }

  static Work rows(int count) {
    return of(new float[count]);
  }

  static Work due(Work work, Deadline deadline) {
    return new Work(
        work.inputs(), work.rows(), work.outputs(), deadline, work.priority(), work.cancellation());
  }

  static Work priority(Work work, int priority) {
    return new Work(
        work.inputs(), work.rows(), work.outputs(), work.deadline(), priority, work.cancellation());
  }

  static Work tenant(Work work, String tenant) {
    return new Work(
        work.inputs(),
        work.rows(),
        work.outputs(),
        work.deadline(),
        work.priority(),
        work.cancellation(),
        tenant);
  }

  static List<NamedTensor> column(float... rows) {
    return List.of(new NamedTensor("x", Tensor.ofFloats(Shape.of(rows.length, 1), rows)));
  }
}
