package meridian.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VerdictTest {

  private static final Plan PLAN = Figures.plan("t", 10.0, null);
  private static final Measurement.Usage IDLE = Figures.usage(0.2, 0.1, 0);

  @Test
  void verdict_allAnsweredInTime_isGood() {
    Verdict verdict = Verdict.of(PLAN, Figures.measurement(Figures.interval(100, 0), IDLE), 2);
    assertThat(verdict.keptUp()).isTrue();
    assertThat(verdict.withinBudget()).isTrue();
    assertThat(verdict.generatorLimits()).isEmpty();
    assertThat(verdict.text())
        .isEqualTo(
            """
            verdict: the server kept up (sent 10.0/s, answered 10.0/s, 0.00 % without an answer), \
            P99 99.0 ms is within the budget of 100ms
            load generator: used 20 % of a core, its busiest thread 10 %, sent 99 % within 0.10 ms \
            of their time; the figures are the server's\
            """);
  }

  @Test
  void verdict_slowAnswers_areOverTheBudget() {
    Verdict verdict = Verdict.of(PLAN, Figures.measurement(Figures.interval(300, 0), IDLE), 2);
    assertThat(verdict.keptUp()).isTrue();
    assertThat(verdict.withinBudget()).isFalse();
    assertThat(verdict.text()).contains("P99 297 ms is over the budget of 100ms");
  }

  @Test
  void verdict_failuresBacklogOrSilence_didNotKeepUp() {
    Measurement failing = Figures.measurement(Figures.interval(90, 1), IDLE);
    Measurement behind = Figures.measurement(Figures.interval(90, 0), IDLE, 0.7);
    Measurement silent = Figures.measurement(Figures.interval(0, 0), IDLE);
    for (Measurement server : new Measurement[] {failing, behind, silent}) {
      Verdict verdict = Verdict.of(PLAN, server, 2);
      assertThat(verdict.keptUp()).isFalse();
      assertThat(verdict.text()).contains("the server did not keep up");
    }
  }

  @Test
  void verdict_generatorAtItsLimit_saysSoWithTheReason() {
    assertThat(limits(Figures.usage(1.0, 0.95, 0), 0))
        .containsExactly("a thread of it was busy all the time");
    assertThat(limits(Figures.usage(1.9, 0.5, 0), 0)).containsExactly("it used all processors");
    assertThat(limits(IDLE, 7)).containsExactly("7 requests waited for a connection");
    LoadRecord.Interval late = Figures.interval(100, 0);
    for (int i = 0; i < 10; i++) {
      late.lateness().recordValue(20_000_000);
    }
    assertThat(Verdict.of(PLAN, Figures.measurement(late, IDLE), 2).generatorLimits())
        .containsExactly("it sent too late");
  }

  private static Iterable<String> limits(Measurement.Usage usage, long waited) {
    Verdict verdict =
        Verdict.of(PLAN, Figures.measurement(Figures.interval(90, 0), usage, 0.05, waited), 2);
    assertThat(verdict.text())
        .endsWith(
            "partly the generator's, because " + String.join(" and ", verdict.generatorLimits()));
    return verdict.generatorLimits();
  }
}
