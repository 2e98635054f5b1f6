package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.stub.StreamObserver;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import meridian.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceStub;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelStreamInferResponse;
import meridian.serving.ServerSettings.Grpc;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StreamTest {

  private Running running;
  private final Answers answers = new Answers();
  private StreamObserver<ModelInferRequest> stream;

  @BeforeEach
  void start() {
    running =
        Running.start(
            settings ->
                Settings.with(
                    settings, new Grpc(1 << 20, 1 << 20, 4, java.time.Duration.ofMillis(50))));
    stream = running.grpc(GRPCInferenceServiceStub.class).modelStreamInfer(answers);
  }

  @AfterEach
  void stop() {
    running.close();
  }

  @Test
  void stream_many_allAnsweredThenDone() throws Exception {
    for (int i = 0; i < 100; i++) {
      stream.onNext(GrpcServerTest.request("echo", "id" + i, i, 2));
    }
    stream.onCompleted();
    for (int i = 0; i < 100; i++) {
      ModelStreamInferResponse answer = answers.next();
      assertThat(answer.getErrorMessage()).isEmpty();
      assertThat(answer.getInferResponse().getId()).isEqualTo("id" + i);
      assertThat(answer.getInferResponse().getParametersOrThrow("server-timing").getStringParam())
          .contains("model;dur=3.000");
    }
    assertThat(answers.done.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(answers.error).isNull();
  }

  @Test
  void stream_failedRequest_isToldInBandAndTheStreamGoesOn() throws Exception {
    stream.onNext(GrpcServerTest.request("nobody", "bad", 1, 2));
    ModelStreamInferResponse bad = answers.next();
    assertThat(bad.getErrorMessage()).isEqualTo("model: unknown");
    assertThat(bad.getInferResponse().getId()).isEqualTo("bad");
    stream.onNext(GrpcServerTest.request("broken", "worse", 1, 2));
    assertThat(answers.next().getErrorMessage()).startsWith("server: failed");
    stream.onNext(GrpcServerTest.request("echo", "good", 1, 2));
    assertThat(answers.next().getInferResponse().getId()).isEqualTo("good");
  }

  @Test
  void stream_slowRequest_isOvertaken() throws Exception {
    stream.onNext(GrpcServerTest.request("held", "slow", 1, 2));
    FakeNode.Held held = take();
    stream.onNext(GrpcServerTest.request("echo", "fast", 1, 2));
    assertThat(answers.next().getInferResponse().getId()).isEqualTo("fast");
    stream.onCompleted();
    held.finish();
    assertThat(answers.next().getInferResponse().getId()).isEqualTo("slow");
    assertThat(answers.done.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void stream_window_boundsWhatIsUnderWay() throws Exception {
    for (int i = 0; i < 40; i++) {
      stream.onNext(GrpcServerTest.request("held", "id" + i, 1, 2));
    }
    stream.onCompleted();
    for (int finished = 0; finished < 40; finished++) {
      FakeNode.Held held = take();
      assertThat(running.node.calls.get()).isLessThanOrEqualTo(finished + 4);
      held.finish();
      assertThat(answers.next().getInferResponse().getId()).isEqualTo("id" + finished);
    }
    assertThat(answers.done.await(10, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void stream_cancelled_tellsTheWork() throws Exception {
    stream.onNext(GrpcServerTest.request("held", "a", 1, 2));
    FakeNode.Held held = take();
    CountDownLatch told = new CountDownLatch(1);
    held.request().cancellation().onCancel(told::countDown);
    stream.onError(new IllegalStateException("client gave up"));
    assertThat(told.await(10, TimeUnit.SECONDS)).isTrue();
    held.finish();
  }

  private FakeNode.Held take() throws InterruptedException {
    FakeNode.Held held = running.node.held.poll(10, TimeUnit.SECONDS);
    assertThat(held).isNotNull();
    return held;
  }

  private static final class Answers implements StreamObserver<ModelStreamInferResponse> {
    private final BlockingQueue<ModelStreamInferResponse> answers = new LinkedBlockingQueue<>();
    private final CountDownLatch done = new CountDownLatch(1);
    private volatile Throwable error;

    ModelStreamInferResponse next() throws InterruptedException {
      ModelStreamInferResponse answer = answers.poll(10, TimeUnit.SECONDS);
      assertThat(answer).as("error %s", error).isNotNull();
      return answer;
    }

    @Override
    public void onNext(ModelStreamInferResponse answer) {
      answers.add(answer);
    }

    @Override
    public void onError(Throwable cause) {
      error = cause;
      done.countDown();
    }

    @Override
    public void onCompleted() {
      done.countDown();
    }
  }
}
