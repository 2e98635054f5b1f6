package meridian.cli.demo;

import java.util.List;

/** Shows nothing; for machines, which read the summary. */
record Silent() implements Screen {

  @Override
  public void say(String text) {}

  @Override
  public void table(List<LiveTable.Row> rows) {}
}
