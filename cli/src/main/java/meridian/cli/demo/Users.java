package meridian.cli.demo;

import java.util.SplittableRandom;
import meridian.cli.bench.Arrivals;
import meridian.cli.bench.Lengths;
import meridian.cli.bench.LoadRecord;
import meridian.cli.bench.OpenLoop;
import meridian.cli.bench.Samples;
import meridian.client.MeridianClient;
import meridian.core.infer.InferRequest;
import meridian.core.model.ModelDescription;
import meridian.core.time.NanoClock;

/** People who use one model: they arrive when they like, over a connection of their own. */
final class Users implements AutoCloseable {

  private static final Lengths TOKENS = new Lengths.Fixed(16);

  private final String model;
  private final String wire;
  private final MeridianClient client;
  private final LoadRecord record = new LoadRecord();
  private final LoadRecord.Interval total = LoadRecord.Interval.empty();
  private final Thread thread;
  private volatile boolean leaving;

  private Users(
      ModelDescription model, String wire, MeridianClient client, double perSecond, long seed) {
    this.model = model.name();
    this.wire = wire;
    this.client = client;
    SplittableRandom random = new SplittableRandom(seed);
    Samples samples = new Samples(model.signature(), 1, TOKENS, random.split());
    OpenLoop loop =
        new OpenLoop(
            client,
            () -> InferRequest.of(model.name(), samples.next()),
            Arrivals.POISSON.gaps(perSecond, random),
            NanoClock.SYSTEM);
    this.thread = Thread.ofPlatform().name("users-of-" + model.name()).unstarted(() -> run(loop));
  }

  static Users arrive(
      ModelDescription model, String wire, MeridianClient client, double perSecond, long seed) {
    Users users = new Users(model, wire, client, perSecond, seed);
    users.thread.start();
    return users;
  }

  private void run(OpenLoop loop) {
    try {
      loop.run(Long.MAX_VALUE / 2, () -> leaving, record);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  String model() {
    return model;
  }

  String wire() {
    return wire;
  }

  /** What came since the last call; it is added to {@link #total()}. */
  LoadRecord.Interval lately() {
    LoadRecord.Interval interval = record.take();
    total.add(interval);
    return interval;
  }

  LoadRecord.Interval total() {
    return total;
  }

  /** Stops arriving, waits for the answers that are out, and hangs up. */
  @Override
  public void close() {
    leaving = true;
    boolean interrupted = false;
    try {
      thread.join();
    } catch (InterruptedException _) {
      interrupted = true;
    }
    client.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
