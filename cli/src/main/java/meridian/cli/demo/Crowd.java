package meridian.cli.demo;

import java.util.List;
import meridian.core.error.Outcome;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelStatistics;

/** The users of one model, and the batches that the server made of them. */
final class Crowd implements AutoCloseable {

  private final Users users;
  private final ModelCatalog catalog;
  private final Batches start;
  private Batches last;

  Crowd(Users users, ModelCatalog catalog) {
    this.users = users;
    this.catalog = catalog;
    this.start = batches();
    this.last = start;
  }

  /** What came since the last call. */
  LiveTable.Row lately(double seconds) {
    Batches now = batches();
    LiveTable.Row row =
        new LiveTable.Row(
            users.model(), users.wire(), users.lately(), seconds, now.meanSince(last));
    last = now;
    return row;
  }

  LiveTable.Row overall(double seconds) {
    users.lately();
    return new LiveTable.Row(
        users.model(), users.wire(), users.total(), seconds, batches().meanSince(start));
  }

  @Override
  public void close() {
    users.close();
  }

  private Batches batches() {
    return catalog.statistics(users.model(), null)
            instanceof Outcome.Ok<List<ModelStatistics>>(List<ModelStatistics> versions)
        ? Batches.of(versions)
        : new Batches(0, 0);
  }

  private record Batches(long rows, long executions) {

    static Batches of(List<ModelStatistics> versions) {
      long rows = 0;
      long executions = 0;
      for (ModelStatistics version : versions) {
        rows += version.inferenceCount();
        executions += version.executionCount();
      }
      return new Batches(rows, executions);
    }

    double meanSince(Batches before) {
      long batches = executions - before.executions;
      return batches == 0 ? 0 : (double) (rows - before.rows) / batches;
    }
  }
}
