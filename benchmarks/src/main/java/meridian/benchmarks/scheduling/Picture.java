package meridian.benchmarks.scheduling;

import java.util.List;
import java.util.Locale;

/** Goodput against load as an SVG. */
final class Picture {

  private static final int WIDTH = 640;
  private static final int HEIGHT = 300;
  private static final int LEFT = 50;
  private static final List<String> COLOURS =
      List.of("#0b6e4f", "#c0392b", "#e67e22", "#8e44ad", "#7f8c8d");

  private final double capacity;

  Picture(double capacity) {
    this.capacity = capacity;
  }

  String draw(double[] loads, List<Curve> curves) {
    StringBuilder svg = new StringBuilder();
    svg.append(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"11\">\n"
            .formatted(WIDTH, HEIGHT + 40 + 16 * curves.size()));
    svg.append("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    for (double load : loads) {
      text(svg, x(load, loads) - 8, HEIGHT + 16, "%.2f".formatted(load));
    }
    text(svg, LEFT, 12, "answers in time per second, by load (1 = capacity of full batches)");
    for (int share = 0; share <= 100; share += 25) {
      text(svg, 4, y(capacity * share / 100), "%.0f".formatted(capacity * share / 100));
    }
    for (int i = 0; i < curves.size(); i++) {
      line(svg, loads, curves.get(i), COLOURS.get(i));
      svg.append("<g fill=\"%s\">".formatted(COLOURS.get(i)));
      text(svg, LEFT, HEIGHT + 36 + 16 * i, curves.get(i).name());
      svg.append("</g>\n");
    }
    return svg.append("</svg>\n").toString();
  }

  private void line(StringBuilder svg, double[] loads, Curve curve, String colour) {
    svg.append(
        "<polyline fill=\"none\" stroke-width=\"2\" stroke=\"%s\" points=\"".formatted(colour));
    for (int i = 0; i < loads.length; i++) {
      svg.append("%.0f,%.0f ".formatted(x(loads[i], loads), y(curve.goodput()[i])));
    }
    svg.append("\"/>\n");
  }

  private static void text(StringBuilder svg, double x, double y, String text) {
    svg.append(String.format(Locale.ROOT, "<text x=\"%.0f\" y=\"%.0f\">%s</text>%n", x, y, text));
  }

  private static double x(double load, double[] loads) {
    return LEFT + load / loads[loads.length - 1] * (WIDTH - LEFT - 20);
  }

  private double y(double goodput) {
    return HEIGHT - goodput / (1.05 * capacity) * (HEIGHT - 24);
  }

  /**
   * @param goodput for each load
   */
  record Curve(String name, double[] goodput) {}
}
