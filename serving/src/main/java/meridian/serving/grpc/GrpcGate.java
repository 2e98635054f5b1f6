package meridian.serving.grpc;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpHeaders;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.SerializationFormat;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.ServiceRequestContext;
import com.linecorp.armeria.server.SimpleDecoratingHttpService;
import java.util.Set;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import meridian.protocol.control.ControlJson;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the gRPC services: refuses in the right form what is no gRPC, and takes the limits
 * off that are meant for bodies of one message.
 */
final class GrpcGate extends SimpleDecoratingHttpService {

  private static final Set<String> ENCODINGS = Set.of("identity", "gzip");

  private final Set<SerializationFormat> formats;
  private final ControlJson json;

  GrpcGate(HttpService delegate, Set<SerializationFormat> formats, ControlJson json) {
    super(delegate);
    this.json = json;
    this.formats = formats;
  }

  @Override
  public HttpResponse serve(ServiceRequestContext context, HttpRequest request) throws Exception {
    HttpResponse refusal = refusal(request);
    if (refusal != null) {
      return refusal;
    }
    context.clearRequestTimeout();
    if (context.exchangeType().isRequestStreaming()) {
      context.setMaxRequestLength(0);
    }
    return unwrap().serve(context, request);
  }

  private @Nullable HttpResponse refusal(HttpRequest request) {
    if (request.method() != HttpMethod.POST) {
      return refusal(
          HttpStatus.METHOD_NOT_ALLOWED,
          HttpHeaders.of(HttpHeaderNames.ALLOW, "POST"),
          "method: " + request.method() + " (expected: POST)");
    }
    MediaType type = request.contentType();
    if (type == null || formats.stream().noneMatch(format -> format.isAccepted(type))) {
      return refusal(
          HttpStatus.UNSUPPORTED_MEDIA_TYPE,
          HttpHeaders.of(),
          "Content-Type: %s (expected: application/grpc or application/grpc-web)"
              .formatted(Quoted.of(String.valueOf(type))));
    }
    String encoding = request.headers().get("grpc-encoding");
    return encoding == null || ENCODINGS.contains(encoding)
        ? null
        : GrpcReplies.problem(
            request.headers(),
            Problem.of(
                ErrorCode.UNSUPPORTED_ENCODING,
                "grpc-encoding: " + Quoted.of(encoding) + " (expected: gzip or identity)"));
  }

  private HttpResponse refusal(HttpStatus status, HttpHeaders more, String message) {
    return HttpResponse.of(
        ResponseHeaders.builder(status).contentType(MediaType.JSON).add(more).build(),
        HttpData.wrap(json.error(message)));
  }
}
