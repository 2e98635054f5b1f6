package meridian.cli.bench;

import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The gaps between requests of an open loop, in nanoseconds: what users do, not what servers allow.
 */
public enum Arrivals {
  /** Independent users: exponential gaps. */
  POISSON {
    @Override
    public LongSupplier gaps(double perSecond, RandomGenerator random) {
      double meanNanos = 1e9 / perSecond;
      return () -> (long) (random.nextExponential() * meanNanos);
    }
  },
  /** A metronome. */
  CONSTANT {
    @Override
    public LongSupplier gaps(double perSecond, RandomGenerator random) {
      long nanos = (long) (1e9 / perSecond);
      return () -> nanos;
    }
  };

  public abstract LongSupplier gaps(double perSecond, RandomGenerator random);
}
