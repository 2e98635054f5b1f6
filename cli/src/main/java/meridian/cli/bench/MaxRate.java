package meridian.cli.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.DoubleFunction;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;

/**
 * Finds the highest rate that a server sustains within a budget, by open-loop trials. A trial ends
 * early when it can no longer pass.
 *
 * @param target under load at so many requests per second
 */
public record MaxRate(DoubleFunction<LoadTest.Target> target, Settings settings, NanoClock clock) {

  /** Share of the rate that the search may be off by. */
  private static final double PRECISION = 0.05;

  /** Long enough for a server to get used to a new rate. */
  private static final Duration SETTLE = Duration.ofSeconds(1);

  private static final double SLOW_SHARE = 0.01;

  /**
   * @param start requests per second to begin with
   * @param budget that P99 must stay within
   * @param trial how long a trial is, at most
   * @param confirmation how long the trial that decides is
   * @param warmUp before the first trial
   */
  public record Settings(
      double start, Duration budget, Duration trial, Duration confirmation, Duration warmUp) {}

  /**
   * @param confirming whether it decides
   * @param measured until it passed, or until it could no longer
   */
  public record Trial(double rate, boolean confirming, boolean passed, Measurement measured) {}

  /**
   * @param best the trial that decided; null when no rate passed
   */
  public record Found(List<Trial> trials, @Nullable Trial best) {
    public Found {
      trials = List.copyOf(trials);
    }
  }

  public Found find(Consumer<Trial> progress) throws InterruptedException {
    RateSearch search = new RateSearch(settings.start(), PRECISION);
    List<Trial> trials = new ArrayList<>();
    Duration warmUp = settings.warmUp();
    for (Optional<RateSearch.Step> step = search.next(); step.isPresent(); step = search.next()) {
      Trial trial = run(step.get(), warmUp);
      search.tell(trial.passed());
      trials.add(trial);
      progress.accept(trial);
      warmUp = SETTLE;
    }
    return new Found(trials, search.result() == 0 ? null : trials.getLast());
  }

  private Trial run(RateSearch.Step step, Duration warmUp) throws InterruptedException {
    Duration length = step.confirming() ? settings.confirmation() : settings.trial();
    Misses misses = new Misses(step.rate() * length.toNanos() / 1e9);
    Measurement measured =
        new LoadTest(length, length, warmUp, clock)
            .alone(
                target.apply(step.rate()), (_, second) -> misses.add(second), misses.tooMany::get);
    return new Trial(step.rate(), step.confirming(), passed(measured), measured);
  }

  private boolean passed(Measurement measured) {
    return measured.answered() > 0
        && measured.total().nanosAt(99) <= settings.budget().toNanos()
        && measured.failedShare() <= Plan.TOLERATED_FAILURES;
  }

  /** Counts what a trial cannot pass with. */
  private final class Misses {

    private final double requests;
    private final AtomicBoolean tooMany = new AtomicBoolean();
    private long slow;
    private long failed;

    /**
     * @param requests that the trial is expected to send
     */
    Misses(double requests) {
      this.requests = requests;
    }

    void add(LoadRecord.Interval second) {
      slow += second.slowerThan(settings.budget().toNanos());
      failed += second.failed();
      // Half as many again as allowed: arrivals are random, so the trial may be longer than
      // expected.
      if (slow > 1.5 * SLOW_SHARE * requests
          || failed > Math.max(1, 1.5 * Plan.TOLERATED_FAILURES * requests)) {
        tooMany.set(true);
      }
    }
  }
}
