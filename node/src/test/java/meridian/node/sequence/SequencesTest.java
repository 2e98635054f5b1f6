package meridian.node.sequence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import meridian.core.infer.Parameter;
import meridian.core.tensor.NamedTensor;
import meridian.node.config.ModelSettings.SequenceSettings;
import org.junit.jupiter.api.Test;

class SequencesTest {

  private static final Parameter A = new Parameter.Text("a");
  private static final Parameter B = new Parameter.Text("b");
  private static final List<NamedTensor> STATE = List.of();

  private final AtomicInteger forgotten = new AtomicInteger();
  private long nowNanos;
  private final Sequences sequences =
      new Sequences(
          new SequenceSettings(List.of(), 100, 10, 10), () -> nowNanos, forgotten::incrementAndGet);

  @Test
  void evictIdle_sequenceNotUsedForLong_isForgotten() {
    use(A, true);
    nowNanos = 60;
    use(B, true);
    nowNanos = 110;
    sequences.evictIdle();

    assertThat(sequences.open()).isEqualTo(1);
    assertThat(forgotten).hasValue(1);
    assertThat(sequences.enter(A, false, _ -> {})).isEqualTo(Sequences.unknown(A));
  }

  @Test
  void evictIdle_sequenceUnderWay_stays() {
    List<Sequences.Turn> turns = new ArrayList<>();
    assertThat(sequences.enter(A, true, turns::add)).isNull();
    nowNanos = 1_000;
    sequences.evictIdle();

    assertThat(sequences.open()).isEqualTo(1);
    turns.getFirst().end(STATE);
    assertThat(sequences.open()).isEqualTo(1);
  }

  @Test
  void enter_useAfterUse_keepsTheSequence() {
    use(A, true);
    for (int i = 0; i < 5; i++) {
      nowNanos += 99;
      use(A, false);
    }
    assertThat(forgotten).hasValue(0);
  }

  @Test
  void end_requestsThatWait_haveTheirTurnsInOrder() {
    List<Sequences.Turn> turns = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      assertThat(sequences.enter(A, i == 0, turns::add)).isNull();
    }
    assertThat(turns).hasSize(1);
    turns.get(0).end(STATE);
    assertThat(turns).hasSize(2);
    turns.get(1).end(null);
    assertThat(turns.get(2).state()).isNull();
    turns.get(2).end(null);
    assertThat(sequences.open()).isZero();
  }

  private void use(Parameter id, boolean start) {
    assertThat(sequences.enter(id, start, turn -> turn.end(STATE))).isNull();
  }
}
