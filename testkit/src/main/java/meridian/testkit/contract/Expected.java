package meridian.testkit.contract;

/** What the graphs of {@link meridian.testkit.graph.Graphs} give, computed here. */
final class Expected {

  private Expected() {}

  /** Exact for the eighths that {@link Samples#floats} makes. */
  static float[] linear(float[] x) {
    float[] y = new float[x.length / 4 * 3];
    for (int row = 0; row < x.length / 4; row++) {
      y[3 * row] = x[4 * row] + x[4 * row + 1] + 0.5f;
      y[3 * row + 1] = x[4 * row + 2] - x[4 * row + 3] - 1;
      y[3 * row + 2] = 2 * x[4 * row] + x[4 * row + 3] + 0.25f;
    }
    return y;
  }
}
