package meridian.client;

import com.linecorp.armeria.client.ClientFactory;
import com.linecorp.armeria.client.ClientFactoryOptions;
import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.client.grpc.GrpcClients;
import com.linecorp.armeria.client.limit.ConcurrencyLimitingClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.HttpRequest;
import com.linecorp.armeria.common.MediaType;
import java.lang.foreign.MemorySegment;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResult;
import meridian.core.infer.InferenceService;
import meridian.core.model.ModelDescription;
import meridian.core.model.VersionStatus;
import meridian.core.time.NanoClock;
import meridian.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceFutureStub;
import meridian.protocol.Limits;
import meridian.protocol.control.ControlJson;
import meridian.protocol.grpc.InferGrpcCodec;
import meridian.protocol.http.InferHttpCodec;
import org.jspecify.annotations.Nullable;

/**
 * Talks to one server that speaks the Open Inference Protocol v2. Its {@link InferResult}s carry
 * the server's breakdown where it sends one, and count as network what the server did not account
 * for.
 */
public final class MeridianClient implements InferenceService, AutoCloseable {

  private static final ControlJson JSON = new ControlJson(Limits.DEFAULT);

  private final ClientFactory connections;
  private final InFlightLimit inFlight;
  private final WebClient http;
  private final InferenceService inference;

  private MeridianClient(
      ClientFactory connections,
      InFlightLimit inFlight,
      WebClient http,
      InferenceService inference) {
    this.connections = connections;
    this.inFlight = inFlight;
    this.http = http;
    this.inference = inference;
  }

  /** Connects within {@link Bounds#DEFAULT}. */
  public static MeridianClient connect(URI server, Wire wire) {
    return connect(server, wire, Bounds.DEFAULT);
  }

  /**
   * @param server such as {@code http://host:8080}; connected to with the first call, over HTTP/2
   *     without TLS
   */
  public static MeridianClient connect(URI server, Wire wire, Bounds bounds) {
    ClientFactory connections =
        ClientFactory.builder()
            .useHttp2Preface(true)
            .option(
                ClientFactoryOptions.CHANNEL_PIPELINE_CUSTOMIZER,
                new ConnectionLimit(bounds.connections()))
            .build();
    InFlightLimit inFlight = new InFlightLimit(bounds);
    WebClient http =
        WebClient.builder(server)
            .factory(connections)
            .decorator(ConcurrencyLimitingClient.newDecorator(inFlight))
            .maxResponseLength(Limits.DEFAULT.maxBodyBytes())
            .responseTimeoutMillis(0)
            .build();
    InferenceService inference =
        switch (wire) {
          case REST_JSON -> rest(http, false);
          case REST_BINARY -> rest(http, true);
          case GRPC -> grpc(server, connections, inFlight);
        };
    return new MeridianClient(connections, inFlight, http, inference);
  }

  private static InferenceService rest(WebClient http, boolean binary) {
    return new RestInference(
        http, new InferHttpCodec(Limits.DEFAULT), JSON, binary, NanoClock.SYSTEM);
  }

  private static InferenceService grpc(
      URI server, ClientFactory connections, InFlightLimit inFlight) {
    GRPCInferenceServiceFutureStub stub =
        GrpcClients.builder("gproto+" + server)
            .factory(connections)
            .decorator(ConcurrencyLimitingClient.newDecorator(inFlight))
            .maxResponseLength(Limits.DEFAULT.maxBodyBytes())
            .responseTimeoutMillis(0)
            .build(GRPCInferenceServiceFutureStub.class);
    return new GrpcInference(
        stub.getChannel(), new InferGrpcCodec(Limits.DEFAULT), NanoClock.SYSTEM);
  }

  /** How many calls so far had to wait because {@link Bounds#inFlight} others were on the wire. */
  public long waited() {
    return inFlight.waited();
  }

  @Override
  public CompletionStage<InferResult> infer(InferRequest request) {
    return inference.infer(request);
  }

  public CompletionStage<Outcome<ModelDescription>> describe(
      String model, @Nullable String version) {
    return exchange(HttpMethod.GET, Paths.model(model, version), JSON::decodeModel);
  }

  public CompletionStage<Outcome<List<VersionStatus>>> index() {
    return exchange(HttpMethod.POST, "/v2/repository/index", JSON::decodeIndex);
  }

  /** Loads, or loads again, and answers with the model's lines of the index. */
  public CompletionStage<Outcome<List<VersionStatus>>> load(String model) {
    return change(model, "load");
  }

  /** Unloads, and answers with the model's lines of the index. */
  public CompletionStage<Outcome<List<VersionStatus>>> unload(String model) {
    return change(model, "unload");
  }

  private CompletionStage<Outcome<List<VersionStatus>>> change(String model, String action) {
    return exchange(HttpMethod.POST, Paths.repository(model, action), _ -> Outcome.ok(action))
        .thenCompose(
            done ->
                done instanceof Outcome.Failed<String>(Problem problem)
                    ? CompletableFuture.completedStage(Outcome.failed(problem))
                    : index().thenApply(index -> index.map(all -> linesOf(model, all))));
  }

  private static List<VersionStatus> linesOf(String model, List<VersionStatus> index) {
    return index.stream().filter(line -> line.name().equals(model)).toList();
  }

  private <T> CompletionStage<Outcome<T>> exchange(
      HttpMethod method, String path, Function<MemorySegment, Outcome<T>> read) {
    HttpRequest request =
        method == HttpMethod.POST
            ? HttpRequest.of(method, path, MediaType.JSON, "{}")
            : HttpRequest.of(method, path);
    return http.execute(request)
        .aggregate()
        .handle(
            (answer, fault) ->
                fault != null ? Outcome.failed(Problems.ofTransport(fault)) : read(answer, read));
  }

  private static <T> Outcome<T> read(
      AggregatedHttpResponse answer, Function<MemorySegment, Outcome<T>> read) {
    return answer.status().isSuccess()
        ? read.apply(MemorySegment.ofArray(answer.content().array()))
        : Outcome.failed(Problems.ofAnswer(answer, JSON));
  }

  /** Closes the connections; requests still out fail. */
  @Override
  public void close() {
    connections.close();
  }
}
