package meridian.fleet.routing;

/** Why a region is no candidate for a request. */
public enum Removal {
  NONE,
  /** It may not have the data. */
  RESIDENCY,
  /** It does not serve the model, or not the generation asked for. */
  NO_MODEL,
  /** It was tried for this request. */
  TRIED,
  /** It, or the way there, is down. */
  DOWN,
  /** The breaker of the model there is open. */
  BREAKER,
  /** As many requests are under way as it bears, and it does not tell how it stands. */
  FULL,
  /** It came back, and this request is not of its share yet. */
  RAMP;

  /** Whether a request may go there all the same when no other region remains. */
  boolean isForgivable() {
    return this == DOWN || this == BREAKER || this == FULL || this == RAMP;
  }
}
