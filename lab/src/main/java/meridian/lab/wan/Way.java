package meridian.lab.wan;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import meridian.core.time.NanoClock;

/**
 * One way of one connection: a thread takes bytes in, another lets them out when it is time. What
 * is under way is bounded; beyond, the sender has to wait, as behind a full router.
 */
final class Way {

  private static final int CHUNK_BYTES = 16 << 10;
  private static final long MOST_UNDER_WAY = 8L << 20;

  private final SocketChannel from;
  private final SocketChannel to;
  private final Direction direction;
  private final boolean doomed;
  private final Supplier<LinkSettings> settings;
  private final LinkModel model;
  private final NanoClock clock;
  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Queue<Chunk> underWay = new ArrayDeque<>();
  private long bytesUnderWay;
  private boolean over;

  /**
   * @param end whether nothing follows
   */
  private record Chunk(ByteBuffer bytes, long outNanos, boolean end) {}

  /**
   * @param doomed whether it breaks once its first bytes are out
   */
  Way(
      SocketChannel from,
      SocketChannel to,
      Direction direction,
      boolean doomed,
      Supplier<LinkSettings> settings,
      LinkModel model,
      NanoClock clock) {
    this.from = from;
    this.to = to;
    this.direction = direction;
    this.doomed = doomed;
    this.settings = settings;
    this.model = model;
    this.clock = clock;
  }

  /** Until the sender has ended or the connection is gone. */
  void takeIn() throws IOException, InterruptedException {
    ByteBuffer bytes = ByteBuffer.allocate(CHUNK_BYTES);
    while (from.read(bytes) >= 0) {
      bytes.flip();
      put(bytes, false);
      bytes = ByteBuffer.allocate(CHUNK_BYTES);
    }
    put(bytes.flip(), true);
  }

  /** Until all is out, and the end has been told. */
  void letOut() throws IOException, InterruptedException {
    for (Chunk chunk = take(); ; chunk = take()) {
      while (chunk.bytes.hasRemaining()) {
        to.write(chunk.bytes);
      }
      if (doomed) {
        throw new IOException("reset, as the settings ask");
      }
      if (chunk.end) {
        to.shutdownOutput();
        return;
      }
    }
  }

  /** Settings have changed, or the connection is gone. */
  void wake(boolean gone) {
    lock.lock();
    try {
      over |= gone;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private void put(ByteBuffer bytes, boolean end) throws InterruptedException {
    lock.lock();
    try {
      while (bytesUnderWay > MOST_UNDER_WAY && !over) {
        changed.await();
      }
      long out = model.outNanos(settings.get(), clock.nanos(), bytes.remaining());
      underWay.add(new Chunk(bytes, out, end));
      bytesUnderWay += bytes.remaining();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private Chunk take() throws InterruptedException {
    lock.lock();
    try {
      while (!over && leftNanos() > 0) {
        var _ = changed.awaitNanos(leftNanos());
      }
      if (over) {
        throw new InterruptedException("the connection is gone");
      }
      Chunk first = underWay.remove();
      bytesUnderWay -= first.bytes.remaining();
      changed.signalAll();
      return first;
    } finally {
      lock.unlock();
    }
  }

  /** Until the next chunk comes out; for ever while there is none, or nothing comes through. */
  private long leftNanos() {
    Chunk first = underWay.peek();
    return first == null || isClosed() ? Long.MAX_VALUE : first.outNanos - clock.nanos();
  }

  private boolean isClosed() {
    return settings.get().closed().contains(direction);
  }
}
