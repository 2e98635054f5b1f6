package meridian.protocol.http;

import static meridian.protocol.http.Requests.codec;
import static meridian.protocol.http.Requests.json;
import static meridian.protocol.http.Requests.problem;
import static meridian.protocol.http.Requests.response;
import static meridian.protocol.http.Requests.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferResponse;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.protocol.http.ResponseFormat.OutputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseTest {

  private static final NamedTensor SUM =
      new NamedTensor("OUTPUT0", Tensor.ofFloats(Shape.of(2), 0.1f, 1111111f));
  private static final NamedTensor DIFFERENCE =
      new NamedTensor("OUTPUT1", Tensor.ofFloats(Shape.of(1), -2f));
  private static final NamedTensor QUOTIENT =
      new NamedTensor(
          "z",
          Tensor.ofFloats(
              Shape.of(4), Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, 2f));

  @Test
  void response_inJson_hasTheProtocolsFields() {
    InferResponse response =
        new InferResponse(
            "m",
            "3",
            "x\n",
            Parameters.NONE.with("truncated", new Parameter.Bool(true)),
            List.of(SUM),
            LatencyBreakdown.ZERO);
    assertThat(json(value(codec().encode(response, ResponseFormat.JSON))))
        .isEqualTo(
            "{\"model_name\":\"m\",\"model_version\":\"3\",\"id\":\"x\\n"
                + "\",\"parameters\":{\"truncated\":true},\"outputs\":["
                + "{\"name\":\"OUTPUT0\",\"datatype\":\"FP32\",\"shape\":[2],\"data\":[0.1,1111111.0]}]}");
  }

  @Test
  void response_mixed_hasBlobsOfTheBinaryOutputsOnly() {
    ResponseFormat format =
        new ResponseFormat(OutputFormat.BINARY, false, Map.of("OUTPUT0", OutputFormat.JSON));
    HttpInferReply reply = value(codec().encode(response(SUM, DIFFERENCE), format));
    assertThat(json(reply))
        .isEqualTo(
            "{\"model_name\":\"m\",\"model_version\":\"3\",\"outputs\":["
                + "{\"name\":\"OUTPUT0\",\"datatype\":\"FP32\",\"shape\":[2],\"data\":[0.1,1111111.0]},"
                + "{\"name\":\"OUTPUT1\",\"datatype\":\"FP32\",\"shape\":[1],\"parameters\":{\"binary_data_size\":4}}]}");
    assertThat(reply.blobs()).containsExactly(DIFFERENCE.tensor().data());
    assertThat(reply.byteSize()).isEqualTo(reply.json().length + 4L);
  }

  @Test
  void response_emptyBinaryOutput_isStillBinary() {
    NamedTensor empty = new NamedTensor("e", Tensor.ofFloats(Shape.of(0, 4)));
    HttpInferReply reply = value(codec().encode(response(empty), ResponseFormat.BINARY));
    assertThat(reply.isBinary()).isTrue();
    assertThat(json(reply)).contains("\"shape\":[0,4]", "\"binary_data_size\":0");
  }

  @Test
  void response_scalar_hasEmptyShapeAndOneElement() {
    NamedTensor scalar = new NamedTensor("s", Tensor.ofLongs(Shape.SCALAR, 3));
    assertThat(json(value(codec().encode(response(scalar), ResponseFormat.JSON))))
        .contains("\"shape\":[],\"data\":[3]");
  }

  @Test
  void nan_inJson_isNotRepresentable() {
    Problem problem = problem(codec().encode(response(SUM, QUOTIENT), ResponseFormat.JSON));
    assertThat(problem.code()).isEqualTo(ErrorCode.NOT_REPRESENTABLE);
    assertThat(problem.message())
        .isEqualTo(
            "outputs[1].data[0]: NaN in \"z\" (expected: finite numbers, or a request for binary"
                + " data or with \"allow_nan\": true)");
  }

  @Test
  void nan_allowed_isABareToken() {
    ResponseFormat format = new ResponseFormat(OutputFormat.JSON, true, Map.of());
    assertThat(json(value(codec().encode(response(QUOTIENT), format))))
        .contains("\"data\":[NaN,Infinity,-Infinity,2.0]");
  }

  @Test
  void nan_inBinary_keepsItsBits() {
    HttpInferReply reply = value(codec().encode(response(QUOTIENT), ResponseFormat.BINARY));
    assertThat(reply.blobs().getFirst().mismatch(QUOTIENT.tensor().data())).isEqualTo(-1);
  }

  @Test
  void infinity_inSixteenBits_isNotRepresentable() {
    for (DataType type : List.of(DataType.FP16, DataType.BF16)) {
      MemorySegment data =
          MemorySegment.ofArray(new byte[] {0, (byte) (type == DataType.FP16 ? 0x7C : 0x80), 0, 0});
      data.set(Tensor.INT16, 2, (short) (type == DataType.FP16 ? 0xFC00 : 0xFF80));
      NamedTensor named = new NamedTensor("h", new Tensor(type, Shape.of(2), data));
      assertThat(problem(codec().encode(response(named), ResponseFormat.JSON)).message())
          .startsWith(
              type == DataType.FP16
                  ? "outputs[0].data[0]: Infinity"
                  : "outputs[0].data[1]: -Infinity");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "BOOL,1,true",
    "INT8,-128,-128",
    "UINT8,-1,255",
    "INT16,-32768,-32768",
    "UINT16,-1,65535",
    "INT32,-2147483648,-2147483648",
    "UINT32,-1,4294967295",
    "INT64,-9223372036854775808,-9223372036854775808",
    "UINT64,-1,18446744073709551615",
    "UINT64,9007199254740993,9007199254740993",
    "FP16,15872,1.5",
    "BF16,16320,1.5"
  })
  void element_ofEachType_isWrittenExactly(DataType type, long bits, String text) {
    byte[] eight = new byte[8];
    MemorySegment.ofArray(eight).set(Tensor.INT64, 0, bits);
    MemorySegment data = MemorySegment.ofArray(eight).asSlice(0, type.byteSize());
    NamedTensor named = new NamedTensor("x", new Tensor(type, Shape.of(1), data));
    assertThat(json(value(codec().encode(response(named), ResponseFormat.JSON))))
        .contains("\"data\":[" + text + "]}");
  }

  @Test
  void strings_text_isEscaped() {
    NamedTensor named = strings("a\"b\\\n\u0000", "é😀", "");
    assertThat(json(value(codec().encode(response(named), ResponseFormat.JSON))))
        .contains("\"data\":[\"a\\\"b\\\\\\n\\u0000\",\"é😀\",\"\"]");
  }

  @Test
  void strings_notUtf8_areRefusedOrBase64() {
    NamedTensor named =
        new NamedTensor(
            "s",
            Tensor.ofStrings(Shape.of(2), List.of(new byte[] {'a'}, new byte[] {(byte) 0xC3})));
    Problem problem = problem(codec().encode(response(named), ResponseFormat.JSON));
    assertThat(problem.code()).isEqualTo(ErrorCode.NOT_REPRESENTABLE);
    assertThat(problem.message())
        .startsWith("outputs[0].data[1]: bytes that are not UTF-8 in \"s\"");
    ResponseFormat base64 = new ResponseFormat(OutputFormat.BASE64, false, Map.of());
    assertThat(json(value(codec().encode(response(named), base64))))
        .contains("\"parameters\":{\"content_encoding\":\"base64\"},\"data\":[\"YQ==\",\"ww==\"]");
  }

  @Test
  void manyFloats_overSeveralFlushes_areAllThere() {
    float[] values = new float[10_000];
    for (int i = 0; i < values.length; i++) {
      values[i] = Float.intBitsToFloat(0x3F800000 + i);
    }
    NamedTensor named = new NamedTensor("x", Tensor.ofFloats(Shape.of(100, 100), values));
    HttpInferReply reply = value(codec().encode(response(named), ResponseFormat.JSON));
    InferResponse read = value(codec().decodeResponse(HttpInferBody.json(reply.json())));
    assertThat(read.outputs().getFirst().tensor().toFloats()).containsExactly(values);
  }

  @Test
  void answer_thatBreaksTheProtocol_isInternal() {
    for (String json : List.of("", "{}", "[]", "{\"outputs\":[{\"name\":\"x\"}]}")) {
      byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
      Problem problem = problem(codec().decodeResponse(HttpInferBody.json(bytes)));
      assertThat(problem.code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(problem.message()).startsWith("response: ");
    }
  }

  private static NamedTensor strings(String... texts) {
    List<byte[]> elements =
        Arrays.stream(texts).map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    return new NamedTensor("s", Tensor.ofStrings(Shape.of(texts.length), elements));
  }
}
