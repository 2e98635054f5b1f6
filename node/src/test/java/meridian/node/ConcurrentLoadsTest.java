package meridian.node;

import static meridian.node.TestNode.await;
import static meridian.node.TestNode.join;
import static meridian.node.TestNode.problem;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelState;
import meridian.core.model.VersionStatus;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConcurrentLoadsTest {

  private static final Tensor ROW = Tensor.ofFloats(Shape.of(1, 1), 0);

  @TempDir Path root;

  @Test
  void load_slow_holdsUpNoOtherModel() {
    ModelFolder.write(root, "a", 1, Graphs.version(1));
    ModelFolder.write(root, "slow", 1, Graphs.version(7));
    try (TestNode node = TestNode.start(root)) {
      CountDownLatch gate = node.backend.holdLoads("slow");
      CompletionStage<?> loading = node.node.load(LoadRequest.of("slow"));
      await(() -> node.backend.loading() == 1);

      assertThat(node.load("a")).isInstanceOf(Outcome.Ok.class);
      assertThat(node.unload("a")).isInstanceOf(Outcome.Ok.class);
      assertThat(node.load("a")).isInstanceOf(Outcome.Ok.class);
      assertThat(version(node, "a")).isEqualTo(1);
      assertThat(version(node, "slow")).isEqualTo(7);
      assertThat(loading.toCompletableFuture()).isNotDone();

      gate.countDown();
      assertThat(join(loading)).isInstanceOf(Outcome.Ok.class);
    }
  }

  @Test
  void poll_whileALoadIsSlow_takesUpWhatIsNewElsewhere() {
    ModelFolder.write(root, "a", 1, Graphs.version(1));
    ModelFolder.write(root, "slow", 1, Graphs.version(7));
    try (TestNode node = TestNode.start(root, PollingTest::often)) {
      CountDownLatch gate = node.backend.holdLoads("slow");
      CompletionStage<?> loading = node.node.load(LoadRequest.of("slow"));
      await(() -> node.backend.loading() == 1);

      ModelFolder.write(root, "a", 2, Graphs.version(2));
      await(() -> node.isIn(ModelState.READY, "a", "2"));
      ModelFolder.write(root, "b", 1, Graphs.version(3));
      await(() -> node.isIn(ModelState.READY, "b", "1"));
      assertThat(loading.toCompletableFuture()).isNotDone();

      gate.countDown();
      join(loading);
    }
  }

  @Test
  void orders_forOneModel_areDoneInTheirOrder() {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root)) {
      CountDownLatch gate = node.backend.holdLoads("m");
      CompletionStage<?> loading = node.node.load(LoadRequest.of("m"));
      CompletionStage<?> unloading = node.node.unload("m");
      CompletionStage<?> again = node.node.load(LoadRequest.of("m"));
      CompletionStage<?> last = node.node.unload("m");
      await(() -> node.backend.loading() == 1);
      assertThat(version(node, "m")).isEqualTo(1);
      assertThat(List.of(loading, unloading, again, last))
          .noneMatch(stage -> stage.toCompletableFuture().isDone());

      gate.countDown();
      join(last);
      assertThat(List.of(loading, unloading, again))
          .allMatch(stage -> stage.toCompletableFuture().isDone());
      assertThat(node.state("m", "1")).isEqualTo(ModelState.UNAVAILABLE);
      assertThat(node.backend.count(FaultyBackend.Call.LOAD)).isEqualTo(3);
    }
  }

  @Test
  void load_manyModels_fewAtOnceAndAllInTheEnd() {
    List<String> names = List.of("a", "b", "c", "d", "e", "f");
    for (String name : names) {
      ModelFolder.write(root, name, 1, Graphs.version(1));
    }
    try (TestNode node = TestNode.startHeld(root)) {
      await(() -> node.backend.loading() == 2);
      assertThat(names).allMatch(name -> node.isIn(ModelState.LOADING, name, "1"));

      node.backend.releaseLoads();
      join(node.node.firstScan());

      assertThat(names).allMatch(name -> node.isIn(ModelState.READY, name, "1"));
      assertThat(node.backend.mostLoading()).isEqualTo(2);
    }
  }

  @Test
  void close_whileModelsWaitToBeLoaded_loadsNoMoreOfThem() throws InterruptedException {
    for (String name : List.of("a", "b", "c", "d")) {
      ModelFolder.write(root, name, 1, Graphs.version(1));
    }
    try (TestNode node = TestNode.startHeld(root)) {
      await(() -> node.backend.loading() == 2);
      Thread closing = Thread.ofPlatform().start(node.node::close);
      await(() -> problem(node.load("none")).message().equals("server: stopping"));

      node.backend.releaseLoads();
      closing.join();

      assertThat(node.backend.count(FaultyBackend.Call.LOAD)).isEqualTo(2);
      assertThat(node.backend.count(FaultyBackend.Call.RUN)).as("no warm-up").isZero();
    }
  }

  @Test
  void close_whileALoadIsWaitedFor_saysThatTheServerStops() throws InterruptedException {
    ModelFolder.write(root, "m", 1, Graphs.version(1));
    try (TestNode node = TestNode.start(root, TestNode::explicit)) {
      CountDownLatch gate = node.backend.holdLoads();
      CompletionStage<Outcome<List<VersionStatus>>> load = node.node.load(LoadRequest.of("m"));
      await(() -> node.backend.loading() == 1);
      Thread closing = Thread.ofPlatform().start(node.node::close);
      await(() -> problem(node.load("none")).message().equals("server: stopping"));

      gate.countDown();
      closing.join();

      assertThat(problem(join(load)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
    }
  }

  @Test
  void orders_ofManyAtOnce_leaveEveryModelInTheStateOfItsLastOrder() {
    List<String> names = List.of("a", "b", "c");
    for (String name : names) {
      ModelFolder.write(root, name, 1, Graphs.version(1));
    }
    try (TestNode node = TestNode.start(root)) {
      List<CompletionStage<Outcome<List<VersionStatus>>>> orders = new ArrayList<>();
      for (int round = 0; round < 10; round++) {
        for (String name : names) {
          orders.add(node.node.unload(name));
          orders.add(node.node.load(LoadRequest.of(name)));
        }
        node.glance();
      }
      orders.forEach(order -> assertThat(join(order)).isInstanceOf(Outcome.Ok.class));
      assertThat(names).allMatch(name -> version(node, name) == 1);
      await(() -> node.backend.live() == names.size());
    }
  }

  @Test
  void close_whileANewModelLoads_closesIt() {
    try (TestNode node = TestNode.start(root, TestNode::explicit)) {
      ModelFolder.write(root, "late", 1, Graphs.version(1));
      CountDownLatch gate = node.backend.holdLoads("late");
      CompletionStage<Outcome<List<VersionStatus>>> loading =
          node.node.load(LoadRequest.of("late"));
      await(() -> node.backend.loading() == 1);
      CompletableFuture<Void> closing = CompletableFuture.runAsync(node.node::close);
      await(() -> !node.node.ready());
      CompletionStage<Outcome<List<VersionStatus>>> tooLate =
          node.node.load(LoadRequest.of("other"));
      assertThat(problem(join(tooLate)).code()).isEqualTo(ErrorCode.UNAVAILABLE);
      assertThat(closing).isNotDone();

      gate.countDown();
      join(loading);
      join(closing);
      assertThat(node.backend.live()).isZero();
    }
  }

  private static long version(TestNode node, String model) {
    return node.output(model, "x", ROW).toLongs()[0];
  }
}
