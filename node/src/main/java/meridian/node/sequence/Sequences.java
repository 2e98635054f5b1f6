package meridian.node.sequence;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.function.Consumer;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.Parameter;
import meridian.core.tensor.NamedTensor;
import meridian.core.time.NanoClock;
import meridian.node.config.ModelSettings.SequenceSettings;
import org.jspecify.annotations.Nullable;

/**
 * The open sequences of a version. Requests of one sequence take turns in the order of their
 * arrival. A sequence that is not used for long is forgotten, and so is the one not used for the
 * longest when there is no room for another.
 */
public final class Sequences {

  private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

  private final SequenceSettings settings;
  private final NanoClock clock;
  private final Runnable evicted;
  private final Map<Parameter, Sequence> sequences = new LinkedHashMap<>(16, 0.75f, true);

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
   * @return why it cannot, or null
   */
  public @Nullable Problem enter(Parameter id, boolean start, Consumer<Turn> request) {
    Turn turn;
    synchronized (this) {
      evictIdle();
      Sequence sequence = sequences.get(id);
      if (sequence == null && !start) {
        return unknown(id);
      }
      if (sequence == null && isFull()) {
        return full();
      }
      if (sequence == null) {
        sequence = new Sequence(id);
        sequences.put(id, sequence);
      }
      if (sequence.busy) {
        return sequence.await(request, settings.maxWaiting());
      }
      sequence.busy = true;
      turn = new Turn(sequence);
    }
    request.accept(turn);
    return null;
  }

  /** Sequences that have begun and not ended. */
  public synchronized int open() {
    return sequences.size();
  }

  /** Forgets sequences that nobody has used for long. */
  public synchronized void evictIdle() {
    long nowNanos = clock.nanos();
    Iterator<Sequence> eldest = sequences.values().iterator();
    while (eldest.hasNext()) {
      Sequence sequence = eldest.next();
      if (nowNanos - sequence.usedNanos < settings.idleNanos()) {
        return;
      }
      if (!sequence.busy) {
        eldest.remove();
        evicted.run();
      }
    }
  }

  /** Where a request of a sequence that is not known asks for its state. */
  public static Problem unknown(Parameter id) {
    return Problem.invalid(
        "parameters.sequence_id",
        SequenceRequest.text(id) + " has no state here",
        "a sequence that began with sequence_start and has neither ended nor been idle for long");
  }

  private boolean isFull() {
    if (sequences.size() < settings.maxSequences()) {
      return false;
    }
    Iterator<Sequence> eldest = sequences.values().iterator();
    while (eldest.hasNext()) {
      if (!eldest.next().busy) {
        eldest.remove();
        evicted.run();
        return false;
      }
    }
    return true;
  }

  private Problem full() {
    return Problem.retryLater(
        ErrorCode.OVERLOADED,
        "sequences: %d under way and one more (expected: at most %d)"
            .formatted(sequences.size(), settings.maxSequences()),
        RETRY_AFTER);
  }

  private @Nullable Consumer<Turn> next(Sequence sequence, @Nullable List<NamedTensor> state) {
    sequence.state = state;
    sequence.usedNanos = clock.nanos();
    Consumer<Turn> next = sequence.waiting.poll();
    if (next == null) {
      sequence.busy = false;
      if (state == null) {
        sequences.remove(sequence.id);
      }
    }
    return next;
  }

  private static final class Sequence {

    final Parameter id;
    final Queue<Consumer<Turn>> waiting = new ArrayDeque<>();
    @Nullable List<NamedTensor> state;
    boolean busy;
    long usedNanos;

    Sequence(Parameter id) {
      this.id = id;
    }

    @Nullable Problem await(Consumer<Turn> request, int most) {
      if (waiting.size() < most) {
        waiting.add(request);
        return null;
      }
      return Problem.retryLater(
          ErrorCode.OVERLOADED,
          "sequence %s: %d requests waiting and one more (expected: at most %d)"
              .formatted(SequenceRequest.text(id), waiting.size(), most),
          RETRY_AFTER);
    }
  }

  /** The right of one request to the state of its sequence, until {@link #end}, once. */
  public final class Turn {

    private final Sequence sequence;

    private Turn(Sequence sequence) {
      this.sequence = sequence;
    }

    /** Null when the sequence has not begun. */
    public @Nullable List<NamedTensor> state() {
      return sequence.state;
    }

    /**
     * Lets the next request have its turn, on this thread.
     *
     * @param state for the next; null ends the sequence
     */
    public void end(@Nullable List<NamedTensor> state) {
      Consumer<Turn> next;
      synchronized (Sequences.this) {
        next = next(sequence, state);
      }
      if (next != null) {
        next.accept(new Turn(sequence));
      }
    }
  }
}
