package meridian.protocol.http;

import static meridian.protocol.SameTensors.assertSameBits;
import static meridian.protocol.SameTensors.withOneNan;
import static meridian.protocol.http.Requests.body;
import static meridian.protocol.http.Requests.call;
import static meridian.protocol.http.Requests.codec;
import static meridian.protocol.http.Requests.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.infer.RequestedOutput;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.time.Deadline;
import meridian.protocol.RandomTensors;
import meridian.protocol.http.ResponseFormat.OutputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoundTripTest {

  private static final int ROUNDS = 300;
  private static final Parameters PARAMETERS =
      Parameters.NONE
          .with("text", new Parameter.Text("\u0001\"\\ é 😀"))
          .with("flag", new Parameter.Bool(true))
          .with("low", new Parameter.Int(Long.MIN_VALUE))
          .with("high", new Parameter.Unsigned(-1))
          .with("real", new Parameter.Real(1e300));

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void request_randomTensors_comesBackBitByBit(boolean binary) {
    RandomTensors tensors = new RandomTensors(binary ? 1 : 2);
    for (int i = 0; i < ROUNDS; i++) {
      List<NamedTensor> inputs = tensors.several();
      HttpInfer infer =
          value(codec().decode(body(codec().encodeRequest(request(inputs), binary)), call()));
      assertSameBits(infer.request().inputs(), binary ? inputs : withOneNan(inputs));
      assertThat(infer.request().parameters()).isEqualTo(PARAMETERS);
      assertThat(infer.request().id()).isEqualTo("id \"1\"");
      assertThat(infer.request().priority()).isEqualTo(2);
      assertThat(infer.request().outputs())
          .containsExactly(RequestedOutput.of("y"), new RequestedOutput("z", 5));
      assertThat(infer.format().standard())
          .isEqualTo(binary ? OutputFormat.BINARY : OutputFormat.JSON);
    }
  }

  @ParameterizedTest
  @EnumSource(OutputFormat.class)
  void response_randomTensors_comesBackBitByBit(OutputFormat standard) {
    RandomTensors tensors = new RandomTensors(standard.ordinal());
    Random random = new Random(7);
    for (int i = 0; i < ROUNDS; i++) {
      List<NamedTensor> outputs = tensors.several();
      ResponseFormat format = new ResponseFormat(standard, true, some(outputs, random));
      InferResponse response =
          new InferResponse("m", "3", "id", PARAMETERS, outputs, LatencyBreakdown.ZERO);
      InferResponse read =
          value(codec().decodeResponse(body(value(codec().encode(response, format)))));
      assertSameBits(withOneNan(read.outputs()), withOneNan(outputs));
      assertThat(read).usingRecursiveComparison().ignoringFields("outputs").isEqualTo(response);
    }
  }

  /** Some outputs in a form of their own, and base64 for what is not text. */
  private static Map<String, OutputFormat> some(List<NamedTensor> outputs, Random random) {
    Map<String, OutputFormat> formats = new HashMap<>();
    for (NamedTensor output : outputs) {
      if (output.tensor().type() == DataType.BYTES) {
        formats.put(output.name(), OutputFormat.BASE64);
      } else if (random.nextBoolean()) {
        formats.put(output.name(), OutputFormat.BINARY);
      }
    }
    return formats;
  }

  @ParameterizedTest
  @EnumSource(names = {"FP16", "BF16"})
  void sixteenBits_everyPattern_comesBackBitByBit(DataType type) {
    byte[] all = new byte[2 << 16];
    Tensor tensor = new Tensor(type, Shape.of(1 << 16), MemorySegment.ofArray(all));
    for (int i = 0; i < 1 << 16; i++) {
      tensor.data().setAtIndex(Tensor.INT16, i, (short) i);
    }
    List<NamedTensor> inputs = List.of(new NamedTensor("x", tensor));
    HttpInfer infer =
        value(codec().decode(body(codec().encodeRequest(request(inputs), false)), call()));
    assertSameBits(infer.request().inputs(), withOneNan(inputs));
  }

  @Test
  void data_nestedAndFlat_areEqual() {
    for (String data :
        new String[] {
          "[1,2,3,4,5,6,7,8]",
          "[[[1,2],[3,4]],[[5,6],[7,8]]]",
          " [ [ [ 1 , 2 ] , [ 3 , 4 ] ] ,\n[[5,6],[7,8]]]"
        }) {
      assertThat(Requests.tensor("INT64", "[2,2,2]", data).toLongs())
          .containsExactly(1, 2, 3, 4, 5, 6, 7, 8);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"data\":[9007199254740993,-1],\"shape\":[2],\"datatype\":\"INT64\",\"name\":\"x\"",
        "\"data\":[[9007199254740993],[-1]],\"datatype\":\"INT64\",\"name\":\"x\",\"shape\":[2,1]",
        "\"shape\":[2],\"data\": [9007199254740993,-1]"
            + " ,\"datatype\":\"INT64\",\"name\":\"x\",\"more\":{}",
      })
  void data_beforeTypeOrShape_isExact(String fields) {
    HttpInfer infer = Requests.decoded("  {\"inputs\":[{" + fields + "}]}");
    assertThat(infer.request().inputs().getFirst().tensor().toLongs())
        .containsExactly(9007199254740993L, -1);
  }

  @Test
  void data_beforeTypeAndWrong_namesItsPlace() {
    assertThat(
            Requests.refusal(
                "{\"inputs\":[{\"name\":\"x\",\"data\":[[1],[true]],\"shape\":[2,1],\"datatype\":\"FP32\"}]}"))
        .isEqualTo("inputs[0].data[1][0]: true (expected: a number for FP32)");
    assertThat(
            Requests.refusal(
                "{\"inputs\":[{\"name\":\"x\",\"data\":\"abc\",\"shape\":[2,1],\"datatype\":\"FP32\"}]}"))
        .isEqualTo("inputs[0].data: \"abc\" (expected: an array for shape [2,1])");
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "[3]", "  3  "})
  void scalar_aloneOrInArray_isOneElement(String data) {
    assertThat(Requests.tensor("FP32", "[]", data).toFloats()).containsExactly(3f);
    assertThat(
            Requests.decoded(
                    "{\"inputs\":[{\"data\":"
                        + data
                        + ",\"name\":\"x\",\"shape\":[],\"datatype\":\"FP32\"}]}")
                .request()
                .inputs()
                .getFirst()
                .tensor()
                .toFloats())
        .containsExactly(3f);
  }

  @Test
  void scalar_ofBytes_mayStandAloneInAnyOrder() {
    assertThat(Requests.tensor("BYTES", "[]", "\"a b\"").toStrings())
        .containsExactly("a b".getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"[0]|[]", "[2,0]|[]", "[2,0]|[[],[]]", "[0,16]|[]"})
  void empty_inJson_isEmpty(String shapeAndData) {
    String[] parts = shapeAndData.split("\\|", -1);
    Tensor tensor = Requests.tensor("FP32", parts[0], parts[1]);
    assertThat(tensor.shape()).hasToString(parts[0]);
    assertThat(tensor.data().byteSize()).isZero();
  }

  private static InferRequest request(List<NamedTensor> inputs) {
    return new InferRequest(
        "m",
        null,
        "id \"1\"",
        PARAMETERS,
        inputs,
        List.of(RequestedOutput.of("y"), new RequestedOutput("z", 5)),
        Deadline.NONE,
        2,
        new Cancellation(),
        InferRequest.NO_TENANT);
  }
}
