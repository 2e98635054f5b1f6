package meridian.protocol.http;

import static meridian.protocol.http.Requests.call;
import static meridian.protocol.http.Requests.codec;
import static meridian.protocol.http.Requests.problem;
import static meridian.protocol.http.Requests.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.infer.InferRequest;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BinaryTest {

  private static final String ADD2 =
      "{\"inputs\":[{\"name\":\"a\",\"shape\":[2],\"datatype\":\"FP32\",\"parameters\":{\"binary_data_size\":%s}},"
          + "{\"name\":\"b\",\"shape\":[2],\"datatype\":\"FP32\",\"parameters\":{\"binary_data_size\":%s}}]}";

  @Test
  void tensors_inOrderOfTheJson_takeTheirOwnBytes() {
    HttpInfer infer = value(codec().decode(body(ADD2.formatted(8, 8), floats(1, 2, 3, 4)), call()));
    assertThat(infer.request().inputs().get(0).tensor().toFloats()).containsExactly(1, 2);
    assertThat(infer.request().inputs().get(1).tensor().toFloats()).containsExactly(3, 4);
  }

  @Test
  void tensors_binaryAndJsonMixed_areBothRead() {
    String json =
        "{\"inputs\":[{\"name\":\"a\",\"shape\":[1],\"datatype\":\"FP32\",\"data\":[9]},"
            + "{\"name\":\"b\",\"parameters\":{\"binary_data_size\":4},\"datatype\":\"FP32\",\"shape\":[1]}]}";
    HttpInfer infer = value(codec().decode(body(json, floats(7)), call()));
    assertThat(infer.request().inputs().get(0).tensor().toFloats()).containsExactly(9);
    assertThat(infer.request().inputs().get(1).tensor().toFloats()).containsExactly(7);
  }

  @Test
  void blob_inTheBody_isNotCopied() {
    HttpInferBody body = body(ADD2.formatted(8, 8), floats(1, 2, 3, 4));
    MemorySegment data =
        value(codec().decode(body, call())).request().inputs().get(1).tensor().data();
    assertThat(data.heapBase()).isEqualTo(body.bytes().heapBase());
    assertThat(data.address()).isEqualTo(body.bytes().byteSize() - 8);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "8|8|12|inputs[1].parameters.binary_data_size: 8 bytes (expected: at most the 4 bytes left"
            + " behind the JSON)",
        "8|8|20|inputs[1]: 20 bytes of binary data behind the JSON (expected: 16 bytes, the sum of"
            + " every binary_data_size)",
        "8|7|15|inputs[1].parameters.binary_data_size: 7 bytes of raw data (expected: 8 for FP32 of"
            + " shape [2])",
        "12|4|16|inputs[0].parameters.binary_data_size: 12 bytes of raw data (expected: 8 for FP32"
            + " of shape [2])",
        "-8|8|16|inputs[0].parameters.binary_data_size: -8 (expected: a whole number from 0 to"
            + " 2^63-1)",
        "\"8\"|8|16|inputs[0].parameters.binary_data_size: \"8\" (expected: a whole number from 0"
            + " to 2^63-1)",
        "8.0|8|16|inputs[0].parameters.binary_data_size: 8.0 (expected: a whole number from 0 to"
            + " 2^63-1)",
        "9223372036854775807|8|16|inputs[0].parameters.binary_data_size: 9223372036854775807 bytes"
            + " of raw data (expected: 8 for FP32 of shape [2])",
      })
  void sizes_unlikeTheBytes_nameTensorAndBothCounts(
      String first, String second, int bytes, String message) {
    assertThat(refusal(body(ADD2.formatted(first, second), new byte[bytes]))).isEqualTo(message);
  }

  @Test
  void tensor_withDataAndSize_isRefused() {
    String json =
        "{\"inputs\":[{\"name\":\"a\",\"shape\":[1],\"datatype\":\"FP32\",\"data\":[1],\"parameters\":{\"binary_data_size\":4}}]}";
    assertThat(refusal(body(json, new byte[4])))
        .isEqualTo("inputs[0]: both data and binary_data_size (expected: one of them)");
  }

  @Test
  void tensor_withoutData_isRefused() {
    String json = "{\"inputs\":[{\"name\":\"a\",\"shape\":[1],\"datatype\":\"FP32\"}]}";
    assertThat(refusal(body(json, new byte[0])))
        .isEqualTo("inputs[0].data: missing (expected: an array, or parameters.binary_data_size)");
  }

  @Test
  void header_beyondTheBody_isRefused() {
    HttpInferBody body = new HttpInferBody(MemorySegment.ofArray(new byte[4]), 5);
    assertThat(refusal(body))
        .isEqualTo("inference-header-content-length: 5 (expected: at most the body's 4 bytes)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[1]|abc|inputs[0]: raw data of 3 bytes with an element cut off (expected: each element's"
            + " length as a little-endian uint32, then its bytes)",
        "[1]|\\5\\0\\0\\0ab|inputs[0]: raw data of 6 bytes with an element cut off (expected: each"
            + " element's length as a little-endian uint32, then its bytes)",
        "[1]|\\377\\377\\377\\377ab|inputs[0]: raw data of 6 bytes with an element cut off"
            + " (expected: each element's length as a little-endian uint32, then its bytes)",
        "[1]|\\1\\0\\0\\0abc|inputs[0]: raw data of 7 bytes with an element cut off (expected: each"
            + " element's length as a little-endian uint32, then its bytes)",
        "[2]|\\1\\0\\0\\0a|inputs[0]: 1 elements (expected: 2 for shape [2])",
        "[1]|\\1\\0\\0\\0a\\0\\0\\0\\0|inputs[0]: 2 elements (expected: 1 for shape [1])",
      })
  void strings_badlyFramed_areRefused(String shape, String octal, String message) {
    byte[] bytes = octal.translateEscapes().getBytes(StandardCharsets.ISO_8859_1);
    assertThat(refusal(body(strings(shape, bytes.length), bytes))).isEqualTo(message);
  }

  @Test
  void strings_withEmptyElement_areTaken() {
    byte[] bytes = {0, 0, 0, 0, 1, 0, 0, 0, 'a'};
    HttpInfer infer = value(codec().decode(body(strings("[2]", bytes.length), bytes), call()));
    assertThat(infer.request().inputs().getFirst().tensor().toStrings())
        .containsExactly(new byte[0], new byte[] {'a'});
  }

  @Test
  void booleans_otherThanZeroAndOne_areRefused() {
    String json =
        "{\"inputs\":[{\"name\":\"a\",\"shape\":[3],\"datatype\":\"BOOL\",\"parameters\":{\"binary_data_size\":3}}]}";
    assertThat(refusal(body(json, new byte[] {0, 1, 2})))
        .isEqualTo("inputs[0].data[2]: 2 (expected: 0 or 1 for BOOL)");
  }

  @Test
  void shape_beyondAnyBody_isRefused() {
    String json =
        "{\"inputs\":[{\"name\":\"a\",\"shape\":[4611686018427387904],\"datatype\":\"FP64\",\"parameters\":{\"binary_data_size\":8}}]}";
    assertThat(refusal(body(json, new byte[8])))
        .isEqualTo(
            "inputs[0].parameters.binary_data_size: 8 bytes of raw data (expected:"
                + " 4611686018427387904 times 8 for FP64 of shape [4611686018427387904])");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"-1|[6]", "-1,3|[2,3]", "2,-1|[2,3]", "6|[6]", "2,-1,0,1|"})
  void rawBody_oneVariableDimension_followsFromTheSize(String dims, String shape) {
    TensorSpec spec = TensorSpec.of("x", DataType.FP32, dims(dims));
    HttpInferBody raw = raw(floats(1, 2, 3, 4, 5, 6));
    if (shape == null) {
      assertThat(problem(codec(spec).decode(raw, call())).message())
          .isEqualTo("body: 24 bytes (expected: a multiple of 0 for FP32 of shape [2,-1,0,1])");
      return;
    }
    HttpInfer infer = value(codec(spec).decode(raw, call()));
    assertThat(infer.request().inputs().getFirst().name()).isEqualTo("x");
    assertThat(infer.request().inputs().getFirst().tensor().shape()).hasToString(shape);
    assertThat(infer.format()).isEqualTo(ResponseFormat.BINARY);
  }

  @Test
  void rawBody_notFitting_isRefused() {
    byte[] six = floats(1, 2, 3, 4, 5, 6);
    assertThat(problem(codec(TensorSpec.of("x", DataType.FP32, -1, 5)).decode(raw(six), call())))
        .extracting(Problem::message)
        .isEqualTo("body: 24 bytes (expected: a multiple of 20 for FP32 of shape [-1,5])");
    assertThat(problem(codec(TensorSpec.of("x", DataType.FP32, -1, -1)).decode(raw(six), call())))
        .extracting(Problem::message)
        .isEqualTo(
            "body: a raw tensor for shape [-1,-1] (expected: JSON, unless one dimension varies at"
                + " most)");
    TensorSpec spec = TensorSpec.of("x", DataType.FP32, -1);
    TensorSpec other = TensorSpec.of("y", DataType.FP32, -1);
    assertThat(problem(codec(spec, other).decode(raw(six), call())))
        .extracting(Problem::message)
        .isEqualTo(
            "body: a raw tensor for a model with 2 inputs (expected: JSON, unless the model has one"
                + " input)");
  }

  @Test
  void rawBody_ofBytes_isOneElement() {
    byte[] image = {'J', 'P', 'G'};
    Tensor tensor =
        value(codec(TensorSpec.of("x", DataType.BYTES, -1, 1)).decode(raw(image), call()))
            .request()
            .inputs()
            .getFirst()
            .tensor();
    assertThat(tensor.shape()).hasToString("[1,1]");
    assertThat(tensor.toStrings()).containsExactly(image);
  }

  @Test
  void rawBody_forUnknownModel_isNotFound() {
    Call call =
        new Call(
            "other", null, call().deadline(), call().cancellation(), 0, InferRequest.NO_TENANT);
    assertThat(problem(codec().decode(raw(new byte[4]), call)).code())
        .isEqualTo(ErrorCode.NOT_FOUND);
  }

  private static String strings(String shape, int size) {
    return "{\"inputs\":[{\"name\":\"a\",\"shape\":%s,\"datatype\":\"BYTES\",\"parameters\":{\"binary_data_size\":%d}}]}"
        .formatted(shape, size);
  }

  private static String refusal(HttpInferBody body) {
    Problem problem = problem(codec().decode(body, call()));
    assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    return problem.message();
  }

  private static HttpInferBody raw(byte[] bytes) {
    return new HttpInferBody(MemorySegment.ofArray(bytes), 0);
  }

  private static HttpInferBody body(String json, byte[] blobs) {
    byte[] head = json.getBytes(StandardCharsets.UTF_8);
    byte[] all = Arrays.copyOf(head, head.length + blobs.length);
    System.arraycopy(blobs, 0, all, head.length, blobs.length);
    return new HttpInferBody(MemorySegment.ofArray(all), head.length);
  }

  private static byte[] floats(float... values) {
    byte[] bytes = new byte[4 * values.length];
    MemorySegment.copy(values, 0, MemorySegment.ofArray(bytes), Tensor.FP32, 0, values.length);
    return bytes;
  }

  private static long[] dims(String text) {
    return Arrays.stream(text.split(",", -1)).mapToLong(Long::parseLong).toArray();
  }
}
