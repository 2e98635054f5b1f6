package meridian.node;

import static meridian.node.TestNode.await;
import static meridian.node.TestNode.join;
import static meridian.node.TestNode.only;
import static meridian.node.TestNode.problem;
import static meridian.node.TestNode.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferResult;
import meridian.core.model.ModelState;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.node.FaultyBackend.Call;
import meridian.testkit.graph.FaultyGraphs;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReloadTest {

  private static final Tensor ROW = Tensor.ofFloats(Shape.of(1, 1), 0);

  @TempDir Path root;

  @Test
  void poll_versionCopiedInPieces_isTakenUpOnceAndWhole() throws IOException {
    byte[] next = Graphs.version(2);
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      for (int length = 1; length <= next.length; length += next.length / 7) {
        ModelFolder.write(root, "m", 2, Arrays.copyOf(next, length));
        node.glance();
        assertThat(version(node)).isEqualTo(1);
      }
      assertThat(node.backend.count(Call.LOAD)).isEqualTo(1);

      ModelFolder.write(root, "m", 2, next);
      node.poll();

      assertThat(version(node)).isEqualTo(2);
      assertThat(node.backend.count(Call.LOAD)).isEqualTo(2);
    }
  }

  @Test
  void poll_copyThatStalls_isTriedOncePerContentAndOldVersionServes() throws IOException {
    byte[] next = Graphs.version(2);
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      ModelFolder.write(root, "m", 2, FaultyGraphs.truncated(next, 0.5));
      node.poll();
      node.poll();
      node.poll();

      assertThat(node.backend.count(Call.LOAD)).isEqualTo(2);
      assertThat(version(node)).isEqualTo(1);
      assertThat(node.state("m", "2")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(node.status("m", "2").reason()).isNotEmpty();
      assertThat(node.node.ready()).isTrue();

      ModelFolder.write(root, "m", 2, next);
      node.poll();

      assertThat(version(node)).isEqualTo(2);
      assertThat(node.state("m", "1")).isNotEqualTo(ModelState.READY);
    }
  }

  @Test
  void load_filesWrittenMeanwhile_areNotServed() throws IOException {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      CountDownLatch gate = node.backend.holdLoads();
      ModelFolder.write(root, "m", 2, Graphs.version(2));
      CompletableFuture<Void> polling = CompletableFuture.runAsync(node::poll);
      await(() -> node.isIn(ModelState.LOADING, "m", "2"));
      ModelFolder.write(root, "m", 2, Graphs.add2());
      gate.countDown();
      polling.join();

      assertThat(version(node)).isEqualTo(1);
      ModelFolder.write(root, "m", 2, Graphs.version(3));
      node.poll();
      assertThat(version(node)).isEqualTo(3);
    }
  }

  @Test
  void index_versionFoldersAndJunk_newestServesAndSkippedIsTold() throws IOException {
    for (String folder : new String[] {"01", "v2", "1.0", "code", ".tmp-3", "3"}) {
      Files.createDirectories(root.resolve("m").resolve(folder));
    }
    Files.createDirectories(root.resolve("m/9223372036854775808"));
    Files.writeString(root.resolve("m/4"), "");
    for (long number : new long[] {1, 9, 10}) {
      ModelFolder.write(root, "m", number, Graphs.version(number));
    }
    try (TestNode node = TestNode.start(root)) {
      assertThat(version(node)).isEqualTo(10);
      assertThat(node.node.index())
          .extracting(line -> line.version())
          .containsExactly("1", "9", "10");
      assertThat(node.status("m", "10").reason())
          .contains(
              "01: ",
              "v2: ",
              "1.0: ",
              "code: ",
              ".tmp-3: ",
              "3: an empty folder",
              "9223372036854775808: ",
              "4: a file");
      assertThat(node.status("m", "9").reason()).isEqualTo("not selected by versions: latest 1");
    }
  }

  @Test
  void poll_sameVersionReplacedUnderLoad_noFailureAndNeverOldAfterNew() throws Exception {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      AtomicBoolean stop = new AtomicBoolean();
      List<CompletableFuture<Long>> clients =
          Stream.generate(() -> CompletableFuture.supplyAsync(() -> clientSees(node, stop)))
              .limit(3)
              .toList();
      for (int content = 2; content <= 21; content++) {
        ModelFolder.write(root, "m", 1, Graphs.version(content));
        node.poll();
        assertThat(version(node)).isEqualTo(content);
      }
      stop.set(true);
      for (CompletableFuture<Long> client : clients) {
        assertThat(join(client)).isEqualTo(21);
      }
    }
  }

  @Test
  void load_brokenModel_failsAlikeEveryTimeAndIsNeverReady() {
    ModelFolder.write(root, "m", 1, FaultyGraphs.danglingInput());
    try (TestNode node = TestNode.start(root)) {
      Problem first = problem(node.load("m"));
      assertThat(problem(node.load("m"))).isEqualTo(first);
      assertThat(problem(node.load("m"))).isEqualTo(first);

      assertThat(first.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(first.message()).startsWith("model \"m\": not loaded: version 1: ");
      assertThat(node.node.ready()).isFalse();
      assertThat(node.state("m", "1")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(node.problem("m", "x", ROW).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
  }

  @Test
  void load_modelThatIsNotThere_isNotFound() {
    try (TestNode node = TestNode.start(root)) {
      assertThat(problem(node.load("m")).code()).isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(problem(node.unload("m")).code()).isEqualTo(ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void unload_whileRequestsRun_theyFinishAndNewOnesAreRefused() {
    ModelFolder.write(root, "m", 1, Graphs.slow());
    try (TestNode node = TestNode.start(root)) {
      for (int round = 0; round < 100; round++) {
        CountDownLatch gate = node.backend.holdRuns();
        List<CompletionStage<InferResult>> running = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
          running.add(node.node.infer(request("m", "iterations", iterations(1))));
        }
        await(() -> node.backend.running() > 0);
        CompletionStage<?> unloading = node.node.unload("m");
        gate.countDown();
        running.forEach(result -> assertThat(only(join(result)).toLongs()).hasSize(1));
        join(unloading);
        assertThat(node.problem("m", "iterations", iterations(1)).code())
            .isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(node.backend.live()).isZero();

        assertThat(node.load("m")).isInstanceOf(Outcome.Ok.class);
        assertThat(node.output("m", "iterations", iterations(1)).toLongs()).containsExactly(1);
      }
    }
  }

  @Test
  void unload_whileARequestRuns_newOnesAreToldToRetryAndTheIndexSaysUnloading() {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      CountDownLatch gate = node.backend.holdRuns();
      CompletionStage<InferResult> running = node.node.infer(request("m", "x", ROW));
      CompletionStage<?> unloading = node.node.unload("m");
      await(() -> node.isIn(ModelState.UNLOADING, "m", "1"));

      Problem problem = node.problem("m", "x", ROW);
      assertThat(problem.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(problem.retryAfter()).isNotNull();
      assertThat(unloading.toCompletableFuture()).isNotDone();

      gate.countDown();
      assertThat(only(join(running)).toLongs()).containsExactly(1);
      join(unloading);
      assertThat(node.state("m", "1")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(node.status("m", "1").reason()).isEqualTo("unloaded");
      node.poll();
      assertThat(node.problem("m", "x", ROW).code()).isEqualTo(ErrorCode.NOT_FOUND);
    }
  }

  @Test
  void start_onlyABrokenModel_isNeverReady() {
    ModelFolder.write(root, "m", 1, FaultyGraphs.truncated(Graphs.add2(), 0.5));
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.node.ready()).isFalse();
      node.poll();
      assertThat(node.node.ready()).isFalse();
    }
  }

  @Test
  void start_emptyRepository_isReadyAndTakesModelsLater() {
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.node.ready()).isTrue();
      ModelFolder.write(root, "m", 1, Graphs.version(1));
      assertThat(node.load("m")).isInstanceOf(Outcome.Ok.class);
      assertThat(version(node)).isEqualTo(1);
    }
  }

  @Test
  void start_modelAddedLaterIsBroken_readinessStays() {
    ModelFolder.write(root, "good", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      ModelFolder.write(root, "bad", 1, FaultyGraphs.opset99());
      node.poll();

      assertThat(node.state("bad", "1")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(node.node.ready()).isTrue();
    }
  }

  @Test
  void infer_whileTheModelLoads_isToldToRetryFromTheFirstMomentOn() {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.startHeld(root)) {
      Problem problem = node.problem("m", "x", ROW);
      assertThat(problem.code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(problem.retryAfter()).isNotNull();
      assertThat(node.state("m", "1")).isEqualTo(ModelState.LOADING);
      assertThat(node.node.ready()).isFalse();
      assertThat(node.node.firstScan().toCompletableFuture()).isNotDone();

      node.backend.releaseLoads();
      await(node.node::ready);

      assertThat(version(node)).isEqualTo(1);
    }
  }

  @Test
  void poll_repositoryGoneOrEmptyForAWhile_everythingServesAndNothingIsReloaded()
      throws IOException {
    Path repository = Files.createDirectory(root.resolve("models"));
    ModelFolder.write(repository, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(repository)) {
      Path aside = root.resolve("aside");
      Files.move(repository, aside);
      node.poll();
      assertThat(version(node)).isEqualTo(1);

      Files.createDirectory(repository);
      node.poll();
      assertThat(version(node)).isEqualTo(1);

      Files.delete(repository);
      Files.writeString(repository, "a file in its place");
      node.poll();
      assertThat(version(node)).isEqualTo(1);
      assertThat(node.node.ready()).isTrue();

      Files.delete(repository);
      Files.move(aside, repository);
      node.poll();
      assertThat(version(node)).isEqualTo(1);
      assertThat(node.backend.count(Call.LOAD)).isEqualTo(1);
    }
  }

  @Test
  void poll_versionOrModelDeleted_isUnloaded() throws IOException {
    Files.createDirectories(root.resolve("m"));
    Files.writeString(root.resolve("m/model.yaml"), "versions: all");
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    ModelFolder.write(root, "m", 2, Graphs.version(2));
    ModelFolder.write(root, "other", 1, Graphs.version(7));
    try (TestNode node = TestNode.start(root)) {
      delete(root.resolve("m/2"));
      node.glance();
      assertThat(version(node)).isEqualTo(2);
      node.poll();
      await(() -> node.backend.live() == 2);
      assertThat(version(node)).isEqualTo(1);

      delete(root.resolve("other"));
      node.poll();
      await(() -> node.backend.live() == 1);
      assertThat(node.problem("other", "x", ROW).code()).isEqualTo(ErrorCode.NOT_FOUND);
      assertThat(node.node.index()).noneMatch(line -> line.name().equals("other"));
      assertThat(node.node.ready()).isTrue();
    }
  }

  @Test
  void close_requestsUnderWay_finishWhileNewOnesAreRefused() {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      CountDownLatch gate = node.backend.holdRuns();
      CompletionStage<InferResult> running = node.node.infer(request("m", "x", ROW));
      CompletableFuture<Void> closing = CompletableFuture.runAsync(node.node::close);
      await(() -> !node.node.ready());
      assertThat(node.problem("m", "x", ROW).code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(closing).isNotDone();

      gate.countDown();
      assertThat(only(join(running)).toLongs()).containsExactly(1);
      join(closing);
      assertThat(node.backend.live()).isZero();
      assertThat(problem(node.load("m")).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
  }

  private static long clientSees(TestNode node, AtomicBoolean stop) {
    long last = 0;
    while (!stop.get()) {
      long now = version(node);
      assertThat(now).isGreaterThanOrEqualTo(last);
      last = now;
    }
    return version(node);
  }

  private static long version(TestNode node) {
    return node.output("m", "x", ROW).toLongs()[0];
  }

  private static Tensor iterations(long count) {
    return Tensor.ofLongs(Shape.of(1, 1), count);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
        Files.delete(file);
      }
    }
  }
}
