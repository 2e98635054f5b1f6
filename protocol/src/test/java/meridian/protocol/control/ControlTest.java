package meridian.protocol.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelState;
import meridian.core.model.ModelStatistics;
import meridian.core.model.ModelStatistics.Batches;
import meridian.core.model.ModelStatistics.Inferences;
import meridian.core.model.ModelStatistics.Tally;
import meridian.core.model.Signature;
import meridian.core.model.VersionPolicy;
import meridian.core.model.VersionStatus;
import meridian.core.tensor.DataType;
import meridian.core.tensor.TensorSpec;
import meridian.proto.ModelConfig;
import meridian.proto.ModelRepositoryParameter;
import meridian.proto.RepositoryModelLoadRequest;
import meridian.proto.RepositoryModelUnloadRequest;
import meridian.protocol.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ControlTest {

  private static final TensorSpec INPUT = TensorSpec.of("x", DataType.BYTES, -1, 3);
  private static final TensorSpec OUTPUT = TensorSpec.of("y", DataType.FP32);
  private static final ModelDescription MODEL =
      new ModelDescription(
          "m",
          "10",
          List.of("9", "10"),
          "onnxruntime_onnx",
          new Signature(List.of(INPUT), List.of(OUTPUT), false),
          Map.of("batch_invariant", "true"));
  private static final List<VersionStatus> INDEX =
      List.of(
          new VersionStatus("a", "1", ModelState.READY, ""),
          new VersionStatus("b", "", ModelState.UNAVAILABLE, "no \"version\""));
  private static final List<ModelStatistics> STATISTICS = List.of(statistics());

  private final ControlJson json = new ControlJson(Limits.DEFAULT);

  @Test
  void model_metadata_hasTheProtocolsFields() {
    assertThat(text(json.model(MODEL)))
        .isEqualTo(
            "{\"name\":\"m\",\"versions\":[\"9\",\"10\"],\"platform\":\"onnxruntime_onnx\","
                + "\"inputs\":[{\"name\":\"x\",\"datatype\":\"BYTES\",\"shape\":[-1,3]}],"
                + "\"outputs\":[{\"name\":\"y\",\"datatype\":\"FP32\",\"shape\":[]}],"
                + "\"properties\":{\"batch_invariant\":\"true\"}}");
  }

  @Test
  void model_metadata_comesBack() throws ProblemException {
    assertThat(json.decodeModel(segment(json.model(MODEL))).orElseThrow()).isEqualTo(MODEL);
    assertThat(ControlProto.decode(ControlProto.model(MODEL)).orElseThrow()).isEqualTo(MODEL);
  }

  @Test
  void server_metadata_comesBack() throws ProblemException {
    ServerMetadata server = new ServerMetadata("meridian", "1", ServerMetadata.EXTENSIONS);
    assertThat(text(json.server(server)))
        .startsWith(
            "{\"name\":\"meridian\",\"version\":\"1\",\"extensions\":[\"binary_tensor_data\",");
    assertThat(json.decodeServer(segment(json.server(server))).orElseThrow()).isEqualTo(server);
    assertThat(ControlProto.decode(ControlProto.server(server))).isEqualTo(server);
  }

  @Test
  void index_comesBack() throws ProblemException {
    assertThat(text(json.index(INDEX)))
        .isEqualTo(
            "[{\"name\":\"a\",\"version\":\"1\",\"state\":\"READY\",\"reason\":\"\"},"
                + "{\"name\":\"b\",\"state\":\"UNAVAILABLE\",\"reason\":\"no \\\"version\\\"\"}]");
    assertThat(json.decodeIndex(segment(json.index(INDEX))).orElseThrow()).isEqualTo(INDEX);
    assertThat(ControlProto.decode(ControlProto.index(INDEX))).isEqualTo(INDEX);
  }

  @Test
  void statistics_comeBack() throws ProblemException {
    assertThat(text(json.statistics(STATISTICS)))
        .startsWith(
            "{\"model_stats\":[{\"name\":\"m\",\"version\":\"1\",\"last_inference\":5,\"inference_count\":6,\"execution_count\":7,"
                + "\"inference_stats\":{\"success\":{\"count\":1,\"ns\":10},\"fail\":{\"count\":2,\"ns\":20},")
        .endsWith(
            "\"batch_stats\":[{\"batch_size\":8,\"compute_input\":{\"count\":1,\"ns\":2},\"compute_infer\":{\"count\":3,\"ns\":4},\"compute_output\":{\"count\":5,\"ns\":6}}]}]}");
    assertThat(json.decodeStatistics(segment(json.statistics(STATISTICS))).orElseThrow())
        .isEqualTo(STATISTICS);
    assertThat(StatisticsProto.decode(StatisticsProto.encode(STATISTICS))).isEqualTo(STATISTICS);
  }

  @Test
  void health_error_andReady_areObjects() {
    assertThat(text(json.health(new Health(true, false))))
        .isEqualTo("{\"live\":true,\"ready\":false}");
    assertThat(text(json.modelReady("m", true))).isEqualTo("{\"name\":\"m\",\"ready\":true}");
    assertThat(text(json.error("a \"b\"\n"))).isEqualTo("{\"error\":\"a \\\"b\\\"\\n\"}");
    assertThat(json.decodeError(segment(json.error("a \"b\"\n")))).isEqualTo("a \"b\"\n");
    assertThat(json.decodeError(segment("Bad gateway".getBytes(StandardCharsets.UTF_8))))
        .isEqualTo("Bad gateway");
  }

  @Test
  void configuration_hasConfigNames() {
    String text =
        text(json.configuration(configuration(new VersionPolicy.Specific(List.of(3L, 4L)))));
    assertThat(text)
        .isEqualTo(
            "{\"name\":\"m\",\"platform\":\"onnxruntime_onnx\",\"backend\":\"onnxruntime\",\"version_policy\":{\"specific\":{\"versions\":[3,4]}},"
                + "\"max_batch_size\":8,\"input\":[{\"name\":\"x\",\"data_type\":\"TYPE_STRING\",\"dims\":[-1,3]}],"
                + "\"output\":[{\"name\":\"y\",\"data_type\":\"TYPE_FP32\",\"dims\":[],\"label_filename\":\"labels.txt\"}],"
                + "\"instance_group\":[{\"name\":\"m\",\"kind\":\"KIND_AUTO\",\"count\":2}],\"default_model_filename\":\"model.onnx\","
                + "\"parameters\":{\"k\":{\"string_value\":\"v\"}}}");
    assertThat(text(json.configuration(configuration(new VersionPolicy.All()))))
        .contains("\"version_policy\":{\"all\":{}}");
    assertThat(text(json.configuration(configuration(VersionPolicy.latest()))))
        .contains("\"version_policy\":{\"latest\":{\"num_versions\":1}}");
  }

  @Test
  void configuration_inProtobuf_saysTheSame() {
    ModelConfig config =
        ConfigurationProto.encode(configuration(new VersionPolicy.Specific(List.of(3L))))
            .getConfig();
    assertThat(config.getInput(0).getDataType()).isEqualTo(meridian.proto.DataType.TYPE_STRING);
    assertThat(config.getInput(0).getDimsList()).containsExactly(-1L, 3L);
    assertThat(config.getOutput(0).getLabelFilename()).isEqualTo("labels.txt");
    assertThat(config.getVersionPolicy().getSpecific().getVersionsList()).containsExactly(3L);
    assertThat(config.getInstanceGroup(0).getCount()).isEqualTo(2);
    assertThat(config.getParametersOrThrow("k").getStringValue()).isEqualTo("v");
    assertThat(config.getMaxBatchSize()).isEqualTo(8);
  }

  @ParameterizedTest
  @EnumSource(DataType.class)
  void types_inConfigurations_areThereAndBack(DataType type) {
    assertThat(ConfigTypes.toCore(ConfigTypes.of(type))).isEqualTo(type);
    assertThat(ConfigTypes.toCore(meridian.proto.DataType.TYPE_INVALID)).isNull();
  }

  @Test
  void load_withConfigAndFiles_comesBack() throws ProblemException {
    LoadRequest load =
        new LoadRequest("m", "{\"a\":1}", Map.of("1/model.onnx", new byte[] {0, -1}));
    LoadRequest fromJson = json.decodeLoad("m", segment(json.loadRequest(load))).orElseThrow();
    LoadRequest fromProto = ControlProto.decode(ControlProto.load(load)).orElseThrow();
    for (LoadRequest read : List.of(fromJson, fromProto)) {
      assertThat(read.name()).isEqualTo("m");
      assertThat(read.configJson()).isEqualTo("{\"a\":1}");
      assertThat(read.files()).containsOnlyKeys("1/model.onnx");
      assertThat(read.files().get("1/model.onnx")).containsExactly(0, -1);
    }
  }

  @Test
  void load_withoutBody_isPlain() throws ProblemException {
    for (String body : List.of("", "{}", "{\"parameters\":{}}")) {
      LoadRequest load = json.decodeLoad("m", segment(body)).orElseThrow();
      assertThat(load.configJson()).isNull();
      assertThat(load.files()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:", "file:1", "file:1/", "file:01/a", "file:x/a", "file:1/../a", "file:1/a/../../b",
        "file:1//etc/passwd", "file:../1/a", "file:1/a\\b", "file:1/.a", "file:1/a/", "file:/1/a",
            "other"
      })
  void load_filesOutsideTheVersion_areRefused(String parameter) {
    String body = "{\"parameters\":{\"%s\":\"AA==\"}}".formatted(parameter.replace("\\", "\\\\"));
    assertThat(refusal(json.decodeLoad("m", segment(body))))
        .endsWith("(expected: config, or file:<version>/<file>)");
    RepositoryModelLoadRequest message =
        RepositoryModelLoadRequest.newBuilder()
            .setModelName("m")
            .putParameters(
                parameter,
                ModelRepositoryParameter.newBuilder().setBytesParam(ByteString.EMPTY).build())
            .build();
    assertThat(refusal(ControlProto.decode(message)))
        .endsWith("(expected: config, or file:<version>/<file>)");
  }

  @Test
  void load_wrongKinds_areRefused() {
    assertThat(refusal(json.decodeLoad("m", segment("{\"parameters\":{\"config\":{}}}"))))
        .isEqualTo("parameters.config: an object (expected: a string)");
    assertThat(refusal(json.decodeLoad("m", segment("{\"parameters\":{\"file:1/a\":\"*\"}}"))))
        .isEqualTo("parameters.file:1/a: \"*\" (expected: base64)");
    RepositoryModelLoadRequest message =
        RepositoryModelLoadRequest.newBuilder()
            .setModelName("m")
            .putParameters(
                "config", ModelRepositoryParameter.newBuilder().setBoolParam(true).build())
            .build();
    assertThat(refusal(ControlProto.decode(message)))
        .isEqualTo("parameters.config: BOOL_PARAM (expected: STRING_PARAM)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "../x", "/etc", "a\0b", "..%2f..%2fetc", "m/../../x", "..\\x"})
  void names_againstTheRule_areRefusedEverywhere(String name) {
    assertThat(refusal(json.decodeLoad(name, segment("")))).startsWith("model: ");
    assertThat(refusal(json.decodeUnload(name, segment("")))).startsWith("model: ");
    assertThat(
            refusal(
                ControlProto.decode(
                    RepositoryModelLoadRequest.newBuilder().setModelName(name).build())))
        .startsWith("model: ");
  }

  @Test
  void unload_parameters_areRead() throws ProblemException {
    assertThat(
            json.decodeUnload("m", segment("{\"parameters\":{\"unload_dependents\":false}}"))
                .orElseThrow())
        .isEqualTo("m");
    assertThat(
            refusal(json.decodeUnload("m", segment("{\"parameters\":{\"unload_dependents\":[]}}"))))
        .isEqualTo("parameters.unload_dependents: an array (expected: true or false)");
    assertThat(
            refusal(json.decodeUnload("m", segment("{\"parameters\":{\"unload_dependents\":1}}"))))
        .isEqualTo("parameters.unload_dependents: 1 (expected: true or false)");
    assertThat(refusal(json.decodeUnload("m", segment("{\"parameters\":{\"depth\":1}}"))))
        .isEqualTo("parameters: \"depth\" (expected: unload_dependents)");
    assertThat(refusal(json.decodeUnload("m", segment("{\"parameters\":[]}"))))
        .isEqualTo("parameters: an array (expected: an object)");
  }

  @Test
  void unload_parametersInProtobuf_areRead() throws ProblemException {
    ModelRepositoryParameter yes = ModelRepositoryParameter.newBuilder().setBoolParam(true).build();
    ModelRepositoryParameter one = ModelRepositoryParameter.newBuilder().setInt64Param(1).build();
    ModelRepositoryParameter none = ModelRepositoryParameter.getDefaultInstance();
    assertThat(ControlProto.decode(unload("m", "unload_dependents", yes)).orElseThrow())
        .isEqualTo("m");
    assertThat(refusal(ControlProto.decode(unload("m", "unload_dependents", one))))
        .isEqualTo("parameters.unload_dependents: INT64_PARAM (expected: BOOL_PARAM)");
    assertThat(refusal(ControlProto.decode(unload("m", "unload_dependents", none))))
        .isEqualTo("parameters.unload_dependents: nothing (expected: BOOL_PARAM)");
    assertThat(refusal(ControlProto.decode(unload("m", "depth", yes))))
        .isEqualTo("parameters: \"depth\" (expected: unload_dependents)");
    assertThat(refusal(ControlProto.decode(unload("../m", "unload_dependents", yes))))
        .startsWith("model: ");
  }

  @Test
  void indexRequest_ready_isRead() throws ProblemException {
    assertThat(json.decodeIndexRequest(segment("")).orElseThrow()).isFalse();
    assertThat(json.decodeIndexRequest(segment(json.indexRequest(true))).orElseThrow()).isTrue();
    assertThat(refusal(json.decodeIndexRequest(segment("{\"ready\":1}"))))
        .isEqualTo("ready: 1 (expected: true or false)");
  }

  @Test
  void answer_thatBreaksTheProtocol_isInternal() {
    Outcome<ModelDescription> outcome =
        json.decodeModel(segment("{\"inputs\":[{\"name\":\"x\"}]}"));
    assertThat(((Outcome.Failed<ModelDescription>) outcome).problem())
        .isEqualTo(
            Problem.of(
                ErrorCode.INTERNAL,
                "response: inputs[0].datatype: missing or unknown (expected: a type of the"
                    + " protocol)"));
  }

  private static RepositoryModelUnloadRequest unload(
      String model, String parameter, ModelRepositoryParameter value) {
    return RepositoryModelUnloadRequest.newBuilder()
        .setModelName(model)
        .putParameters(parameter, value)
        .build();
  }

  private static String refusal(Outcome<?> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    Problem problem = ((Outcome.Failed<?>) outcome).problem();
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    return problem.message();
  }

  private static ModelConfiguration configuration(VersionPolicy policy) {
    return new ModelConfiguration(
        "m",
        "onnxruntime_onnx",
        "onnxruntime",
        policy,
        8,
        List.of(INPUT),
        List.of(OUTPUT),
        Map.of("y", "labels.txt"),
        2,
        "model.onnx",
        Map.of("k", "v"));
  }

  private static ModelStatistics statistics() {
    Inferences inferences =
        new Inferences(
            new Tally(1, 10),
            new Tally(2, 20),
            new Tally(3, 30),
            new Tally(4, 40),
            new Tally(5, 50),
            new Tally(6, 60),
            new Tally(7, 70),
            new Tally(8, Long.MAX_VALUE));
    Batches batches = new Batches(8, new Tally(1, 2), new Tally(3, 4), new Tally(5, 6));
    return new ModelStatistics("m", "1", 5, 6, 7, inferences, List.of(batches));
  }

  private static MemorySegment segment(String text) {
    return segment(text.getBytes(StandardCharsets.UTF_8));
  }

  private static MemorySegment segment(byte[] bytes) {
    return MemorySegment.ofArray(bytes);
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
