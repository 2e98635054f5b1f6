package meridian.cli.demo;

import java.util.List;

/** Where the demo shows itself. */
public sealed interface Screen permits Terminal, Silent {

  void say(String text);

  void table(List<LiveTable.Row> rows);
}
