package meridian.protocol.http;

import static meridian.protocol.http.Requests.call;
import static meridian.protocol.http.Requests.codec;
import static meridian.protocol.http.Requests.decoded;
import static meridian.protocol.http.Requests.problem;
import static meridian.protocol.http.Requests.refusal;
import static meridian.protocol.http.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.List;
import meridian.core.error.ErrorCode;
import meridian.core.infer.InferRequest;
import meridian.core.model.Signature;
import meridian.protocol.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WrongStructureTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"inputs\":{}} | inputs: an object (expected: an array)",
        "{\"inputs\":null} | inputs: null (expected: an array)",
        "{\"inputs\":[null]} | inputs[0]: null (expected: an object)",
        "{} | inputs: missing (expected: an array of tensors)",
        "[] | body: an array (expected: an object)",
        "null | body: null (expected: an object)",
        "`` | body: nothing (expected: an object)",
        "{\"id\":7,\"inputs\":[]} | id: 7 (expected: a string)",
        "{\"inputs\":[],\"outputs\":[{}]} | outputs[0].name: missing (expected: a string)",
        "{\"inputs\":[],\"outputs\":[\"y\"]} | outputs[0]: \"y\" (expected: an object)",
        "{\"inputs\":[],\"outputs\":[{\"name\":\"y\",\"parameters\":{\"binary_data\":1}}]} |"
            + " outputs[0].parameters.binary_data: 1 (expected: true or false)",
        "{\"inputs\":[],\"parameters\":[]} | parameters: an array (expected: an object)",
        "{\"inputs\":[],\"parameters\":{\"a\":null}} | parameters.a: null (expected: a string,"
            + " number or boolean)",
        "{\"inputs\":[],\"parameters\":{\"a\":{}}} | parameters.a: an object (expected: a string,"
            + " number or boolean)",
        "{\"inputs\":[],\"parameters\":{\"a\":18446744073709551616}} | parameters.a:"
            + " 18446744073709551616 (expected: a whole number from -2^63 to 2^64-1)",
        "{\"inputs\":[],\"parameters\":{\"a\":NaN}} | parameters.a: NaN (expected: a finite"
            + " number)",
        "{\"inputs\":[],\"parameters\":{\"timeout\":-1}} | parameters.timeout: -1 (expected: a"
            + " whole number from 0 to 9223372036854775807)",
        "{\"inputs\":[],\"parameters\":{\"timeout\":1.5}} | parameters.timeout: 1.5 (expected: a"
            + " whole number from 0 to 9223372036854775807)",
        "{\"inputs\":[],\"parameters\":{\"priority\":\"high\"}} | parameters.priority: \"high\""
            + " (expected: a whole number from 0 to 2147483647)",
        "{\"inputs\":[],\"parameters\":{\"allow_nan\":\"true\"}} | parameters.allow_nan: \"true\""
            + " (expected: true or false)",
      })
  void request_wrongStructure_namesField(String json, String message) {
    assertThat(refusal(json)).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "FP32 | \"-1\" | [1] | inputs[0].shape: \"-1\" (expected: an array)",
        "FP32 | [1.5] | [1] | inputs[0].shape[0]: 1.5 (expected: a whole number from 0 to 2^63-1)",
        "FP32 | [-1] | [1] | inputs[0].shape[0]: -1 (expected: a whole number from 0 to 2^63-1)",
        "FP32 | [9223372036854775808] | [1] | inputs[0].shape[0]: 9223372036854775808 (expected: a"
            + " whole number from 0 to 2^63-1)",
        "FP32 | [1] | [{\"b64\":\"AA==\"}] | inputs[0].data[0]: an object (expected: a number for"
            + " FP32)",
        "FP32 | [1] | null | inputs[0].data: null (expected: an array for shape [1])",
        "FP32 | [20,20] | null | inputs[0].data: null (expected: an array for shape [20,20])",
        "FP32 | [1] | 3 | inputs[0].data: 3 (expected: an array for shape [1])",
        "FP32 | [] | [[3]] | inputs[0].data[0]: an array (expected: a number for FP32)",
        "FP32 | [] | [] | inputs[0].data: 0 elements (expected: 1 for shape [])",
        "FP32 | [2,2] | [1,2,3] | inputs[0].data: 3 elements (expected: 4 for shape [2,2])",
        "FP32 | [2,2] | [1,2,3,4,5,6] | inputs[0].data: 6 elements (expected: 4 for shape [2,2])",
        "FP32 | [2,2] | [[1,2],[3]] | inputs[0].data[1]: 1 elements (expected: 2 for shape [2,2])",
        "FP32 | [2,2] | [[1,2],[3,4,5]] | inputs[0].data[1]: 3 elements (expected: 2 for shape"
            + " [2,2])",
        "FP32 | [2,2] | [[1,2],3] | inputs[0].data[1]: 3 (expected: an array, as shape [2,2] is"
            + " nested)",
        "FP32 | [2,2] | [1,[2],3,4] | inputs[0].data[1]: an array (expected: a number for FP32)",
        "FP32 | [2,2] | [[1,2,3,4]] | inputs[0].data[0]: 4 elements (expected: 2 for shape [2,2])",
        "FP32 | [2,2] | [[[1,2],[3,4]]] | inputs[0].data[0][0]: an array (expected: a number for"
            + " FP32)",
        "FP32 | [2,2] | [[1,2]] | inputs[0].data: 1 elements (expected: 2 for shape [2,2])",
        "FP32 | [2,2] | [[1,2],[3,4],[5,6]] | inputs[0].data: 3 elements (expected: 2 for shape"
            + " [2,2])",
        "FP32 | [1] | [\"1\"] | inputs[0].data[0]: \"1\" (expected: a number for FP32)",
        "FP32 | [1] | [true] | inputs[0].data[0]: true (expected: a number for FP32)",
        "FP32 | [1] | [null] | inputs[0].data[0]: null (expected: a number for FP32)",
        "FP32 | [1] | [-INF] | inputs[0].data[0]: -INF (expected: a number, NaN, Infinity or"
            + " -Infinity for FP32)",
        "BOOL | [1] | [1] | inputs[0].data[0]: 1 (expected: true or false for BOOL)",
        "BYTES | [1] | [1] | inputs[0].data[0]: 1 (expected: a string for BYTES)",
        "BYTES | [1] | [\"\\ud800\"] | inputs[0].data[0]: \"?\" (expected: whole surrogate pairs)",
        "FP31 | [1] | [1] | inputs[0].datatype: \"FP31\" (expected: one of [BOOL, UINT8, UINT16,"
            + " UINT32, UINT64, INT8, INT16, INT32, INT64, FP16, BF16, FP32, FP64, BYTES])",
      })
  void tensor_wrongStructure_namesField(String type, String shape, String data, String message) {
    assertThat(refusal(request(type, shape, data))).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"inputs\":[",
        "{\"inputs\":[]} {\"inputs\":[]}",
        "{\"inputs\":[]},",
        "{inputs:[]}"
      })
  void request_notOneDocument_isRefused(String json) {
    assertThat(refusal(json)).contains("(expected: ");
  }

  @Test
  void request_repeatedKeys_areRefused() {
    assertThat(refusal("{\"inputs\":[],\"inputs\":[]}")).startsWith("inputs: ");
    assertThat(refusal("{\"inputs\":[],\"parameters\":{\"a\":1,\"a\":1}}"))
        .startsWith("parameters.a: ");
    assertThat(refusal("{\"inputs\":[],\"unknown\":{\"a\":1,\"a\":1}}")).startsWith("unknown.a: ");
  }

  @Test
  void name_withNulOrEmpty_isRefused() {
    String request = request("FP32", "[1]", "[1]");
    assertThat(refusal(request.replace("\"x\"", "\"a\\u0000b\"")))
        .isEqualTo("inputs[0].name: \"a?b\" (expected: a name without NUL)");
    assertThat(refusal(request.replace("\"x\"", "\"\"")))
        .isEqualTo("inputs[0].name: \"\" (expected: a name without NUL)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"..", "../x", "..%2f..%2fetc", "a b", "a+b", "a/b", "a\0b", "", "-a"})
  void modelName_againstTheRule_isRefused(String name) {
    Call call =
        new Call(name, null, call().deadline(), call().cancellation(), 0, InferRequest.NO_TENANT);
    assertThat(
            problem(
                codec()
                    .decode(
                        HttpInferBody.json("{\"inputs\":[]}".getBytes(StandardCharsets.UTF_8)),
                        call)))
        .satisfies(problem -> assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .satisfies(problem -> assertThat(problem.message()).startsWith("model: "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"FP32\",\"data\":NEST}]}",
        "{\"inputs\":[{\"name\":\"x\",\"data\":NEST,\"shape\":[1],\"datatype\":\"FP32\"}]}",
        "{\"unknown\":NEST,\"inputs\":[]}",
        "{\"parameters\":{\"a\":NEST},\"inputs\":[]}",
        "{\"parameters\":NEST,\"inputs\":[]}",
        "NEST"
      })
  void nesting_veryDeep_isRefused(String template) {
    String nest = "[".repeat(100_000) + "1" + "]".repeat(100_000);
    assertThat(refusal(template.replace("NEST", nest))).contains("(expected: ");
  }

  @Test
  void nesting_aboveTheLimitInUnknownField_isRefused() {
    int most = Limits.DEFAULT.maxDepth() - 1;
    decoded("{\"u\":" + "[".repeat(most) + "]".repeat(most) + ",\"inputs\":[]}");
    assertThat(refusal("{\"u\":" + "[".repeat(most + 1) + "]".repeat(most + 1) + ",\"inputs\":[]}"))
        .startsWith("u[0]");
  }

  @Test
  void shape_beyondTheBody_isRefusedBeforeAllocation() {
    assertThat(refusal(request("FP32", "[100000,100000]", "[1]")))
        .startsWith("inputs[0].shape: [100000,100000], 10000000000 elements (expected: at most ");
    assertThat(refusal(request("FP32", "[4294967296,4294967296]", "[1]")))
        .isEqualTo("inputs[0].shape: [4294967296,4294967296] (expected: at most 2^63-1 elements)");
    assertThat(refusal(request("FP32", "[" + "1,".repeat(40) + "1]", "[1]")))
        .isEqualTo("inputs[0].shape: more dimensions (expected: at most 32)");
  }

  @Test
  void body_overTheLimit_isTooLarge() {
    InferHttpCodec codec =
        new InferHttpCodec(
            new Limits(10, 8, 8), new OneModel(new Signature(List.of(), List.of(), false)));
    assertThat(problem(codec.decode(HttpInferBody.json(new byte[11]), call())))
        .satisfies(problem -> assertThat(problem.code()).isEqualTo(ErrorCode.TOO_LARGE))
        .satisfies(
            problem ->
                assertThat(problem.message()).isEqualTo("body: 11 bytes (expected: at most 10)"));
  }

  @Test
  void body_offHeap_isReadToo() {
    byte[] json = request("FP32", "[1]", "[1]").getBytes(StandardCharsets.UTF_8);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(json.length).copyFrom(MemorySegment.ofArray(json));
      HttpInfer infer = Requests.value(codec().decode(new HttpInferBody(bytes, -1), call()));
      assertThat(infer.request().inputs().getFirst().tensor().toFloats()).containsExactly(1f);
    }
  }
}
