package meridian.serving.rest;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.AggregationOptions;
import com.linecorp.armeria.common.ExchangeType;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.RoutingContext;
import com.linecorp.armeria.server.ServiceOptions;
import com.linecorp.armeria.server.ServiceRequestContext;
import java.time.Duration;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import meridian.serving.grpc.GrpcReplies;

/**
 * All paths of the REST interface, and the answer to every other one, gRPC's among them. Armeria
 * hands over whole requests; until then its request timeout guards against slow senders, from then
 * on the exchange's own deadline holds.
 */
public final class RestService implements HttpService {

  /**
   * How long a client that is still sending has to read the answer. A reset that follows at once
   * makes some clients forget the answer they have.
   */
  public static final Duration LAST_READS = Duration.ofSeconds(1);

  private static final ServiceOptions OPTIONS =
      ServiceOptions.builder().closeHttp2StreamDelayMillis(LAST_READS.toMillis()).build();

  private final InferEndpoint infer;
  private final ControlEndpoints control;
  private final Replies replies;

  public RestService(InferEndpoint infer, ControlEndpoints control) {
    this.infer = infer;
    this.control = control;
    this.replies = infer.replies();
  }

  @Override
  public ExchangeType exchangeType(RoutingContext routingContext) {
    return GrpcReplies.isGrpc(routingContext.headers())
        ? ExchangeType.BIDI_STREAMING
        : ExchangeType.UNARY;
  }

  @Override
  public ServiceOptions options() {
    return OPTIONS;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) {
    if (GrpcReplies.isGrpc(request.headers())) {
      return GrpcReplies.problem(request.headers(), unknownMethod(request.path()));
    }
    context.clearRequestTimeout();
    return HttpResponse.of(
        request
            .aggregate(AggregationOptions.usePooledObjects(context.alloc(), context.eventLoop()))
            .thenApply(whole -> route(context, whole)));
  }

  private HttpResponse route(ServiceRequestContext context, AggregatedHttpRequest request) {
    return switch (Router.match(request.method(), rawPath(context))) {
      case Router.Refused(Problem problem, String allow) -> {
        request.content().close();
        yield replies.problem(problem, allow);
      }
      case Router.Found(Target target) ->
          target.endpoint() == Endpoint.INFER
              ? infer.serve(context, target, request)
              : control.serve(target, request);
    };
  }

  /** Said at once, for such a client may keep its stream open until it hears something. */
  private static Problem unknownMethod(String path) {
    return Problem.of(
        ErrorCode.METHOD_NOT_ALLOWED,
        "method: " + Quoted.clean(path) + " is unknown (expected: one that reflection lists)");
  }

  private static String rawPath(ServiceRequestContext context) {
    String path = context.rawPath();
    int query = path.indexOf('?');
    return query < 0 ? path : path.substring(0, query);
  }
}
