package meridian.benchmarks.scheduling;

import java.util.List;

/** What decides over requests of one row that arrive at {@code lanes} lanes. */
interface Policy {

  /** False when the request is refused. */
  boolean arrive(Request request, boolean laneFree, long nowNanos);

  /** What the lane is to run now; empty when it is to wait. */
  List<Request> take(int lane, long nowNanos);

  /** When a lane that waits is to ask again though nothing arrived. */
  default long askAgainNanos() {
    return Long.MAX_VALUE;
  }

  /** An execution ended. */
  default void executed(int rows, long nanos) {}

  /** A request and the instant after which its answer is worth nothing. */
  record Request(long atNanos, long dueNanos) {}
}
