package meridian.serving.grpc;

import com.linecorp.armeria.common.SerializationFormat;
import com.linecorp.armeria.common.grpc.GrpcJsonMarshaller;
import com.linecorp.armeria.common.grpc.GrpcSerializationFormats;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.ServiceBindingBuilder;
import com.linecorp.armeria.server.grpc.GrpcService;
import com.linecorp.armeria.server.grpc.GrpcServiceBuilder;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import meridian.protocol.control.ControlJson;

/** The gRPC services of a port: inference, health, reflection. */
public final class GrpcServices {

  /** What a frame, and the base64 of gRPC-Web's text form, add to a message. */
  private static final long FRAME_BYTES = 1 << 10;

  /** Where clients up to 2023 look for reflection. Only its name differs, not its messages. */
  private static final String OLDER_REFLECTION = "/grpc.reflection.v1alpha.ServerReflection";

  private final InferenceGrpc inference;
  private final HealthService health;
  private final ControlJson json;
  private final int maxRequestBytes;
  private final int maxResponseBytes;

  public GrpcServices(
      InferCalls calls,
      GrpcControl control,
      ControlJson json,
      int maxRequestBytes,
      int maxResponseBytes,
      Duration healthInterval) {
    this.json = json;
    this.inference = new InferenceGrpc(calls, control);
    this.health = new HealthService(control.catalog(), control.readiness(), healthInterval);
    this.maxRequestBytes = maxRequestBytes;
    this.maxResponseBytes = maxResponseBytes;
  }

  /**
   * @param jsonToo whether messages in JSON are taken too, as the documentation's forms send them
   */
  public void bind(ServerBuilder server, boolean jsonToo) {
    Set<SerializationFormat> formats = new HashSet<>(GrpcSerializationFormats.values());
    if (!jsonToo) {
      formats.removeIf(GrpcSerializationFormats::isJson);
    }
    bind(
        server, services(formats).addService(ProtoReflectionServiceV1.newInstance()), formats, "/");
    bind(
        server,
        services(formats).addService(OLDER_REFLECTION, ProtoReflectionServiceV1.newInstance()),
        formats,
        OLDER_REFLECTION);
  }

  /** Armeria takes reflection once per service, so there are two, each with all it tells of. */
  private void bind(
      ServerBuilder server,
      GrpcServiceBuilder services,
      Set<SerializationFormat> formats,
      String prefix) {
    GrpcService service = services.build();
    ServiceBindingBuilder binding = server.route();
    service.routes().stream()
        .filter(route -> route.patternString().startsWith(prefix))
        .forEach(binding::addRoute);
    binding
        .maxRequestLength(maxRequestBytes + maxRequestBytes / 3 + FRAME_BYTES)
        .build(new GrpcGate(service, formats, json));
  }

  private GrpcServiceBuilder services(Set<SerializationFormat> formats) {
    return GrpcService.builder()
        .addService(inference)
        .addService(health)
        .supportedSerializationFormats(formats)
        .jsonMarshallerFactory(_ -> GrpcJsonMarshaller.ofGson())
        .maxRequestMessageLength(maxRequestBytes)
        .maxResponseMessageLength(maxResponseBytes)
        .useClientTimeoutHeader(false)
        .exceptionHandler(new GrpcFaults(maxRequestBytes));
  }
}
