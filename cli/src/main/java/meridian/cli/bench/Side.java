package meridian.cli.bench;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import meridian.core.time.NanoClock;

/** One target of a {@link LoadTest} and what it did so far. */
final class Side {

  private static final long SECOND_NANOS = 1_000_000_000;

  private final LoadTest.Target target;
  private final NanoClock clock;
  private final CpuMeter cpu;
  private final LoadRecord record = new LoadRecord();
  private final LoadRecord.Interval total = LoadRecord.Interval.empty();
  private final Timeline timeline = new Timeline();
  private long sent;
  private long sampled;
  private double seconds;
  private double sendingSeconds;
  private long waited;
  private double drainSeconds;

  Side(LoadTest.Target target, NanoClock clock) {
    this.target = target;
    this.clock = clock;
    this.cpu = new CpuMeter(target.cpuNanos());
  }

  void warm(Duration duration) throws InterruptedException {
    target.load().run(duration.toNanos(), () -> false, record);
    record.take();
  }

  /**
   * Adds to what was measured.
   *
   * @param each told what every second saw, on a thread of its own but for the last
   */
  void run(Duration duration, BooleanSupplier stop, Consumer<LoadRecord.Interval> each)
      throws InterruptedException {
    double before = seconds;
    long waitedBefore = target.waited().getAsLong();
    cpu.start();
    sampled = clock.nanos();
    CountDownLatch over = new CountDownLatch(1);
    Thread sampler = Thread.ofPlatform().name("sampler").start(() -> sampleEachSecond(each, over));
    try {
      sent += target.load().run(duration.toNanos(), stop, record);
    } finally {
      over.countDown();
      sampler.join();
    }
    cpu.stop();
    waited += target.waited().getAsLong() - waitedBefore;
    sample(each);
    double sending = duration.toNanos() / 1e9;
    sendingSeconds += sending;
    drainSeconds = Math.max(drainSeconds, seconds - before - sending);
  }

  /** An interrupt would not do to end it: the histograms of the record may swallow one. */
  private void sampleEachSecond(Consumer<LoadRecord.Interval> each, CountDownLatch over) {
    long next = sampled + SECOND_NANOS;
    while (!isOver(over, next - clock.nanos())) {
      sample(each);
      next += SECOND_NANOS;
    }
  }

  private static boolean isOver(CountDownLatch over, long waitNanos) {
    try {
      return over.await(waitNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("sampler: interrupted (expected: by nobody)", e);
    }
  }

  /** By the sampler while it runs, by the caller of {@link #run} before and after. */
  private void sample(Consumer<LoadRecord.Interval> each) {
    long now = clock.nanos();
    double length = (now - sampled) / 1e9;
    sampled = now;
    LoadRecord.Interval interval = record.take();
    total.add(interval);
    seconds += length;
    each.accept(interval);
    timeline.add(interval, length);
  }

  double seconds() {
    return seconds;
  }

  Measurement measurement() {
    return new Measurement(
        total,
        sent,
        new Measurement.Span(sendingSeconds, seconds, drainSeconds),
        timeline.points(),
        waited,
        cpu.usage());
  }
}
