package meridian.protocol.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.ProblemException;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferRequest;
import meridian.core.infer.Parameter;
import meridian.core.infer.RequestedOutput;
import meridian.core.time.Deadline;
import meridian.proto.InferParameter;
import meridian.proto.InferTensorContents;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferRequest.InferInputTensor;
import meridian.proto.ModelInferRequest.InferRequestedOutputTensor;
import meridian.proto.ModelInferResponse;
import meridian.protocol.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GrpcFaultsTest {

  private static final long NOW = 1_000_000;

  private final InferGrpcCodec codec = new InferGrpcCodec(Limits.DEFAULT);

  @Test
  void typed_wrongCount_isRefused() {
    assertThat(refusal(typed("INT32", contents -> contents.addIntContents(1), 2, 4)))
        .isEqualTo("inputs[0].contents.int_contents: 1 elements (expected: 8 for shape [2,4])");
  }

  @Test
  void typed_wrongField_isRefused() {
    assertThat(refusal(typed("INT32", contents -> contents.addFp32Contents(1), 1)))
        .isEqualTo(
            "inputs[0].contents.fp32_contents: 1 elements (expected: none, as INT32 travels in"
                + " int_contents)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"FP16", "BF16"})
  void typed_sixteenBitFloats_areRefused(String type) {
    assertThat(refusal(typed(type, contents -> contents.addFp32Contents(1), 1)))
        .isEqualTo(
            "inputs[0].contents: %s in typed fields (expected: raw contents for %s)"
                .formatted(type, type));
  }

  @ParameterizedTest
  @CsvSource({
    "INT8,-129,-128 to 127",
    "INT8,128,-128 to 127",
    "INT16,32768,-32768 to 32767",
    "INT16,-32769,-32768 to 32767"
  })
  void typed_signedOutOfRange_isRefused(String type, int value, String range) {
    assertThat(
            refusal(typed(type, contents -> contents.addIntContents(0).addIntContents(value), 2)))
        .isEqualTo(
            "inputs[0].contents.int_contents[1]: %d (expected: a whole number from %s for %s)"
                .formatted(value, range, type));
  }

  @ParameterizedTest
  @CsvSource({"UINT8,256,0 to 255", "UINT8,4294967295,0 to 255", "UINT16,65536,0 to 65535"})
  void typed_unsignedOutOfRange_isRefused(String type, long value, String range) {
    assertThat(refusal(typed(type, contents -> contents.addUintContents((int) value), 1)))
        .isEqualTo(
            "inputs[0].contents.uint_contents[0]: %d (expected: a whole number from %s for %s)"
                .formatted(value, range, type));
  }

  @Test
  void raw_besideContents_isRefused() {
    ModelInferRequest request =
        typed("INT32", contents -> contents.addIntContents(1), 1).toBuilder()
            .addRawInputContents(bytes("1234"))
            .build();
    assertThat(refusal(request))
        .isEqualTo("inputs[0].contents: set beside raw contents (expected: one of them)");
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  void raw_surplusEntries_areRefused(int entries) {
    ModelInferRequest.Builder request = raw("FP32", "1234", 1).toBuilder();
    for (int i = 1; i < entries; i++) {
      request.addRawInputContents(bytes("1234"));
    }
    assertThat(refusal(request.build()))
        .isEqualTo(
            "raw_input_contents: " + entries + " entries (expected: 1, one for each tensor)");
  }

  @Test
  void raw_missingEntry_isRefused() {
    InferInputTensor more = InferInputTensor.newBuilder().setName("y").setDatatype("FP32").build();
    assertThat(refusal(raw("FP32", "1234", 1).toBuilder().addInputs(more).build()))
        .isEqualTo("raw_input_contents: 1 entries (expected: 2, one for each tensor)");
  }

  @Test
  void raw_wrongSize_isRefused() {
    assertThat(refusal(raw("FP32", "12345678", 3)))
        .isEqualTo(
            "raw_input_contents[0]: 8 bytes of raw data (expected: 12 for FP32 of shape [3])");
  }

  @ParameterizedTest
  @ValueSource(strings = {"abc", "\u0005\0\0\0ab", "\u00FF\u00FF\u00FF\u00FFab"})
  void raw_badlyFramedStrings_areRefused(String text) {
    assertThat(refusal(raw("BYTES", text, 1)))
        .startsWith(
            "raw_input_contents[0]: raw data of "
                + text.length()
                + " bytes with an element cut off");
  }

  @Test
  void raw_strings_areChecked() throws ProblemException {
    assertThat(
            decode(raw("BYTES", "\u0001\0\0\0a\0\0\0\0", 2))
                .orElseThrow()
                .request()
                .inputs()
                .getFirst()
                .tensor()
                .toStrings())
        .containsExactly(new byte[] {'a'}, new byte[0]);
    assertThat(refusal(raw("BYTES", "\u0001\0\0\0a", 2)))
        .isEqualTo("raw_input_contents[0]: 1 elements (expected: 2 for shape [2])");
  }

  @Test
  void raw_scalarAndEmpty_areTaken() throws ProblemException {
    assertThat(
            decode(raw("FP32", "\0\0\u0080?"))
                .orElseThrow()
                .request()
                .inputs()
                .getFirst()
                .tensor()
                .toFloats())
        .containsExactly(1f);
    assertThat(
            decode(raw("FP32", "", 0, 16))
                .orElseThrow()
                .request()
                .inputs()
                .getFirst()
                .tensor()
                .elementCount())
        .isZero();
  }

  @Test
  void raw_bytes_areNotCopied() throws ProblemException {
    byte[] memory = new byte[4];
    ModelInferRequest request =
        raw("FP32", "", 1).toBuilder()
            .setRawInputContents(0, UnsafeByteOperations.unsafeWrap(memory))
            .build();
    GrpcInfer infer = decode(request).orElseThrow();
    memory[3] = 0x40;
    assertThat(infer.request().inputs().getFirst().tensor().toFloats()).containsExactly(2f);
    assertThat(infer.format()).isEqualTo(GrpcFormat.RAW);
  }

  @Test
  void shape_wrong_isRefused() {
    assertThat(refusal(raw("FP32", "1234", -1)))
        .isEqualTo("inputs[0].shape[0]: -1 (expected: a whole number from 0 to 2^63-1)");
    assertThat(refusal(raw("FP32", "1234", 1L << 40, 1L << 40)))
        .isEqualTo(
            "inputs[0].shape: [1099511627776,1099511627776] (expected: at most 2^63-1 elements)");
    assertThat(refusal(raw("FP32", "1234", new long[33])))
        .isEqualTo("inputs[0].shape: 33 dimensions (expected: at most 32)");
    assertThat(refusal(typed("FP32", contents -> contents, 1L << 40, 1L << 40)))
        .isEqualTo(
            "inputs[0].shape: [1099511627776,1099511627776] (expected: at most 2^63-1 elements)");
  }

  @Test
  void names_wrong_areRefused() {
    ModelInferRequest good = raw("FP32", "1234", 1);
    assertThat(refusal(good.toBuilder().setModelName("../x").build()))
        .startsWith("model_name: \"../x\"");
    assertThat(
            refusal(
                good.toBuilder()
                    .setInputs(0, good.getInputs(0).toBuilder().setName("a\0"))
                    .build()))
        .isEqualTo("inputs[0].name: \"a?\" (expected: a name without NUL)");
    assertThat(
            refusal(
                good.toBuilder()
                    .addOutputs(InferRequestedOutputTensor.getDefaultInstance())
                    .build()))
        .isEqualTo("outputs[0].name: \"\" (expected: a name without NUL)");
    assertThat(
            refusal(
                good.toBuilder()
                    .setInputs(0, good.getInputs(0).toBuilder().setDatatype("fp32"))
                    .build()))
        .startsWith("inputs[0].datatype: \"fp32\" (expected: one of [BOOL, ");
  }

  @Test
  void parameters_ofTheProtocol_areConsumed() throws ProblemException {
    ModelInferRequest request =
        raw("FP32", "1234", 1).toBuilder()
            .putParameters("timeout", InferParameter.newBuilder().setUint64Param(5).build())
            .putParameters("priority", InferParameter.newBuilder().setUint64Param(1).build())
            .putParameters("own", InferParameter.newBuilder().setUint64Param(-1).build())
            .addOutputs(
                InferRequestedOutputTensor.newBuilder()
                    .setName("y")
                    .putParameters(
                        "classification", InferParameter.newBuilder().setInt64Param(2).build()))
            .build();
    GrpcInfer infer = decode(request).orElseThrow();
    assertThat(infer.request().deadline()).isEqualTo(Deadline.at(NOW + 5_000));
    assertThat(infer.request().priority()).isEqualTo(1);
    assertThat(infer.request().version()).isNull();
    assertThat(infer.request().outputs()).containsExactly(new RequestedOutput("y", 2));
    assertThat(infer.request().parameters().values())
        .containsOnly(Map.entry("own", new Parameter.Unsigned(-1)));
  }

  @Test
  void parameter_withoutValue_isRefused() {
    assertThat(
            refusal(
                raw("FP32", "1234", 1).toBuilder()
                    .putParameters("p", InferParameter.getDefaultInstance())
                    .build()))
        .isEqualTo("parameters.p: no value (expected: a string, number or boolean)");
  }

  @Test
  void requestWithoutInputs_isAnsweredRaw() throws ProblemException {
    ModelInferRequest request = ModelInferRequest.newBuilder().setModelName("m").build();
    assertThat(decode(request).orElseThrow().format()).isEqualTo(GrpcFormat.RAW);
  }

  @Test
  void answer_thatBreaksTheProtocol_isInternal() {
    ModelInferResponse response =
        ModelInferResponse.newBuilder().addRawOutputContents(ByteString.EMPTY).build();
    assertThat(codec.decodeResponse(response))
        .isInstanceOfSatisfying(
            Outcome.Failed.class,
            failed -> assertThat(failed.problem().code()).isEqualTo(ErrorCode.INTERNAL));
  }

  private Outcome<GrpcInfer> decode(ModelInferRequest request) {
    return codec.decode(
        request, new GrpcCall(Deadline.NONE, new Cancellation(), NOW, InferRequest.NO_TENANT));
  }

  private String refusal(ModelInferRequest request) {
    assertThat(decode(request)).isInstanceOf(Outcome.Failed.class);
    Outcome.Failed<GrpcInfer> failed = (Outcome.Failed<GrpcInfer>) decode(request);
    assertThat(failed.problem().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    return failed.problem().message();
  }

  private static ModelInferRequest typed(
      String type, UnaryOperator<InferTensorContents.Builder> contents, long... shape) {
    InferInputTensor.Builder input =
        tensor(type, shape).setContents(contents.apply(InferTensorContents.newBuilder()));
    return ModelInferRequest.newBuilder().setModelName("m").addInputs(input).build();
  }

  private static ModelInferRequest raw(String type, String latin1, long... shape) {
    return ModelInferRequest.newBuilder()
        .setModelName("m")
        .addInputs(tensor(type, shape))
        .addRawInputContents(bytes(latin1))
        .build();
  }

  private static InferInputTensor.Builder tensor(String type, long... shape) {
    List<Long> dims = Arrays.stream(shape).boxed().toList();
    return InferInputTensor.newBuilder().setName("x").setDatatype(type).addAllShape(dims);
  }

  private static ByteString bytes(String latin1) {
    return ByteString.copyFrom(latin1, StandardCharsets.ISO_8859_1);
  }
}
