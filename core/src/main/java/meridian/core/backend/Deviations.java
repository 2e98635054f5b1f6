package meridian.core.backend;

import java.util.List;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Rows;
import meridian.core.tensor.Tensor;

/** Gathers how far rows executed together are from the same rows executed alone. */
final class Deviations {

  private double largest;
  private String reason = "";

  /**
   * @param how the rows were executed together
   * @param alone the answer to each row by itself
   * @param together one answer, with a row for each
   */
  void add(String how, List<List<NamedTensor>> alone, List<NamedTensor> together) {
    for (int output = 0; output < together.size(); output++) {
      String name = together.get(output).name();
      Tensor all = together.get(output).tensor();
      if (all.shape().rank() == 0 || all.shape().dim(0) != alone.size()) {
        found("output \"%s\": shape %s for %d rows".formatted(name, all.shape(), alone.size()));
        continue;
      }
      for (int row = 0; row < alone.size(); row++) {
        Tensor expected = alone.get(row).get(output).tensor();
        add(how, name, expected, RowLength.cutLike(Rows.slice(all, row, 1), expected));
      }
    }
  }

  Invariance verdict() {
    return new Invariance(reason.isEmpty(), largest, reason);
  }

  private void add(String how, String name, Tensor expected, Tensor actual) {
    if (!actual.shape().equals(expected.shape())) {
      found(
          "output \"%s\": shape %s %s (expected: %s as alone)"
              .formatted(name, actual.shape(), how, expected.shape()));
      return;
    }
    double deviation = between(expected, actual);
    double tolerance = tolerance(expected.type());
    largest = Math.max(largest, deviation);
    if (deviation > tolerance) {
      found(
          "output \"%s\": deviates by %.2g %s (expected: at most %.0e)"
              .formatted(name, deviation, how, tolerance));
    }
  }

  private void found(String difference) {
    if (reason.isEmpty()) {
      reason = difference;
    }
  }

  private static double between(Tensor expected, Tensor actual) {
    if (!Elements.isReal(expected.type())) {
      return expected.data().mismatch(actual.data()) < 0 ? 0 : 1;
    }
    double scale = 0;
    double difference = 0;
    for (long i = 0; i < expected.elementCount(); i++) {
      double one = Elements.real(expected, i);
      double other = Elements.real(actual, i);
      if (Double.compare(one, other) != 0) {
        difference = Math.max(difference, distance(one, other));
      }
      scale = Math.max(scale, Double.isFinite(one) ? Math.abs(one) : 0);
    }
    return difference == 0 ? 0 : difference / Math.max(scale, Float.MIN_NORMAL);
  }

  private static double distance(double one, double other) {
    double distance = Math.abs(one - other);
    return Double.isNaN(distance) ? Double.POSITIVE_INFINITY : distance;
  }

  private static double tolerance(DataType type) {
    return switch (type) {
      case FP16 -> 5e-3;
      case BF16 -> 4e-2;
      default -> 1e-4;
    };
  }
}
