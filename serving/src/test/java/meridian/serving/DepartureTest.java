package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import meridian.core.time.NanoClock;
import meridian.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceFutureStub;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DepartureTest {

  private final Running running = Running.start();

  @AfterEach
  void stop() {
    running.close();
  }

  static String post(String path, String body) {
    return "POST "
        + path
        + " HTTP/1.1\r\nHost: x\r\nContent-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  @Test
  void http1_socketClosed_cancels() throws Exception {
    Socket socket = running.raw(post("/v2/models/held/infer", Running.ECHO));
    CountDownLatch told = told();
    socket.close();
    assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
    assertCounted();
  }

  @Test
  void grpc_callCancelled_cancels() throws Exception {
    var call =
        running
            .grpc(GRPCInferenceServiceFutureStub.class)
            .modelInfer(GrpcServerTest.request("held", "a", 1, 2));
    CountDownLatch told = told();
    call.cancel(true);
    assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
    assertCounted();
  }

  @Test
  void departed_lateAnswer_isDroppedAndNothingIsUnderWay() throws Exception {
    Socket socket = running.raw(post("/v2/models/held/infer", Running.ECHO));
    FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
    CountDownLatch told = new CountDownLatch(1);
    held.request().cancellation().onCancel(told::countDown);
    socket.close();
    assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
    held.finish();
    assertThat(running.infer(Running.ECHO).statusCode()).isEqualTo(200);
  }

  private CountDownLatch told() throws InterruptedException {
    FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
    CountDownLatch told = new CountDownLatch(1);
    held.request().cancellation().onCancel(told::countDown);
    held.request().cancellation().onCancel(held::finish);
    return told;
  }

  private void assertCounted() {
    await(() -> running.metricsText().contains("code=\"cancelled\",model=\"held\""));
  }

  static void await(BooleanSupplier condition) {
    long until = NanoClock.SYSTEM.nanos() + TimeUnit.SECONDS.toNanos(10);
    while (!condition.getAsBoolean()) {
      assertThat(NanoClock.SYSTEM.nanos()).as("waited for 10 s").isLessThan(until);
      new CompletableFuture<Void>().completeOnTimeout(null, 10, TimeUnit.MILLISECONDS).join();
    }
  }
}
