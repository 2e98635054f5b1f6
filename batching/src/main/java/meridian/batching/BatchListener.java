package meridian.batching;

/** Told of every run that succeeded, on the lane's thread, before its requests are answered. */
@FunctionalInterface
public interface BatchListener {

  /**
   * @param queueNanosOldest how long the request that waited longest had waited
   */
  void executed(int rows, int requests, long queueNanosOldest, long modelNanos);
}
