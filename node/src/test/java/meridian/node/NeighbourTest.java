package meridian.node;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import meridian.core.error.Outcome;
import meridian.core.infer.InferResponse;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.NanoClock;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** What a model's users notice of another model that comes and goes. */
class NeighbourTest {

  private static final Tensor ROW = Tensor.ofFloats(Shape.of(1, 1), 0);
  private static final int SIDE_OF_200_MEGABYTES = 7_000;
  private static final Duration GAP = Duration.ofMillis(10);

  @TempDir Path root;

  @Test
  void infer_whileAnotherModelComesAndGoes_isAnsweredThroughout() {
    ModelFolder.write(root, "a", 1, Graphs.version(1));
    ModelFolder.write(root, "b", 1, Graphs.heavy(200));
    try (TestNode node = TestNode.start(root)) {
      AtomicBoolean stop = new AtomicBoolean();
      CompletableFuture<Long> client = CompletableFuture.supplyAsync(() -> ask(node, stop));
      for (int cycle = 0; cycle < 20; cycle++) {
        replace(node);
      }
      stop.set(true);
      assertThat(TestNode.join(client)).isPositive();
    }
  }

  /**
   * A at 100 requests per second, alone and while B of 200 MB is loaded and unloaded in a loop:
   * {@code mvn -pl node -am verify -Dtest=NeighbourTest -Dsurefire.failIfNoSpecifiedTests=false
   * -Dsurefire.jvm="-Dmeridian.neighbour=20 -Xmx2g --enable-native-access=ALL-UNNAMED"}.
   */
  @Test
  @EnabledIfSystemProperty(named = "meridian.neighbour", matches = "\\d+")
  void latency_whileALargeModelComesAndGoes_isAtMostTwiceWhatItWasAlone() {
    Duration time = Duration.ofSeconds(Integer.getInteger("meridian.neighbour"));
    ModelFolder.write(root, "a", 1, Graphs.slow());
    ModelFolder.write(root, "b", 1, Graphs.heavy(SIDE_OF_200_MEGABYTES));
    try (TestNode node = TestNode.start(root)) {
      for (int warm = 0; warm < 100; warm++) {
        askSlow(node);
      }
      long alone = percentile99(node, time, () -> false);
      long beside = percentile99(node, time, () -> replace(node));
      System.out.printf("p99 alone %d us, beside %d us%n", alone / 1_000, beside / 1_000);
      assertThat(beside).isLessThanOrEqualTo(2 * alone);
    }
  }

  private static boolean replace(TestNode node) {
    assertThat(node.unload("b")).isInstanceOf(Outcome.Ok.class);
    assertThat(node.load("b")).isInstanceOf(Outcome.Ok.class);
    return true;
  }

  private static long ask(TestNode node, AtomicBoolean stop) {
    long answers = 0;
    while (!stop.get()) {
      assertThat(node.output("a", "x", ROW).toLongs()).containsExactly(1);
      answers++;
    }
    return answers;
  }

  private static void askSlow(TestNode node) {
    Tensor iterations = Tensor.ofLongs(Shape.of(1, 1), 2 * Graphs.SLOW_ITERATIONS_PER_MILLI);
    assertThat(node.infer("a", "iterations", iterations)).isInstanceOf(InferResponse.class);
  }

  /**
   * @param work done over and over meanwhile, until it says that there is none
   */
  private static long percentile99(TestNode node, Duration time, BooleanSupplier work) {
    Queue<Long> nanos = new ConcurrentLinkedQueue<>();
    CompletableFuture<Void> over = new CompletableFuture<>();
    try (ScheduledExecutorService client = Executors.newScheduledThreadPool(2)) {
      ScheduledFuture<?> asking =
          client.scheduleAtFixedRate(() -> timed(node, nanos), 0, GAP.toNanos(), NANOSECONDS);
      ScheduledFuture<?> ending =
          client.schedule(() -> over.complete(null), time.toNanos(), NANOSECONDS);
      boolean more = true;
      while (more && !over.isDone()) {
        more = work.getAsBoolean();
      }
      over.join();
      asking.cancel(false);
      assertThat(ending.isDone()).isTrue();
    }
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    assertThat(sorted).hasSizeGreaterThan(100);
    return sorted[sorted.length * 99 / 100];
  }

  private static void timed(TestNode node, Queue<Long> nanos) {
    long start = NanoClock.SYSTEM.nanos();
    askSlow(node);
    nanos.add(NanoClock.SYSTEM.nanos() - start);
  }
}
