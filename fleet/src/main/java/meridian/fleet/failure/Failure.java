package meridian.fleet.failure;

/**
 * How a request to a region failed. An answer that asks to come back later is none: the region
 * works.
 */
public enum Failure {
  /** No connection, or it broke before the answer began. */
  CONNECTION,
  /** An answer that says the fault is the server's, or none in time. */
  SERVER
}
