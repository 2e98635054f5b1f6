package meridian.cli.demo;

import java.io.PrintWriter;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import meridian.client.MeridianClient;
import meridian.client.Wire;
import meridian.core.error.Outcome;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelState;
import meridian.core.model.VersionStatus;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;

/** Sends sample users to a region server and shows what they see. */
public final class Demo {

  private static final long REFRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
  private static final double ARRIVALS_PER_SECOND = 8;

  private final URI inference;
  private final URI administration;
  private final ModelCatalog catalog;
  private final NanoClock clock = NanoClock.SYSTEM;

  public Demo(URI inference, URI administration, ModelCatalog catalog) {
    this.inference = inference;
    this.administration = administration;
    this.catalog = catalog;
  }

  /**
   * @param redraw whether {@code out} is a terminal, on which the table can stay in place
   */
  public static Screen screen(PrintWriter out, boolean redraw) {
    return new Terminal(out, redraw);
  }

  public static Screen silent() {
    return new Silent();
  }

  /**
   * @param duration null to run until interrupted
   */
  public Summary run(@Nullable Duration duration, Screen screen) throws InterruptedException {
    awaitModels(screen);
    screen.say(welcome());
    long started = clock.nanos();
    long end = duration == null ? Long.MAX_VALUE : duration.toNanos();
    List<Crowd> crowds = arrive();
    try {
      long shown = started;
      while (clock.nanos() - started < end) {
        sleep(Math.min(REFRESH_NANOS, end - (clock.nanos() - started)));
        double seconds = (clock.nanos() - shown) / 1e9;
        shown = clock.nanos();
        screen.table(crowds.stream().map(crowd -> crowd.lately(seconds)).toList());
      }
    } finally {
      crowds.forEach(Crowd::close);
    }
    double seconds = (clock.nanos() - started) / 1e9;
    return new Summary(crowds.stream().map(crowd -> crowd.overall(seconds)).toList());
  }

  /** Until nothing loads any more; tells every change, the last ones too. */
  private void awaitModels(Screen screen) throws InterruptedException {
    List<VersionStatus> shown = List.of();
    boolean settled = false;
    while (!settled) {
      List<VersionStatus> index = catalog.index();
      for (VersionStatus line : index) {
        if (!shown.contains(line)) {
          screen.say(loading(line));
        }
      }
      shown = index;
      settled = isSettled(index);
      if (!settled) {
        sleep(POLL_NANOS);
      }
    }
  }

  private boolean isSettled(List<VersionStatus> index) {
    boolean loading = index.stream().anyMatch(line -> line.state() == ModelState.LOADING);
    return !loading && (catalog.ready() || !index.isEmpty());
  }

  private static String loading(VersionStatus line) {
    String reason = line.reason().isEmpty() ? "" : "  " + line.reason();
    return "  %-20s %-3s %s%s".formatted(line.name(), line.version(), line.state(), reason);
  }

  private List<Crowd> arrive() {
    List<Crowd> crowds = new ArrayList<>();
    Wire[] wires = Wire.values();
    for (VersionStatus line : catalog.index()) {
      if (line.state() == ModelState.READY
          && catalog.describe(line.name(), null)
              instanceof Outcome.Ok<ModelDescription>(ModelDescription model)
          && model.version().equals(line.version())) {
        Wire wire = wires[crowds.size() % wires.length];
        MeridianClient client = MeridianClient.connect(inference, wire);
        int seed = crowds.size();
        crowds.add(
            new Crowd(
                Users.arrive(model, wire.toString(), client, ARRIVALS_PER_SECOND, seed), catalog));
      }
    }
    return crowds;
  }

  private static void sleep(long nanos) throws InterruptedException {
    LockSupport.parkNanos(nanos);
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
  }

  private String welcome() {
    return """

    inference       %1$s   REST and gRPC on one port
    administration  %2$s   docs %2$s/docs, metrics %2$s/metrics

    try it:
      curl -s %1$s/v2/models/minilm/infer -d '{"inputs":[{"name":"text","shape":[1],"datatype":"BYTES","data":["Where is my order?"]}]}'
    """
        .formatted(inference, administration);
  }
}
