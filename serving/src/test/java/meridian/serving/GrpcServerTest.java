package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc.HealthBlockingStub;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.reflection.v1.ServiceResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import meridian.proto.GRPCInferenceServiceGrpc.GRPCInferenceServiceBlockingStub;
import meridian.proto.InferParameter;
import meridian.proto.ModelConfigRequest;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferResponse;
import meridian.proto.ModelMetadataRequest;
import meridian.proto.ModelReadyRequest;
import meridian.proto.ModelRepositoryParameter;
import meridian.proto.ModelStatisticsRequest;
import meridian.proto.RepositoryIndexRequest;
import meridian.proto.RepositoryModelLoadRequest;
import meridian.proto.RepositoryModelUnloadRequest;
import meridian.proto.ServerLiveRequest;
import meridian.proto.ServerMetadataRequest;
import meridian.proto.ServerReadyRequest;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrpcServerTest {

  private static Running running;
  private static GRPCInferenceServiceBlockingStub stub;

  @BeforeAll
  static void start() {
    running = Running.start();
    stub = running.grpc(GRPCInferenceServiceBlockingStub.class);
  }

  @AfterAll
  static void stop() {
    running.close();
  }

  static ModelInferRequest request(String model, String id, float... values) {
    ByteBuffer raw = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
    for (float value : values) {
      raw.putFloat(value);
    }
    return ModelInferRequest.newBuilder()
        .setModelName(model)
        .setId(id)
        .addInputs(
            ModelInferRequest.InferInputTensor.newBuilder()
                .setName("x")
                .setDatatype("FP32")
                .addShape(values.length / 2)
                .addShape(2))
        .addRawInputContents(ByteString.copyFrom(raw.flip()))
        .build();
  }

  @Test
  void modelInfer_raw_answersWithBreakdownInTrailers() {
    AtomicReference<Metadata> trailers = new AtomicReference<>();
    ModelInferResponse response =
        stub.withInterceptors(
                MetadataUtils.newCaptureMetadataInterceptor(new AtomicReference<>(), trailers))
            .modelInfer(request("echo", "a", 1.5f, -2));
    assertThat(response.getId()).isEqualTo("a");
    assertThat(response.getModelVersion()).isEqualTo("3");
    assertThat(
            response
                .getRawOutputContents(0)
                .asReadOnlyByteBuffer()
                .order(ByteOrder.LITTLE_ENDIAN)
                .getFloat(4))
        .isEqualTo(-2);
    assertThat(trailer(trailers.get(), "server-timing"))
        .contains("queue;dur=2.000, model;dur=3.000");
    assertThat(trailer(trailers.get(), "meridian-model-version")).isEqualTo("3");
    assertThat(trailer(trailers.get(), "meridian-region")).isEqualTo("ams");
  }

  private static String trailer(Metadata trailers, String name) {
    return trailers.get(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER));
  }

  /** As in REST: names by their rule, then whether there is such a model, then the rest. */
  @ParameterizedTest
  @CsvSource({
    "nobody, '', NOT_FOUND",
    "echo, 4, NOT_FOUND",
    "nobody, x, INVALID_ARGUMENT",
    "a+b, '', INVALID_ARGUMENT",
    "echo, '', INVALID_ARGUMENT",
    "loading, '', INVALID_ARGUMENT",
  })
  void modelInfer_malformedTensors_isToldTheFirstFault(
      String model, String version, Status.Code code) {
    ModelInferRequest broken =
        request(model, "", 1, 2).toBuilder()
            .setModelVersion(version)
            .addRawInputContents(ByteString.EMPTY)
            .addRawInputContents(ByteString.EMPTY)
            .build();
    assertThatThrownBy(() -> stub.modelInfer(broken))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class, e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
  }

  @ParameterizedTest
  @CsvSource({
    "nobody, NOT_FOUND",
    "loading, UNAVAILABLE",
    "failing, INTERNAL",
    "broken, INTERNAL",
    "unlinked, INTERNAL",
    "../etc, INVALID_ARGUMENT",
    "'a b', INVALID_ARGUMENT",
    "'', INVALID_ARGUMENT",
  })
  void modelInfer_failingModel_hasTheStatusOfTheTable(String model, Status.Code code) {
    assertThatThrownBy(() -> stub.modelInfer(request(model, "", 1, 2)))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class, e -> assertThat(e.getStatus().getCode()).isEqualTo(code));
  }

  @Test
  void modelInfer_wrongShape_namesTheField() {
    assertThatThrownBy(
            () ->
                stub.modelInfer(
                    request("echo", "", 1, 2).toBuilder()
                        .setInputs(
                            0,
                            ModelInferRequest.InferInputTensor.newBuilder()
                                .setName("x")
                                .setDatatype("FP32")
                                .addShape(2)
                                .addShape(2))
                        .build()))
        .isInstanceOf(StatusRuntimeException.class)
        .hasMessageStartingWith("INVALID_ARGUMENT: ");
  }

  @Test
  void control_calls_answer() {
    assertThat(stub.serverLive(ServerLiveRequest.getDefaultInstance()).getLive()).isTrue();
    assertThat(stub.serverReady(ServerReadyRequest.getDefaultInstance()).getReady()).isTrue();
    assertThat(stub.serverMetadata(ServerMetadataRequest.getDefaultInstance()).getName())
        .isEqualTo("meridian");
    assertThat(stub.modelReady(ModelReadyRequest.newBuilder().setName("echo").build()).getReady())
        .isTrue();
    assertThat(
            stub.modelReady(ModelReadyRequest.newBuilder().setName("loading").build()).getReady())
        .isFalse();
    assertThat(
            stub.modelMetadata(ModelMetadataRequest.newBuilder().setName("echo").build())
                .getInputs(0)
                .getShapeList())
        .containsExactly(-1L, 2L);
    assertThat(
            stub.modelConfig(ModelConfigRequest.newBuilder().setName("echo").build())
                .getConfig()
                .getMaxBatchSize())
        .isEqualTo(8);
    assertThat(
            stub.modelStatistics(ModelStatisticsRequest.getDefaultInstance()).getModelStatsCount())
        .isEqualTo(2);
    assertThat(
            stub.repositoryIndex(RepositoryIndexRequest.newBuilder().setReady(true).build())
                .getModelsCount())
        .isEqualTo(1);
    stub.repositoryModelLoad(RepositoryModelLoadRequest.newBuilder().setModelName("echo").build());
    stub.repositoryModelUnload(
        RepositoryModelUnloadRequest.newBuilder().setModelName("echo").build());
  }

  @Test
  void repositoryModelLoad_unknownOrOddName_fails() {
    assertThatThrownBy(
            () ->
                stub.repositoryModelLoad(
                    RepositoryModelLoadRequest.newBuilder().setModelName("nobody").build()))
        .hasMessageStartingWith("NOT_FOUND");
    assertThatThrownBy(
            () ->
                stub.repositoryModelUnload(
                    RepositoryModelUnloadRequest.newBuilder().setModelName("../x").build()))
        .hasMessageStartingWith("INVALID_ARGUMENT");
  }

  @Test
  void repositoryModelUnload_unknownParameter_isNamed() {
    RepositoryModelUnloadRequest odd =
        RepositoryModelUnloadRequest.newBuilder()
            .setModelName("echo")
            .putParameters(
                "unload_everything",
                ModelRepositoryParameter.newBuilder().setBoolParam(true).build())
            .build();
    assertThatThrownBy(() -> stub.repositoryModelUnload(odd))
        .hasMessageStartingWith("INVALID_ARGUMENT")
        .hasMessageContaining("unload_everything");
  }

  @ParameterizedTest
  @CsvSource({
    "'', SERVING",
    "inference.GRPCInferenceService, SERVING",
    "echo, SERVING",
    "loading, NOT_SERVING"
  })
  void health_check_tells(String service, ServingStatus status) {
    assertThat(
            running
                .grpc(HealthBlockingStub.class)
                .check(HealthCheckRequest.newBuilder().setService(service).build())
                .getStatus())
        .isEqualTo(status);
  }

  @Test
  void health_unknownModel_isNotFound() {
    assertThatThrownBy(
            () ->
                running
                    .grpc(HealthBlockingStub.class)
                    .check(HealthCheckRequest.newBuilder().setService("nobody").build()))
        .hasMessageStartingWith("NOT_FOUND");
  }

  @ParameterizedTest
  @ValueSource(strings = {"model", "version", "input", "datatype", "output", "parameter"})
  void infer_endlessText_isRefusedInAShortMessage(String where) {
    String text = "\u00e4".repeat(20_000);
    ModelInferRequest.Builder request = request("echo", "a", 1, 2).toBuilder();
    switch (where) {
      case "model" -> request.setModelName(text);
      case "version" -> request.setModelVersion(text);
      case "input" -> request.getInputsBuilder(0).setName(text);
      case "datatype" -> request.getInputsBuilder(0).setDatatype(text);
      case "output" -> request.addOutputsBuilder().setName(text);
      default ->
          request.putParameters(
              "timeout", InferParameter.newBuilder().setStringParam(text).build());
    }
    assertThatThrownBy(() -> stub.modelInfer(request.build()))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            refused -> {
              assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
              assertThat(refused.getStatus().getDescription()).hasSizeLessThan(1_000);
            });
  }

  @Test
  void unknownMethod_ofOpenStream_isUnimplementedAtOnce() throws Exception {
    String open = "Content-Type: application/grpc-web\r\nContent-Length: 100";
    try (Socket socket = running.raw(Running.postHead("/no.such.Service/Method", open))) {
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
      assertThat(lines.readLine()).startsWith("HTTP/1.1 200 ");
      assertThat(Stream.generate(() -> line(lines)).takeWhile(line -> !line.isEmpty()))
          .contains(
              "grpc-status: 12",
              "grpc-message: method: /no.such.Service/Method is unknown (expected: one that"
                  + " reflection lists)");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"v1", "v1alpha"})
  void reflection_eitherVersion_listsTheServices(String version) {
    ServerReflectionRequest list = ServerReflectionRequest.newBuilder().setListServices("").build();
    ServerReflectionRequest symbol =
        ServerReflectionRequest.newBuilder()
            .setFileContainingSymbol("inference.GRPCInferenceService")
            .build();
    List<ServerReflectionResponse> answers = reflect(version, list, symbol);
    assertThat(answers.getFirst().getListServicesResponse().getServiceList())
        .extracting(ServiceResponse::getName)
        .contains("inference.GRPCInferenceService", "grpc.health.v1.Health");
    assertThat(answers.getLast().getFileDescriptorResponse().getFileDescriptorProtoCount())
        .isPositive();
  }

  /** Both versions have the same messages. */
  private static List<ServerReflectionResponse> reflect(
      String version, ServerReflectionRequest... requests) {
    MethodDescriptor<ServerReflectionRequest, ServerReflectionResponse> method =
        ServerReflectionGrpc.getServerReflectionInfoMethod().toBuilder()
            .setFullMethodName(
                "grpc.reflection." + version + ".ServerReflection/ServerReflectionInfo")
            .build();
    List<ServerReflectionResponse> answers = new ArrayList<>();
    CompletableFuture<Void> done = new CompletableFuture<>();
    StreamObserver<ServerReflectionRequest> call =
        ClientCalls.asyncBidiStreamingCall(
            stub.getChannel().newCall(method, CallOptions.DEFAULT),
            new StreamObserver<>() {
              @Override
              public void onNext(ServerReflectionResponse response) {
                answers.add(response);
              }

              @Override
              public void onError(Throwable error) {
                done.completeExceptionally(error);
              }

              @Override
              public void onCompleted() {
                done.complete(null);
              }
            });
    Arrays.stream(requests).forEach(call::onNext);
    call.onCompleted();
    done.orTimeout(10, TimeUnit.SECONDS).join();
    return answers;
  }

  private static String line(BufferedReader lines) {
    try {
      return lines.readLine();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip", "identity"})
  void modelInfer_compressed_isTheSame(String encoding) {
    assertThat(stub.withCompression(encoding).modelInfer(request("echo", "z", 1, 2)).getId())
        .isEqualTo("z");
  }
}
