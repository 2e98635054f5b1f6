package meridian.node.version;

/** The right to use a version; it is not closed before the lease is. */
public interface Lease extends AutoCloseable {

  ServedVersion version();

  /** Gives the version back, once. */
  @Override
  void close();
}
