package meridian.serving.exchange;

import com.linecorp.armeria.common.RequestContext;
import com.linecorp.armeria.common.RequestHeaders;
import io.netty.channel.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;
import meridian.core.tensor.NamedTensor;
import meridian.core.time.Deadline;
import meridian.serving.exchange.Transport.Incoming;
import meridian.serving.telemetry.Tracing;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One inference from its arrival to its answer, which is the result, or a refusal at the deadline,
 * or nothing when the client has gone: whatever comes first. The work itself may go on a little
 * longer; its memory is given back when it is over.
 *
 * <p>Everything that decides runs on the request's event loop, so that there are no locks. Large
 * bodies are read and written by a worker.
 */
final class Exchange<R> {

  private static final Logger LOG = LoggerFactory.getLogger(Exchange.class);

  private final Exchanges owner;
  private final Arrival arrival;
  private final Transport<R> transport;
  private final EventLoop loop;
  private final Tracing.RequestSpan span;
  private final Cancellation cancellation = new Cancellation();
  private final Runnable whenGone = () -> onLoop(this::abandon);
  private final Expiry expiry;
  private String id = "";
  private long codecNanos;
  private boolean ended;

  Exchange(Exchanges owner, Arrival arrival, Transport<R> transport) {
    this.owner = owner;
    this.arrival = arrival;
    this.transport = transport;
    this.loop = arrival.context().eventLoop().withoutContext();
    this.expiry = new Expiry(loop, owner.clock(), this::expire);
    this.span = owner.tracing().start(arrival.context(), arrival.model());
  }

  void start() {
    if (!owner.lifecycle().enter()) {
      var _ = arrival.context().initiateConnectionShutdown();
      refuse(InferFailure.of(owner.refusal()));
      transport.release();
      return;
    }
    arrival.departure().add(whenGone);
    if (arrival.bodyBytes() <= owner.loopBytes()) {
      decode();
    } else {
      if (arrival.deadline() instanceof Outcome.Ok<Deadline>(Deadline known)) {
        expiry.watch(known);
      }
      if (!owner.offload(this::decodeIfWanted)) {
        failed(InferFailure.of(owner.overload()));
      }
    }
  }

  /** Nobody may want it any more, once there is a worker for it. */
  private void decodeIfWanted() {
    if (cancellation.isCancelled()) {
      onLoop(this::over);
    } else {
      decode();
    }
  }

  private void decode() {
    long began = owner.clock().nanos();
    Outcome<Incoming<R>> decoded = read();
    long nanos = owner.clock().nanos() - began;
    switch (decoded) {
      case Outcome.Ok<Incoming<R>>(Incoming<R> incoming) -> submit(incoming, nanos);
      case Outcome.Failed<Incoming<R>>(Problem problem) ->
          onLoop(
              () -> {
                codecNanos = nanos;
                failed(InferFailure.of(owner.unread(arrival, problem)));
              });
    }
  }

  private Outcome<Incoming<R>> read() {
    try {
      return switch (arrival.deadline()) {
        case Outcome.Ok<Deadline>(Deadline known) -> read(known);
        case Outcome.Failed<Deadline>(Problem problem) -> Outcome.failed(problem);
      };
    } catch (RuntimeException | Error e) {
      return Outcome.failed(bug(e));
    }
  }

  private Outcome<Incoming<R>> read(Deadline deadline) {
    RequestHeaders headers = arrival.context().request().headers();
    Problem repeated = SingleHeaders.check(headers);
    if (repeated != null) {
      return Outcome.failed(repeated);
    }
    return switch (Tenant.of(headers)) {
      case Outcome.Ok<String>(String tenant) ->
          transport.decode(new Terms(deadline, cancellation, arrival.startNanos(), tenant));
      case Outcome.Failed<String>(Problem problem) -> Outcome.failed(problem);
    };
  }

  private void submit(Incoming<R> incoming, long decodeNanos) {
    onLoop(() -> begin(incoming, decodeNanos));
    try {
      owner
          .service()
          .infer(incoming.request())
          .whenComplete((result, error) -> onLoop(() -> complete(incoming, result, error)));
    } catch (RuntimeException | Error e) {
      onLoop(() -> complete(incoming, null, e));
    }
  }

  private void begin(Incoming<R> incoming, long decodeNanos) {
    codecNanos = decodeNanos;
    id = incoming.request().id();
    if (!ended) {
      expiry.watch(incoming.request().deadline());
    }
  }

  private void complete(
      Incoming<R> incoming, @Nullable InferResult result, @Nullable Throwable error) {
    switch (result) {
      case null -> failed(InferFailure.of(bug(error)));
      case InferFailure failure -> failed(failure);
      case InferResponse response -> {
        if (ended) {
          over();
        } else if (bytes(response) <= owner.loopBytes()
            || !owner.offload(() -> encode(incoming, response))) {
          encode(incoming, response);
        }
      }
    }
  }

  private void encode(Incoming<R> incoming, InferResponse response) {
    long began = owner.clock().nanos();
    Outcome<R> encoded;
    try {
      encoded = incoming.encoder().apply(response);
    } catch (RuntimeException | Error e) {
      encoded = Outcome.failed(bug(e));
    }
    Outcome<R> reply = encoded;
    long nanos = owner.clock().nanos() - began;
    onLoop(() -> deliver(response, reply, nanos));
  }

  private void deliver(InferResponse response, Outcome<R> reply, long encodeNanos) {
    codecNanos += encodeNanos;
    switch (reply) {
      case Outcome.Failed<R>(Problem problem) ->
          failed(new InferFailure(problem, response.latency()));
      case Outcome.Ok<R>(R encoded) -> {
        if (end()) {
          Report report = report(response.version(), null, response.latency());
          transport.answer(encoded, report);
          record(report);
        }
        over();
      }
    }
  }

  private void failed(InferFailure failure) {
    refuse(failure);
    over();
  }

  /** At the deadline, while the work may still go on. */
  private void expire() {
    cancellation.cancel();
    refuse(
        InferFailure.of(
            Problem.of(
                ErrorCode.DEADLINE_EXCEEDED, "deadline: passed before there was an answer")));
  }

  /** The client has gone; nobody is there to answer. */
  private void abandon() {
    if (end()) {
      cancellation.cancel();
      record(report(arrival.version(), ErrorCode.CANCELLED, LatencyBreakdown.ZERO));
    }
  }

  private void refuse(InferFailure failure) {
    if (end()) {
      Report report = report(arrival.version(), failure.problem().code(), failure.latency());
      transport.refuse(failure.problem(), report);
      record(report);
      if (isRejection(failure.problem().code())) {
        owner.metrics().rejected(report.model(), failure.problem().code());
      }
    }
  }

  /** True for what was turned away before it reached a model, by whichever part of the server. */
  private static boolean isRejection(ErrorCode code) {
    return code == ErrorCode.OVERLOADED || code == ErrorCode.UNAVAILABLE;
  }

  /** True the first time. */
  private boolean end() {
    if (ended) {
      return false;
    }
    ended = true;
    expiry.cancel();
    arrival.departure().remove(whenGone);
    return true;
  }

  /** Nothing uses the request any more. */
  private void over() {
    transport.release();
    owner.lifecycle().exit();
  }

  private Report report(
      @Nullable String version, @Nullable ErrorCode code, LatencyBreakdown worked) {
    LatencyBreakdown latency =
        worked
            .plus(Stage.NETWORK, arrival.arrivedNanos() - arrival.startNanos())
            .plus(Stage.DATA, codecNanos)
            .filledTo(owner.clock().nanos() - arrival.startNanos());
    return new Report(arrival.model(), version, id, arrival.protocol(), code, latency);
  }

  private void record(Report report) {
    owner
        .metrics()
        .request(
            report.model(), report.version(), report.protocol(), report.code(), report.latency());
    span.end(report.version(), report.code(), report.latency());
    owner.accessLog().log(arrival.context(), report);
  }

  private static Problem bug(@Nullable Throwable error) {
    LOG.error("A request failed by a fault of the server", error);
    return Problem.of(ErrorCode.INTERNAL, "server: failed on this request; its log says why");
  }

  private static long bytes(InferResponse response) {
    long bytes = 0;
    for (NamedTensor output : response.outputs()) {
      bytes += output.tensor().data().byteSize();
    }
    return bytes;
  }

  /**
   * At once if this is the loop and no other request is in the middle of something on it: Armeria
   * allows one at a time. Once a server has stopped there is no loop, and nobody else to disturb.
   */
  private void onLoop(Runnable task) {
    if (loop.inEventLoop() && !isInsideAnother()) {
      task.run();
      return;
    }
    try {
      loop.execute(task);
    } catch (RejectedExecutionException _) {
      task.run();
    }
  }

  private boolean isInsideAnother() {
    RequestContext current = RequestContext.currentOrNull();
    return current != null && !current.unwrapAll().equals(arrival.context().unwrapAll());
  }
}
