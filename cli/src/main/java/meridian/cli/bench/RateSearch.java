package meridian.cli.bench;

import java.util.Optional;

/**
 * Finds the highest rate that passes a trial: doubles until one fails (or halves until one passes),
 * halves the gap until it is small, then confirms. Rates are compared by ratio, so that the search
 * is as exact at ten requests per second as at ten thousand. It runs nothing itself.
 */
public final class RateSearch {

  /** Beyond that no generator of this kind gets. */
  private static final double HIGHEST = 1_000_000;

  /** Below that a trial of seconds says nothing. */
  private static final double LOWEST = 0.5;

  private static final double BACK_OFF = 0.9;
  private static final int MOST_CONFIRMATIONS = 5;

  private final double start;
  private final double precision;
  private double passed;
  private double failed = Double.POSITIVE_INFINITY;
  private double confirming;
  private int confirmations;
  private boolean over;

  /**
   * @param start requests per second to begin with
   * @param precision of the result, as a share of it, such as 0.05
   */
  public RateSearch(double start, double precision) {
    this.start = Math.clamp(start, LOWEST, HIGHEST);
    this.precision = precision;
  }

  /**
   * A trial to run.
   *
   * @param rate in requests per second
   * @param confirming whether this rate has passed before, so that this trial decides
   */
  public record Step(double rate, boolean confirming) {}

  /** What to try next; empty when the search is over. */
  public Optional<Step> next() {
    if (over) {
      return Optional.empty();
    }
    if (confirming > 0) {
      return Optional.of(new Step(confirming, true));
    }
    return Optional.of(new Step(candidate(), false));
  }

  private double candidate() {
    if (passed == 0) {
      return Double.isInfinite(failed) ? start : failed / 2;
    }
    return Double.isInfinite(failed) ? Math.min(HIGHEST, passed * 2) : Math.sqrt(passed * failed);
  }

  /** How the trial that {@link #next} named went. */
  public void tell(boolean pass) {
    Step tried = next().orElseThrow(() -> new IllegalStateException("the search is over"));
    if (tried.confirming()) {
      confirmed(pass);
    } else {
      searched(tried.rate(), pass);
    }
  }

  private void searched(double rate, boolean pass) {
    if (pass) {
      passed = rate;
    } else {
      failed = rate;
    }
    if (passed == 0 && failed / 2 < LOWEST) {
      over = true;
    } else if (passed >= HIGHEST || (passed > 0 && failed / passed <= 1 + precision)) {
      confirming = passed;
    }
  }

  private void confirmed(boolean pass) {
    confirmations++;
    if (pass) {
      over = true;
      return;
    }
    confirming *= BACK_OFF;
    if (confirmations == MOST_CONFIRMATIONS || confirming < LOWEST) {
      confirming = 0;
      over = true;
    }
  }

  /** Requests per second; 0 when none passed twice. Final once {@link #next} is empty. */
  public double result() {
    return over ? confirming : 0;
  }
}
