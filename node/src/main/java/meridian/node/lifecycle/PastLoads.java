package meridian.node.lifecycle;

import meridian.core.latency.ExecutionTimes;
import meridian.node.warmup.Conditions;
import meridian.node.warmup.ExecutionTimesFile;
import meridian.node.warmup.ExecutionTimesFile.Measured;

/** What loads of a version measured, for its next. Files that go with it have no next load. */
final class PastLoads {

  private final ExecutionTimesFile file;
  private final boolean temporary;
  private final Measured known;

  PastLoads(LoadOrder order, Surroundings around) {
    String conditions =
        Conditions.of(
            order.version(),
            around.backend(),
            order.settings().execution(),
            around.lanes().count());
    this.file =
        new ExecutionTimesFile(order.model().folder(), order.version().number(), conditions);
    this.temporary = order.temporary();
    this.known = temporary ? Measured.NOTHING : file.read();
  }

  /** Under the same conditions. */
  Measured known() {
    return known;
  }

  /** As {@link #keep}, if there is more of it than was known. */
  void keepNew(int threads, ExecutionTimes times) {
    if (times.entries().size() > known.times().entries().size()) {
      keep(threads, times);
    }
  }

  void keep(int threads, ExecutionTimes times) {
    if (!temporary) {
      file.write(new Measured(threads, times));
    }
  }
}
