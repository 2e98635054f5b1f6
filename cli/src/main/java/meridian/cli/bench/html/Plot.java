package meridian.cli.bench.html;

import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/**
 * Lines over two axes, as SVG in colours of the page.
 *
 * @param name of the plot, for those who do not see it
 * @param xUnit under the horizontal axis
 * @param yUnit above the vertical axis
 * @param xTicks where there are ticks, from left to right
 * @param lines at least one
 */
record Plot(String name, String xUnit, String yUnit, List<Tick> xTicks, List<Line> lines) {

  private static final double WIDTH = 720;
  private static final double HEIGHT = 260;
  private static final double LEFT = 56;
  private static final double RIGHT = 16;
  private static final double TOP = 28;
  private static final double BOTTOM = 44;

  /** A circle for each point is of use only where they can be told apart. */
  private static final int MOST_DOTS = 120;

  Plot {
    xTicks = List.copyOf(xTicks);
    lines = List.copyOf(lines);
  }

  /**
   * @param at from 0, the left end, to 1, the right one
   */
  record Tick(double at, String label) {}

  /**
   * @param colour a number of the style's series
   */
  record Line(String name, int colour, List<Dot> dots) {
    Line {
      dots = List.copyOf(dots);
    }
  }

  /**
   * @param at from 0, the left end, to 1, the right one
   * @param told when pointed at
   */
  record Dot(double at, double value, String told) {}

  void draw(Markup out) {
    double most =
        lines.stream()
            .flatMap(line -> line.dots().stream())
            .mapToDouble(Dot::value)
            .max()
            .orElse(1);
    Scale y = new Scale(1.05 * most, HEIGHT - TOP - BOTTOM);
    out.open(
        "svg",
        "viewBox",
        "0 0 %.0f %.0f".formatted(WIDTH, HEIGHT),
        "role",
        "img",
        "aria-label",
        name);
    DoubleUnaryOperator down = value -> HEIGHT - BOTTOM - y.at(value);
    axes(out, y, down);
    for (Line line : lines) {
      line(out, line, down);
    }
    legend(out);
    out.close();
  }

  private void axes(Markup out, Scale y, DoubleUnaryOperator down) {
    for (double value : y.ticks()) {
      double at = down.applyAsDouble(value);
      out.empty(
          "line", "class", "grid", "x1", n(LEFT), "x2", n(WIDTH - RIGHT), "y1", n(at), "y2", n(at));
      label(out, LEFT - 8, at + 4, "end", Scale.label(value));
    }
    for (Tick tick : xTicks) {
      label(out, x(tick.at()), HEIGHT - BOTTOM + 18, "middle", tick.label());
    }
    label(out, LEFT - 8, TOP - 12, "end", yUnit);
    label(out, WIDTH - RIGHT, HEIGHT - 6, "end", xUnit);
  }

  private static void line(Markup out, Line line, DoubleUnaryOperator down) {
    StringBuilder points = new StringBuilder();
    for (Dot dot : line.dots()) {
      points.append(n(x(dot.at()))).append(',').append(n(down.applyAsDouble(dot.value())));
      points.append(' ');
    }
    out.empty("polyline", "class", "line s" + line.colour(), "points", points.toString().strip());
    if (line.dots().size() > MOST_DOTS) {
      return;
    }
    for (Dot dot : line.dots()) {
      out.open(
          "circle",
          "class",
          "dot s" + line.colour(),
          "r",
          "3",
          "cx",
          n(x(dot.at())),
          "cy",
          n(down.applyAsDouble(dot.value())));
      out.element("title", dot.told()).close();
    }
  }

  private void legend(Markup out) {
    double x = LEFT + 8;
    for (Line line : lines) {
      out.empty(
          "rect",
          "class",
          "key s" + line.colour(),
          "x",
          n(x),
          "y",
          n(TOP - 21),
          "width",
          "12",
          "height",
          "4",
          "rx",
          "2");
      label(out, x + 18, TOP - 14, "start", line.name());
      x += 40 + 7 * line.name().length();
    }
  }

  private static void label(Markup out, double x, double y, String anchor, String text) {
    out.element("text", text, "x", n(x), "y", n(y), "text-anchor", anchor);
  }

  private static double x(double at) {
    return LEFT + at * (WIDTH - LEFT - RIGHT);
  }

  private static String n(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
