package meridian.cli.bench;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * A test of a server and, when asked, of its limit. The server alone is under load without a break.
 * With a limit, slices of load go to the one and the other in turn, so that both are warm and see
 * the same machine.
 *
 * @param slice how long a turn is; a closed loop should be long against the time of its answers
 * @param warmUp not counted, for each side
 */
public record LoadTest(Duration duration, Duration slice, Duration warmUp, NanoClock clock) {

  /**
   * Something under load.
   *
   * @param cpuNanos processor time it used so far, in nanoseconds; empty when not known
   * @param waited requests that waited on this side of the wire so far
   */
  public record Target(Load load, Supplier<OptionalLong> cpuNanos, LongSupplier waited) {

    /** Something of which only the answers are known. */
    public static Target of(Load load) {
      return new Target(load, OptionalLong::empty, () -> 0);
    }

    /** The same, whose process is on this machine. */
    public Target withProcess(ProcessHandle process) {
      return new Target(load, CpuMeter.ofProcess(process), waited);
    }
  }

  /**
   * @param limit null when only the server is measured
   */
  public record Result(Measurement server, @Nullable Measurement limit) {}

  /** Told after every second of load. */
  @FunctionalInterface
  public interface Progress {
    /**
     * @param share done, 0 to 1
     * @param server what that second saw
     */
    void second(double share, LoadRecord.Interval server);
  }

  public Result run(Target server, @Nullable Target limit, Progress progress)
      throws InterruptedException {
    return limit == null
        ? new Result(alone(server, progress, () -> false), null)
        : inTurn(server, limit, progress);
  }

  /**
   * @param stop asked before every request
   */
  Measurement alone(Target target, Progress progress, BooleanSupplier stop)
      throws InterruptedException {
    Side side = new Side(target, clock);
    side.warm(warmUp);
    double seconds = duration.toNanos() / 1e9;
    side.run(
        duration, stop, second -> progress.second(Math.min(1, side.seconds() / seconds), second));
    return side.measurement();
  }

  private Result inTurn(Target server, Target limit, Progress progress)
      throws InterruptedException {
    Side serverSide = new Side(server, clock);
    Side limitSide = new Side(limit, clock);
    serverSide.warm(warmUp);
    limitSide.warm(warmUp);
    Duration turn = duration.compareTo(slice) < 0 ? duration : slice;
    long slices = duration.dividedBy(turn);
    Consumer<LoadRecord.Interval> ignore = _ -> {};
    for (long i = 0; i < slices; i++) {
      double share = (i + 1.0) / slices;
      serverSide.run(turn, () -> false, second -> progress.second(share, second));
      limitSide.run(turn, () -> false, ignore);
    }
    return new Result(serverSide.measurement(), limitSide.measurement());
  }
}
