package meridian.node.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.Parameter;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.node.config.ModelSettings.SequenceSettings;
import meridian.node.sequence.Sequences.Turn;
import org.junit.jupiter.api.Test;

class SequencesTest {

  private static final SequenceId A = id("a");
  private static final SequenceId B = id("b");
  private static final SequenceId C = id("c");
  private static final int IDLE_NANOS = 100;
  private static final int STATE_BYTES = 8;
  private static final List<NamedTensor> STATE =
      List.of(new NamedTensor("state", Tensor.ofLongs(Shape.of(1), 7)));
  private static final Runnable NO_ANSWER = () -> {};

  private final AtomicInteger forgotten = new AtomicInteger();
  private long nowNanos;
  private final Sequences sequences = bounded(10, 10 * STATE_BYTES, 10);

  @Test
  void evictIdle_sequenceNotUsedForLong_isForgotten() {
    use(sequences, A);
    nowNanos = 60;
    use(sequences, B);
    nowNanos = 110;
    sequences.evictIdle();

    assertThat(sequences.open()).isEqualTo(1);
    assertThat(sequences.stateBytes()).isEqualTo(STATE_BYTES);
    assertThat(forgotten).hasValue(1);
    assertThat(sequences.enter(A, false, _ -> {})).isEqualTo(Sequences.unknown(A));
  }

  @Test
  void evictIdle_sequenceUnderWay_stays() {
    Turn turn = enter(sequences, A);
    nowNanos = 1_000;
    sequences.evictIdle();

    assertThat(sequences.open()).isEqualTo(1);
    turn.end(STATE, NO_ANSWER);
    assertThat(sequences.open()).isEqualTo(1);
  }

  @Test
  void evictIdle_sequenceThatTookLong_countsFromItsEnd() {
    Turn slow = enter(sequences, A);
    use(sequences, B);
    nowNanos = 90;
    slow.end(STATE, NO_ANSWER);
    nowNanos = 120;
    sequences.evictIdle();

    assertThat(sequences.enter(B, false, _ -> {})).isEqualTo(Sequences.unknown(B));
    assertThat(sequences.open()).isEqualTo(1);
  }

  @Test
  void enter_useAfterUse_keepsTheSequence() {
    use(sequences, A);
    for (int i = 0; i < 5; i++) {
      nowNanos += IDLE_NANOS - 1;
      assertThat(sequences.enter(A, false, turn -> turn.end(STATE, NO_ANSWER))).isNull();
    }
    assertThat(forgotten).hasValue(0);
  }

  @Test
  void enter_beyondTheBound_forgetsTheOneWhoseUseEndedFirst() {
    Sequences two = bounded(2, Long.MAX_VALUE, 10);
    Turn first = enter(two, A);
    use(two, B);
    first.end(STATE, NO_ANSWER);
    use(two, C);

    assertThat(two.enter(B, false, _ -> {})).isEqualTo(Sequences.unknown(B));
    assertThat(two.open()).isEqualTo(2);
    assertThat(forgotten).hasValue(1);
  }

  @Test
  void enter_allUnderWay_refusesAnother() {
    Sequences one = bounded(1, Long.MAX_VALUE, 10);
    Turn turn = enter(one, A);
    Problem problem = one.enter(B, true, _ -> {});
    assertThat(problem).isNotNull();
    assertThat(problem.code()).isEqualTo(ErrorCode.OVERLOADED);
    assertThat(problem.retryAfter()).isNotNull();

    turn.end(null, NO_ANSWER);
    assertThat(one.enter(B, true, _ -> {})).isNull();
  }

  @Test
  void reserve_beyondTheBytes_forgetsIdleOnesAndThenRefuses() {
    Sequences small = bounded(10, 3 * STATE_BYTES, 10);
    use(small, A);
    Turn b = enter(small, B);
    assertThat(b.reserve(STATE_BYTES)).isNull();
    Turn c = enter(small, C);

    assertThat(c.reserve(2 * STATE_BYTES)).isNull();
    assertThat(forgotten).hasValue(1);
    assertThat(small.stateBytes()).isEqualTo(3 * STATE_BYTES);
    Problem full = c.reserve(3 * STATE_BYTES);
    assertThat(full).isNotNull();
    assertThat(full.code()).isEqualTo(ErrorCode.OVERLOADED);
    Problem never = c.reserve(4 * STATE_BYTES);
    assertThat(never)
        .isEqualTo(
            Problem.of(
                ErrorCode.TOO_LARGE,
                "inputs: rows with a state of 32 bytes (expected: at most 24)"));

    c.end(null, NO_ANSWER);
    b.end(null, NO_ANSWER);
    assertThat(small.stateBytes()).isZero();
    assertThat(small.open()).isZero();
  }

  @Test
  void end_requestsThatWait_haveTheirTurnsInOrderAfterTheAnswer() {
    List<Turn> turns = new ArrayList<>();
    List<String> told = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String name = "turn " + i;
      Problem problem =
          sequences.enter(
              A,
              i == 0,
              turn -> {
                turns.add(turn);
                told.add(name);
              });
      assertThat(problem).isNull();
    }
    turns.get(0).end(STATE, () -> told.add("answer 0"));
    turns.get(1).end(null, () -> told.add("answer 1"));
    assertThat(turns.get(2).state()).isNull();
    turns.get(2).end(null, () -> told.add("answer 2"));

    assertThat(told)
        .containsExactly("turn 0", "answer 0", "turn 1", "answer 1", "turn 2", "answer 2");
    assertThat(sequences.open()).isZero();
  }

  @Test
  void end_manyThatEndAtOnce_takeNoDeepStack() {
    int count = 100_000;
    Sequences deep = bounded(1, Long.MAX_VALUE, count);
    Turn first = enter(deep, A);
    AtomicInteger had = new AtomicInteger();
    for (int i = 0; i < count; i++) {
      assertThat(deep.enter(A, false, turn -> turn.end(STATE, had::incrementAndGet))).isNull();
    }
    first.end(STATE, NO_ANSWER);

    assertThat(had).hasValue(count);
    assertThat(deep.stateBytes()).isEqualTo(STATE_BYTES);
  }

  @Test
  void leave_requestThatWaits_neverHasItsTurn() {
    List<Turn> turns = new ArrayList<>();
    Turn first = enter(sequences, A);
    Consumer<Turn> waits = turns::add;
    assertThat(sequences.enter(A, false, waits)).isNull();

    assertThat(sequences.leave(A, waits)).isTrue();
    assertThat(sequences.leave(A, waits)).isFalse();
    first.end(STATE, NO_ANSWER);
    assertThat(turns).isEmpty();
    assertThat(sequences.leave(B, waits)).isFalse();
  }

  @Test
  void hundredThousand_begunAndEnded_leaveNothing() {
    for (int i = 1; i <= 100_000; i++) {
      SequenceId id = new SequenceId("", new Parameter.Int(i));
      use(sequences, id);
      assertThat(sequences.enter(id, false, turn -> turn.end(null, NO_ANSWER))).isNull();
    }
    assertThat(sequences.open()).isZero();
    assertThat(sequences.stateBytes()).isZero();
    assertThat(forgotten).hasValue(0);
  }

  private Sequences bounded(int most, long mostBytes, int mostWaiting) {
    return new Sequences(
        new SequenceSettings(List.of(), IDLE_NANOS, most, mostBytes, mostWaiting),
        () -> nowNanos,
        forgotten::incrementAndGet);
  }

  private static SequenceId id(String text) {
    return new SequenceId("", new Parameter.Text(text));
  }

  private static Turn enter(Sequences sequences, SequenceId id) {
    List<Turn> turns = new ArrayList<>();
    assertThat(sequences.enter(id, true, turns::add)).isNull();
    return turns.getFirst();
  }

  private static void use(Sequences sequences, SequenceId id) {
    Problem problem =
        sequences.enter(
            id,
            true,
            turn -> {
              assertThat(turn.reserve(STATE_BYTES)).isNull();
              turn.end(STATE, NO_ANSWER);
            });
    assertThat(problem).isNull();
  }
}
