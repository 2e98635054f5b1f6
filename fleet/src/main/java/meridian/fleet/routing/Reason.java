package meridian.fleet.routing;

/** Why a region was chosen. */
public enum Reason {
  /** None was: no region may have the request. */
  NOWHERE,
  /** The best for those without a session, and not busy. */
  HOME,
  /** One of those as good as the best: that of the session. */
  SESSION,
  /** Nearer than the best that is wholly there: one that came back, and this is of its share. */
  RETURN,
  /** The one it would have been is busy, and this one answers sooner. */
  SPILL,
  /** All that may have it are down: the best of them. */
  PANIC
}
