package meridian.cli.bench.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import meridian.cli.bench.LoadRecord;
import meridian.cli.config.Units;
import meridian.core.latency.Stage;

/** Where the time of an answered request went: one bar and its figures. */
final class Stages {

  private static final double WIDTH = 720;

  private Stages() {}

  static void write(Markup out, LoadRecord.Interval server) {
    bar(out, server);
    List<List<String>> rows = new ArrayList<>();
    List<Integer> colours = new ArrayList<>();
    for (Stage stage : Stage.values()) {
      rows.add(
          List.of(stage.label(), Units.millis(server.meanNanos(stage)), percent(server, stage)));
      colours.add(colour(stage));
    }
    new Table(List.of("stage", "mean ms", "share"), rows, colours).write(out);
  }

  private static void bar(Markup out, LoadRecord.Interval server) {
    out.open("svg", "viewBox", "0 0 720 34", "role", "img", "aria-label", "Time by stage");
    double x = 0;
    for (Stage stage : Stage.values()) {
      double width = WIDTH * server.share(stage);
      out.open(
          "rect",
          "class",
          "bar s" + colour(stage),
          "x",
          n(x),
          "y",
          "4",
          "width",
          n(width),
          "height",
          "26");
      out.element("title", stage.label() + ": " + percent(server, stage)).close();
      x += width;
    }
    out.close();
  }

  private static String percent(LoadRecord.Interval server, Stage stage) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * server.share(stage));
  }

  private static String n(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static int colour(Stage stage) {
    return switch (stage) {
      case NETWORK -> 1;
      case DATA -> 2;
      case QUEUE -> 3;
      case MODEL -> 5;
      case SERVICE -> 6;
    };
  }
}
