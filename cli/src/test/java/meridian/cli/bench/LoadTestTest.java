package meridian.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.time.NanoClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class LoadTestTest {

  private static final long MS = 1_000_000;
  private static final InferResult ANSWER =
      new InferResponse("m", "1", "", Parameters.NONE, List.of(), LatencyBreakdown.ZERO);

  private final LoadTest test =
      new LoadTest(
          Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofSeconds(1), NanoClock.SYSTEM);
  private final AtomicLong cpu = new AtomicLong();

  @Test
  void run_withLimit_sendsSlicesInTurnAndKeepsTheSidesApart() throws Exception {
    List<String> order = new ArrayList<>();
    LoadTest.Result result =
        test.run(
            new LoadTest.Target(
                load("server", 5, order), () -> OptionalLong.of(cpu.get()), cpu::get),
            LoadTest.Target.of(load("limit", 2, order)),
            (_, _) -> {});
    assertThat(order)
        .containsExactly(
            "server", "limit", "server", "limit", "server", "limit", "server", "limit");
    assertThat(result.server().answered()).isEqualTo(15);
    assertThat(result.server().sent()).isEqualTo(15);
    // Those of the warm-up are not counted.
    assertThat(result.server().usage().targetNanos()).isEqualTo(15 * MS);
    assertThat(result.server().waited()).isEqualTo(15 * MS);
    assertThat(result.limit()).isNotNull();
    assertThat(result.limit().answered()).isEqualTo(6);
    assertThat(result.limit().usage().targetNanos()).isNegative();
  }

  @Test
  void run_alone_isOneLoadOfTheWholeDuration() throws Exception {
    List<String> order = new ArrayList<>();
    Measurement server =
        test.run(LoadTest.Target.of(load("server", 5, order)), null, (_, _) -> {}).server();
    assertThat(order).hasSize(2);
    assertThat(server.span().sendingSeconds()).isEqualTo(3);
    assertThat(server.sentPerSecond()).isEqualTo(5 / 3.0);
  }

  @Test
  @Timeout(60)
  void run_interruptsAreSwallowedWhileASecondIsTold_ends() throws Exception {
    CountDownLatch telling = new CountDownLatch(1);
    CountDownLatch answered = new CountDownLatch(1);
    Load load =
        (nanos, _, _) -> {
          if (nanos > 0) {
            telling.await();
            answered.countDown();
          }
          return 0;
        };
    Measurement server =
        new LoadTest(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO, NanoClock.SYSTEM)
            .alone(
                LoadTest.Target.of(load),
                (_, _) -> {
                  telling.countDown();
                  swallowInterrupts(answered);
                },
                () -> false);
    assertThat(server.answered()).isZero();
  }

  private static void swallowInterrupts(CountDownLatch until) {
    boolean over = false;
    for (int i = 0; i < 10_000_000 || !over; i++) {
      boolean _ = Thread.interrupted();
      over = until.getCount() == 0;
    }
  }

  @Test
  void run_whileItLasts_tellsEverySecond() throws Exception {
    CountDownLatch seconds = new CountDownLatch(1);
    List<Long> answered = new ArrayList<>();
    Load load =
        (_, _, record) -> {
          record.ended(0, ANSWER, MS);
          seconds.await();
          record.ended(0, ANSWER, MS);
          record.ended(0, ANSWER, MS);
          return 3;
        };
    Measurement server =
        new LoadTest(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO, NanoClock.SYSTEM)
            .alone(
                LoadTest.Target.of(
                    (nanos, stop, record) -> nanos == 0 ? 0 : load.run(nanos, stop, record)),
                (_, second) -> {
                  answered.add(second.answered());
                  seconds.countDown();
                },
                () -> false);
    assertThat(answered).startsWith(1L);
    assertThat(server.answered()).isEqualTo(3);
    assertThat(server.timeline().stream().mapToLong(Measurement.Point::answered).sum())
        .isEqualTo(3);
  }

  private Load load(String name, int answers, List<String> order) {
    return (_, _, record) -> {
      order.add(name);
      for (int i = 0; i < answers; i++) {
        record.ended(0, ANSWER, MS);
        cpu.addAndGet(name.equals("server") ? MS : 0);
      }
      return answers;
    };
  }
}
