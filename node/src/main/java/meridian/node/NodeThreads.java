package meridian.node;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A node's threads besides the lanes. None keeps the process alive.
 *
 * @param models decides and loads, one model after the other
 * @param closer closes what is no longer used
 * @param preparation prepares inputs that are too large for an event loop; refuses what it has no
 *     room for
 */
record NodeThreads(
    ScheduledExecutorService models, ExecutorService closer, ExecutorService preparation) {

  private static final int MAX_PREPARATIONS = 256;
  private static final long IDLE_SECONDS = 30;

  static NodeThreads start(int lanes) {
    ThreadPoolExecutor preparation =
        new ThreadPoolExecutor(
            lanes,
            lanes,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_PREPARATIONS),
            daemons("meridian-prepare-"));
    preparation.allowCoreThreadTimeOut(true);
    return new NodeThreads(
        Executors.newSingleThreadScheduledExecutor(daemons("meridian-models-")),
        Executors.newSingleThreadExecutor(daemons("meridian-closer-")),
        preparation);
  }

  static ThreadFactory daemons(String prefix) {
    return Thread.ofPlatform().name(prefix, 0).daemon().factory();
  }

  /** What is queued is still done. */
  void stop() {
    models.shutdown();
    closer.shutdown();
    preparation.shutdown();
  }
}
