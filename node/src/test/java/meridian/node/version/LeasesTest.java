package meridian.node.version;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class LeasesTest {

  private final Leases leases = new Leases();

  @Test
  void end_withoutLeases_completesAtOnce() {
    assertThat(leases.end().toCompletableFuture()).isCompleted();
  }

  @Test
  void end_withLeases_completesWithTheLastRelease() {
    leases.acquire();
    leases.acquire();
    CompletableFuture<Void> free = leases.end().toCompletableFuture();

    leases.release();
    assertThat(free).isNotDone();
    assertThat(leases.count()).isEqualTo(1);
    leases.release();

    assertThat(free).isCompleted();
    assertThat(leases.count()).isZero();
  }

  @Test
  void acquire_afterEnd_isRefused() {
    leases.end();

    assertThat(leases.acquire()).isFalse();
  }

  @Test
  void end_twice_completesBothWithTheLastRelease() {
    leases.acquire();
    CompletableFuture<Void> first = leases.end().toCompletableFuture();
    CompletableFuture<Void> second = leases.end().toCompletableFuture();

    leases.release();

    assertThat(first).isCompleted();
    assertThat(second).isCompleted();
  }

  @Test
  void release_moreOftenThanAcquired_isABug() {
    assertThatThrownBy(leases::release).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void release_moreOftenThanAcquiredAfterEnd_isABug() {
    leases.end();

    assertThatThrownBy(leases::release).isInstanceOf(IllegalStateException.class);
  }

  @RepeatedTest(20)
  void end_whileManyComeAndGo_completesWhenNobodyIsInside() throws InterruptedException {
    AtomicInteger inside = new AtomicInteger();
    CountDownLatch started = new CountDownLatch(4);
    Thread[] users = new Thread[4];
    for (int i = 0; i < users.length; i++) {
      users[i] =
          Thread.ofPlatform()
              .start(
                  () -> {
                    started.countDown();
                    while (leases.acquire()) {
                      inside.incrementAndGet();
                      inside.decrementAndGet();
                      leases.release();
                    }
                  });
    }
    started.await();

    int insideAtEnd = leases.end().thenApply(_ -> inside.get()).toCompletableFuture().join();
    for (Thread user : users) {
      user.join();
    }

    assertThat(insideAtEnd).isZero();
    assertThat(leases.count()).isZero();
  }
}
