package meridian.cli.demo;

import java.io.PrintWriter;
import java.util.List;

/** A terminal, on which the table is redrawn in place, or a file, to which it is appended. */
final class Terminal implements Screen {

  private static final int APPEND_EVERY = 5;

  private final PrintWriter out;
  private final boolean redraw;
  private int drawn;
  private int tables;

  Terminal(PrintWriter out, boolean redraw) {
    this.out = out;
    this.redraw = redraw;
  }

  @Override
  public void say(String text) {
    out.println(text);
    out.flush();
  }

  @Override
  public void table(List<LiveTable.Row> rows) {
    boolean due = tables++ % APPEND_EVERY == 0;
    if (!redraw && !due) {
      return;
    }
    if (redraw && drawn > 0) {
      out.printf("\033[%dA\033[J", drawn);
    }
    List<String> lines = LiveTable.lines(rows);
    lines.forEach(out::println);
    drawn = lines.size();
    out.flush();
  }
}
