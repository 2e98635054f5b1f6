package meridian.cli.bench;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferenceService;
import org.jspecify.annotations.Nullable;

/**
 * A test of a server and, when asked, of its limit: slices of load go to the one and the other in
 * turn, so that both are warm and see the same machine.
 *
 * @param warmUp not counted, for each side
 */
public record LoadTest(LoadShape shape, Duration duration, Duration warmUp) {

  private static final Duration SLICE = Duration.ofSeconds(1);

  /**
   * @param limit null when only the server is measured
   */
  public record Result(
      LoadRecord.Interval server, LoadRecord.@Nullable Interval limit, long sent) {}

  /**
   * @param progress told the share done, 0 to 1, after every slice
   */
  public Result run(
      InferenceService server,
      @Nullable InferenceService limit,
      Supplier<InferRequest> requests,
      Consumer<Double> progress)
      throws InterruptedException {
    Side serverSide = new Side(server, requests);
    Side limitSide = limit == null ? null : new Side(limit, requests);
    serverSide.warm();
    if (limitSide != null) {
      limitSide.warm();
    }
    long slices = Math.max(1, duration.dividedBy(SLICE));
    for (long i = 0; i < slices; i++) {
      serverSide.slice();
      if (limitSide != null) {
        limitSide.slice();
      }
      progress.accept((i + 1.0) / slices);
    }
    return new Result(
        serverSide.total, limitSide == null ? null : limitSide.total, serverSide.sent);
  }

  private final class Side {

    private final LoadRecord record = new LoadRecord();
    private final LoadRecord.Interval total = LoadRecord.Interval.empty();
    private final Load load;
    private long sent;

    Side(InferenceService service, Supplier<InferRequest> requests) {
      this.load = shape.of(service, requests);
    }

    void warm() throws InterruptedException {
      load.run(warmUp.toNanos(), () -> false, record);
      record.take();
    }

    void slice() throws InterruptedException {
      sent += load.run(Math.min(SLICE.toNanos(), duration.toNanos()), () -> false, record);
      total.add(record.take());
    }
  }
}
