package meridian.core.time;

/** A monotonic clock in nanoseconds with an arbitrary origin; only differences have a meaning. */
@FunctionalInterface
public interface NanoClock {

  /** The clock of this machine. Nothing else in Meridian reads the system's monotonic time. */
  NanoClock SYSTEM = System::nanoTime;

  long nanos();
}
