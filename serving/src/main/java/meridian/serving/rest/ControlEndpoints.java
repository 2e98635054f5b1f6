package meridian.serving.rest;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelControl;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelState;
import meridian.core.model.VersionStatus;
import meridian.protocol.control.ControlJson;
import meridian.protocol.control.Health;
import meridian.protocol.control.ServerMetadata;
import meridian.serving.body.BodyDecoder;
import meridian.serving.exchange.Exchanges;
import meridian.serving.exchange.Readiness;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Everything but inference. Bodies are read by a worker, for a load may carry whole models. */
public final class ControlEndpoints {

  private static final Logger LOG = LoggerFactory.getLogger(ControlEndpoints.class);

  private final ServerMetadata metadata;
  private final ModelCatalog catalog;
  private final ModelControl control;
  private final Readiness readiness;
  private final BodyDecoder bodies;
  private final Exchanges exchanges;
  private final ControlJson json;
  private final Replies replies;

  public ControlEndpoints(
      ServerMetadata metadata,
      ModelCatalog catalog,
      ModelControl control,
      Readiness readiness,
      BodyDecoder bodies,
      Exchanges exchanges,
      ControlJson json) {
    this.metadata = metadata;
    this.catalog = catalog;
    this.control = control;
    this.readiness = readiness;
    this.bodies = bodies;
    this.exchanges = exchanges;
    this.json = json;
    this.replies = new Replies(json);
  }

  HttpResponse serve(Target target, AggregatedHttpRequest request) {
    return switch (target.endpoint()) {
      case SERVER -> answer(request, replies.ok(json.server(metadata)));
      case LIVE -> answer(request, health(true, readiness.ready()));
      case READY -> answer(request, ready());
      case MODEL_READY -> answer(request, modelReady(target));
      case MODEL ->
          answer(
              request,
              reply(catalog.describe(target.requireModel(), target.version()), json::model));
      case CONFIGURATION ->
          answer(
              request,
              reply(
                  catalog.configuration(target.requireModel(), target.version()),
                  json::configuration));
      case STATISTICS ->
          answer(
              request,
              reply(catalog.statistics(target.model(), target.version()), json::statistics));
      case EXECUTION_TIMES ->
          answer(
              request,
              reply(
                  catalog.executionTimes(target.requireModel(), target.version()),
                  json::executionTimes));
      case INDEX -> withBody(request, this::index);
      case LOAD -> change(request, body -> load(target.requireModel(), body));
      case UNLOAD -> change(request, body -> unload(target.requireModel(), body));
      case INFER -> throw new IllegalArgumentException("INFER (expected: another endpoint)");
    };
  }

  private static HttpResponse answer(AggregatedHttpRequest request, HttpResponse response) {
    request.content().close();
    return response;
  }

  private HttpResponse ready() {
    boolean ready = readiness.ready();
    return health(ready, ready);
  }

  private HttpResponse health(boolean yes, boolean ready) {
    return replies.status(
        yes ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE, json.health(new Health(true, ready)));
  }

  private HttpResponse modelReady(Target target) {
    String model = target.requireModel();
    return switch (catalog.describe(model, target.version())) {
      case Outcome.Ok<ModelDescription> _ -> replies.ok(json.modelReady(model, true));
      case Outcome.Failed<ModelDescription>(Problem problem)
          when problem.code() == ErrorCode.UNAVAILABLE ->
          replies.status(HttpStatus.SERVICE_UNAVAILABLE, json.modelReady(model, false));
      case Outcome.Failed<ModelDescription>(Problem problem) -> replies.problem(problem);
    };
  }

  private CompletionStage<HttpResponse> index(MemorySegment body) {
    return CompletableFuture.completedStage(
        reply(json.decodeIndexRequest(body), readyOnly -> json.index(versions(readyOnly))));
  }

  private List<VersionStatus> versions(boolean readyOnly) {
    List<VersionStatus> all = catalog.index();
    return readyOnly
        ? all.stream().filter(version -> version.state() == ModelState.READY).toList()
        : all;
  }

  private CompletionStage<HttpResponse> load(String model, MemorySegment body) {
    return switch (json.decodeLoad(model, body)) {
      case Outcome.Ok<LoadRequest>(LoadRequest request) -> done(control.load(request));
      case Outcome.Failed<LoadRequest>(Problem problem) ->
          CompletableFuture.completedStage(replies.problem(problem));
    };
  }

  private CompletionStage<HttpResponse> unload(String model, MemorySegment body) {
    return switch (json.decodeUnload(model, body)) {
      case Outcome.Ok<String>(String name) -> done(control.unload(name));
      case Outcome.Failed<String>(Problem problem) ->
          CompletableFuture.completedStage(replies.problem(problem));
    };
  }

  private CompletionStage<HttpResponse> done(CompletionStage<Outcome<List<VersionStatus>>> stage) {
    return stage.thenApply(
        outcome ->
            outcome instanceof Outcome.Failed<List<VersionStatus>>(Problem problem)
                ? replies.problem(problem)
                : replies.empty());
  }

  private <T> HttpResponse reply(Outcome<T> outcome, Function<T, byte[]> body) {
    return switch (outcome) {
      case Outcome.Ok<T>(T value) -> replies.ok(body.apply(value));
      case Outcome.Failed<T>(Problem problem) -> replies.problem(problem);
    };
  }

  private HttpResponse change(
      AggregatedHttpRequest request,
      Function<MemorySegment, CompletionStage<HttpResponse>> handler) {
    Problem origin = Origin.check(request.headers());
    return origin == null ? withBody(request, handler) : answer(request, replies.problem(origin));
  }

  private HttpResponse withBody(
      AggregatedHttpRequest request,
      Function<MemorySegment, CompletionStage<HttpResponse>> handler) {
    Problem type = JsonBodies.check(request.headers().get(HttpHeaderNames.CONTENT_TYPE));
    if (type != null) {
      return answer(request, replies.problem(type));
    }
    CompletableFuture<Outcome<MemorySegment>> reading = new CompletableFuture<>();
    if (!exchanges.offload(() -> reading.completeAsync(() -> read(request), Runnable::run))) {
      return answer(request, replies.problem(exchanges.overload()));
    }
    return HttpResponse.of(
        reading
            .thenCompose(
                outcome ->
                    switch (outcome) {
                      case Outcome.Ok<MemorySegment>(MemorySegment body) -> handler.apply(body);
                      case Outcome.Failed<MemorySegment>(Problem problem) ->
                          CompletableFuture.completedStage(replies.problem(problem));
                    })
            .exceptionally(this::bug));
  }

  private Outcome<MemorySegment> read(AggregatedHttpRequest request) {
    try (HttpData content = request.content()) {
      String coding = request.headers().get(HttpHeaderNames.CONTENT_ENCODING);
      return coding == null || BodyDecoder.isIdentity(coding)
          ? Outcome.ok(MemorySegment.ofArray(content.array()))
          : bodies.decode(coding, content.byteBuf());
    }
  }

  private HttpResponse bug(Throwable error) {
    LOG.error("A request failed by a fault of the server", error);
    return replies.problem(
        Problem.of(ErrorCode.INTERNAL, "server: failed on this request; its log says why"));
  }
}
