package meridian.node.sequence;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.tensor.NamedTensor;
import meridian.core.time.NanoClock;
import meridian.node.config.ModelSettings.SequenceSettings;
import org.jspecify.annotations.Nullable;

/**
 * The open sequences of a version. Requests of one sequence take turns in the order of their
 * arrival. A sequence that is not used for long is forgotten, and so is the one not used for the
 * longest when there is no room for another. One that a request works on is never forgotten.
 */
public final class Sequences {

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final SequenceSettings settings;
  private final NanoClock clock;
  private final Runnable evicted;
  private final Map<SequenceId, Sequence> sequences = new HashMap<>();

  /** Those that no request works on, the one not used for the longest first. */
  private final LinkedHashSet<Sequence> idle = new LinkedHashSet<>();

  private long stateBytes;

  /**
   * @param evicted told of each sequence that is forgotten without its end
   */
  public Sequences(SequenceSettings settings, NanoClock clock, Runnable evicted) {
    this.settings = settings;
    this.clock = clock;
    this.evicted = evicted;
  }

  /**
   * Has a request take its turn, on this thread or on the one that ends the turn before.
   *
   * @param start whether it may be the first of the sequence
   * @param request ends the turn it is given, once; throws nothing
   * @return why it cannot, or null
   */
  public @Nullable Problem enter(SequenceId id, boolean start, Consumer<Turn> request) {
    Sequence sequence;
    synchronized (this) {
      evictIdle();
      sequence = sequences.get(id);
      if (sequence == null) {
        if (!start) {
          return unknown(id);
        }
        if (sequences.size() >= settings.maxSequences() && !evictOne()) {
          return tooMany();
        }
        sequence = new Sequence(id);
        sequences.put(id, sequence);
      } else if (!idle.remove(sequence)) {
        return await(sequence, request);
      }
    }
    takeTurns(sequence, request);
    return null;
  }

  /**
   * Takes a request back that waits for its turn.
   *
   * @return false when it does not wait, because it had its turn or was never taken in
   */
  public synchronized boolean leave(SequenceId id, Consumer<Turn> request) {
    Sequence sequence = sequences.get(id);
    return sequence != null && sequence.waiting.remove(request);
  }

  /** Sequences that have begun and not ended. */
  public synchronized int open() {
    return sequences.size();
  }

  /** Bytes of all states that are kept. */
  public synchronized long stateBytes() {
    return stateBytes;
  }

  /** Forgets sequences that nobody has used for long. */
  public synchronized void evictIdle() {
    long nowNanos = clock.nanos();
    while (!idle.isEmpty() && nowNanos - idle.getFirst().usedNanos >= settings.idleNanos()) {
      evictOne();
    }
  }

  /** Where a request of a sequence that is not known asks for its state. */
  public static Problem unknown(SequenceId id) {
    return Problem.invalid(
        "parameters.sequence_id",
        SequenceRequest.text(id.value()) + " has no state here",
        "a sequence that began with sequence_start on this version and has neither ended nor been"
            + " idle for long");
  }

  private boolean evictOne() {
    if (idle.isEmpty()) {
      return false;
    }
    forget(idle.removeFirst());
    evicted.run();
    return true;
  }

  private void forget(Sequence sequence) {
    sequences.remove(sequence.id);
    count(sequence, 0);
  }

  private void count(Sequence sequence, long bytes) {
    stateBytes += bytes - sequence.bytes;
    sequence.bytes = bytes;
  }

  private Problem tooMany() {
    return Problem.retryLater(
        ErrorCode.OVERLOADED,
        "sequences: %d under way and one more (expected: at most %d)"
            .formatted(sequences.size(), settings.maxSequences()),
        RETRY_AFTER);
  }

  private @Nullable Problem await(Sequence sequence, Consumer<Turn> request) {
    int waiting = sequence.waiting.size();
    if (waiting < settings.maxWaiting()) {
      sequence.waiting.add(request);
      return null;
    }
    return Problem.retryLater(
        ErrorCode.OVERLOADED,
        "sequence %s: %d requests waiting and one more (expected: at most %d)"
            .formatted(SequenceRequest.text(sequence.id.value()), waiting, settings.maxWaiting()),
        RETRY_AFTER);
  }

  private synchronized @Nullable Problem reserve(Sequence sequence, long bytes) {
    long most = settings.maxStateBytes();
    if (bytes > most) {
      return Problem.of(
          ErrorCode.TOO_LARGE,
          "inputs: rows with a state of %d bytes (expected: at most %d)".formatted(bytes, most));
    }
    long more = Math.max(0, bytes - sequence.bytes);
    while (stateBytes + more > most) {
      if (!evictOne()) {
        return Problem.retryLater(
            ErrorCode.OVERLOADED,
            "sequences: states of %d bytes under way and %d more (expected: at most %d)"
                .formatted(stateBytes, more, most),
            RETRY_AFTER);
      }
    }
    count(sequence, sequence.bytes + more);
    return null;
  }

  /** Keeps what a turn leaves behind; the request whose turn is next, or null. */
  private synchronized @Nullable Consumer<Turn> settle(
      Sequence sequence, @Nullable List<NamedTensor> state) {
    sequence.state = state;
    sequence.usedNanos = clock.nanos();
    count(sequence, state == null ? 0 : bytes(state));
    Consumer<Turn> next = sequence.waiting.poll();
    if (next == null && state == null) {
      forget(sequence);
    } else if (next == null) {
      idle.add(sequence);
    }
    return next;
  }

  /** A loop, so that many requests which end at once, refused perhaps, take no deep stack. */
  private void takeTurns(Sequence sequence, Consumer<Turn> first) {
    Consumer<Turn> request = first;
    while (request != null) {
      Turn turn = new Turn(sequence);
      request.accept(turn);
      request = turn.handOver();
    }
  }

  private static long bytes(List<NamedTensor> state) {
    long bytes = 0;
    for (NamedTensor tensor : state) {
      bytes += tensor.tensor().data().byteSize();
    }
    return bytes;
  }

  /** One that is under way is not in {@link #idle}; only then requests wait. */
  private static final class Sequence {

    final SequenceId id;
    final Queue<Consumer<Turn>> waiting = new ArrayDeque<>();
    @Nullable List<NamedTensor> state;
    long bytes;
    long usedNanos;

    Sequence(SequenceId id) {
      this.id = id;
    }
  }

  /** The right of one request to the state of its sequence, until {@link #end}, once. */
  public final class Turn {

    private final Sequence sequence;
    private boolean begun;
    private @Nullable Consumer<Turn> next;

    private Turn(Sequence sequence) {
      this.sequence = sequence;
    }

    /** Null when the sequence has not begun. */
    public @Nullable List<NamedTensor> state() {
      return sequence.state;
    }

    /**
     * Makes room for a state that begins.
     *
     * @return why there is none, or null
     */
    public @Nullable Problem reserve(long bytes) {
      return Sequences.this.reserve(sequence, bytes);
    }

    /**
     * Keeps the state, has the request answered, then lets the next have its turn on this thread.
     *
     * @param state for the next; null ends the sequence
     */
    public void end(@Nullable List<NamedTensor> state, Runnable answer) {
      Consumer<Turn> following = settle(sequence, state);
      answer.run();
      if (following != null && !leftTo(following)) {
        takeTurns(sequence, following);
      }
    }

    /** True when the loop that this turn came from will go on with the next. */
    private boolean leftTo(Consumer<Turn> following) {
      synchronized (Sequences.this) {
        next = begun ? null : following;
        return next != null;
      }
    }

    private @Nullable Consumer<Turn> handOver() {
      synchronized (Sequences.this) {
        begun = true;
        return next;
      }
    }
  }
}
