package meridian.fleet.failure;

/** What can be said of a region that does not answer here. */
public enum Presence {
  THERE,
  /** Others reach it: the way from here is broken. */
  UNREACHABLE,
  /** Nobody reaches it. */
  DEAD,
  /** There is nobody to ask: gone from here, for whatever reason. */
  UNKNOWN;

  /**
   * @param up as found from here
   * @param peersAsked regions besides this one and that
   * @param peersThatReachIt among those, lately
   */
  public static Presence of(boolean up, int peersAsked, int peersThatReachIt) {
    if (up) {
      return THERE;
    }
    if (peersAsked == 0) {
      return UNKNOWN;
    }
    return peersThatReachIt > 0 ? UNREACHABLE : DEAD;
  }
}
