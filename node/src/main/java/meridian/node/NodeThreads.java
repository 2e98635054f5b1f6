package meridian.node;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A node's threads besides the lanes. None keeps the process alive.
 *
 * @param poller looks at the repository
 * @param turns a thread for each piece of work on a model; virtual, since most of them wait
 * @param loaders load models; few, and no virtual ones, whose carriers a native call would hold
 * @param closer closes what is no longer used
 * @param preparation prepares inputs that are too large for an event loop; refuses what it has no
 *     room for
 */
record NodeThreads(
    ScheduledExecutorService poller,
    Executor turns,
    ExecutorService loaders,
    ExecutorService closer,
    ExecutorService preparation) {

  private static final int MAX_PREPARATIONS = 256;
  private static final long IDLE_SECONDS = 30;

  static NodeThreads start(int lanes, int maxLoads) {
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
        Executors.newSingleThreadScheduledExecutor(daemons("meridian-poll-")),
        virtualThreads(),
        Executors.newFixedThreadPool(maxLoads, daemons("meridian-load-")),
        Executors.newSingleThreadExecutor(daemons("meridian-closer-")),
        preparation);
  }

  static ThreadFactory daemons(String prefix) {
    return Thread.ofPlatform().name(prefix, 0).daemon().factory();
  }

  private static Executor virtualThreads() {
    ThreadFactory virtual = Thread.ofVirtual().name("meridian-models-", 0).factory();
    return work -> virtual.newThread(work).start();
  }

  /** What is queued is still done. */
  void stop() {
    poller.shutdown();
    loaders.shutdown();
    closer.shutdown();
    preparation.shutdown();
  }
}
