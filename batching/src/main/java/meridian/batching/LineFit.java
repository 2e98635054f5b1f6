package meridian.batching;

/**
 * The line t = a + b·n through what was measured, by least squares in which old points fade.
 * Neither a nor b is negative.
 */
final class LineFit {

  private static final double FADE = 0.99;

  private double weight;
  private double sumRows;
  private double sumNanos;
  private double sumRowsRows;
  private double sumRowsNanos;
  private double base;
  private double perRow;

  void add(int rows, double nanos) {
    weight = FADE * weight + 1;
    sumRows = FADE * sumRows + rows;
    sumNanos = FADE * sumNanos + nanos;
    sumRowsRows = FADE * sumRowsRows + (double) rows * rows;
    sumRowsNanos = FADE * sumRowsNanos + rows * nanos;
    fit();
  }

  double at(int rows) {
    if (weight == 0) {
      return 0;
    }
    return isOneSize() ? fromOneSize(rows) : base + perRow * rows;
  }

  /** Without a second size nobody knows the slope: rows cost their share, but never less. */
  private double fromOneSize(int rows) {
    return sumNanos / weight * Math.max(1, rows * weight / sumRows);
  }

  private boolean isOneSize() {
    return spread() < 1e-6 * weight * weight;
  }

  private double spread() {
    return weight * sumRowsRows - sumRows * sumRows;
  }

  private void fit() {
    if (isOneSize()) {
      return;
    }
    perRow = Math.max(0, (weight * sumRowsNanos - sumRows * sumNanos) / spread());
    base = (sumNanos - perRow * sumRows) / weight;
    if (base < 0) {
      base = 0;
      perRow = sumRowsNanos / sumRowsRows;
    }
  }
}
