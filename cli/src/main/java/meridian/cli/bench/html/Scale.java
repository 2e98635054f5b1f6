package meridian.cli.bench.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Values from 0 up to a length, with ticks at round values. */
record Scale(double most, double length) {

  private static final int MOST_TICKS = 6;

  Scale {
    if (!(most > 0)) {
      most = 1;
    }
  }

  double at(double value) {
    return value / most * length;
  }

  List<Double> ticks() {
    double step = step();
    List<Double> ticks = new ArrayList<>();
    for (int i = 0; i * step <= most * 1.0001; i++) {
      ticks.add(i * step);
    }
    return ticks;
  }

  /** The least of 1, 2, 5 times a power of ten that gives few enough ticks. */
  private double step() {
    double power = Math.pow(10, Math.floor(Math.log10(most / MOST_TICKS)));
    for (double factor : new double[] {1, 2, 5}) {
      if (most / (power * factor) <= MOST_TICKS) {
        return power * factor;
      }
    }
    return power * 10;
  }

  static String label(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }
}
