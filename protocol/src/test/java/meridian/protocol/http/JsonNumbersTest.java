package meridian.protocol.http;

import static meridian.protocol.http.Requests.refusal;
import static meridian.protocol.http.Requests.request;
import static meridian.protocol.http.Requests.tensor;
import static org.assertj.core.api.Assertions.assertThat;

import meridian.core.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonNumbersTest {

  @Test
  void signed64_wholeRange_isExact() {
    assertThat(
            tensor(
                    "INT64",
                    "[5]",
                    "[9007199254740993,9223372036854775807,-9223372036854775808,-0,7]")
                .toLongs())
        .containsExactly(9007199254740993L, Long.MAX_VALUE, Long.MIN_VALUE, 0, 7);
  }

  @Test
  void unsigned64_wholeRange_isExact() {
    Tensor tensor = tensor("UINT64", "[3]", "[9007199254740993,18446744073709551615,0]");
    assertThat(tensor.data().getAtIndex(Tensor.INT64, 0)).isEqualTo(9007199254740993L);
    assertThat(tensor.data().getAtIndex(Tensor.INT64, 1)).isEqualTo(-1L);
    assertThat(tensor.data().getAtIndex(Tensor.INT64, 2)).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "INT8,-128,127,-129,128",
    "INT16,-32768,32767,-32769,32768",
    "INT32,-2147483648,2147483647,-2147483649,2147483648",
    "INT64,-9223372036854775808,9223372036854775807,-9223372036854775809,9223372036854775808",
    "UINT8,0,255,-1,256",
    "UINT16,0,65535,-1,65536",
    "UINT32,0,4294967295,-1,4294967296",
    "UINT64,0,18446744073709551615,-1,18446744073709551616"
  })
  void integer_atTheEdgesOfItsType_isTakenOrRefused(
      String type, String lowest, String highest, String below, String above) {
    tensor(type, "[2]", "[" + lowest + "," + highest + "]");
    String expected =
        " (expected: a whole number from %s to %s for %s)".formatted(lowest, highest, type);
    assertThat(refusal(request(type, "[1]", "[" + below + "]")))
        .isEqualTo("inputs[0].data[0]: " + below + expected);
    assertThat(refusal(request(type, "[2]", "[0," + above + "]")))
        .isEqualTo("inputs[0].data[1]: " + above + expected);
    for (String wrong :
        new String[] {"1.5", "1e3", "1.0", "\"5\"", "true", "null", "99999999999999999999999"}) {
      assertThat(refusal(request(type, "[1]", "[" + wrong + "]")))
          .isEqualTo("inputs[0].data[0]: " + wrong + expected);
    }
  }

  @Test
  void fp32_ordinaryDecimals_areTheNearestFloat() {
    assertThat(
            tensor("FP32", "[7]", "[0.96,1.24,0.1,1111111.0,16777217,-0.0,-3.4028235e38]")
                .toFloats())
        .containsExactly(0.96f, 1.24f, 0.1f, 1111111f, 16777216f, -0f, -Float.MAX_VALUE);
  }

  @Test
  void fp32_decimalNearABorder_isRoundedOnce() {
    // Just above the middle of 1 and its successor; by way of a double it would be the middle.
    assertThat(tensor("FP32", "[2]", "[1.00000005960464477540,1.00000005960464477539]").toFloats())
        .containsExactly(Math.nextUp(1f), 1f);
  }

  @Test
  void fp64_decimals_areExact() {
    Tensor tensor = tensor("FP64", "[3]", "[0.1,1234567.891234567,-5e-324]");
    assertThat(tensor.data().getAtIndex(Tensor.FP64, 0)).isEqualTo(0.1);
    assertThat(tensor.data().getAtIndex(Tensor.FP64, 1)).isEqualTo(1234567.891234567);
    assertThat(tensor.data().getAtIndex(Tensor.FP64, 2)).isEqualTo(-Double.MIN_VALUE);
  }

  @ParameterizedTest
  @CsvSource({
    "1.5,3E00",
    "65504,7BFF",
    "65519.99999999999999999999,7BFF",
    "1e-8,0000",
    "-1e-8,8000",
    "2.98023223876953125e-8,0000",
    "2.980232238769531250000000000001e-8,0001",
    "2.98023223876953124999999999999e-8,0000",
    "8.94069671630859375e-8,0002",
    "1.00048828125,3C00",
    "1.000488281250000000000000000001,3C01",
    "1.00146484375,3C02",
    "1.00146484374999999999999999999,3C01",
    "0,0000",
    "-0.0,8000",
    "NaN,7E00",
    "Infinity,7C00",
    "-Infinity,FC00"
  })
  void fp16_decimal_isRoundedOnceToNearestEven(String text, String bits) {
    assertThat(hex(tensor("FP16", "[1]", "[" + text + "]"))).isEqualTo(bits);
  }

  @ParameterizedTest
  @CsvSource({
    "1,3F80",
    "1.00390625,3F80",
    "1.003906250000000000000000000001,3F81",
    "1.01171875,3F82",
    "1.01171874999999999999999999999,3F81",
    "3.3895314e38,7F7F",
    "4.5e-41,0000",
    "4.7e-41,0001",
    "NaN,7FC0",
    "-Infinity,FF80"
  })
  void bf16_decimal_isRoundedOnceToNearestEven(String text, String bits) {
    assertThat(hex(tensor("BF16", "[1]", "[" + text + "]"))).isEqualTo(bits);
  }

  @ParameterizedTest
  @CsvSource({
    "FP16,65519.99999999999999999999,65520,65504",
    "FP16,-65504,-65520,65504",
    "FP16,65504,1e999,65504",
    "BF16,3.3895314e38,3.4e38,3.3895314E38",
    "BF16,-3.3895314e38,-3.4e38,3.3895314E38",
    "FP32,3.4028235677973366e38,3.4028235677973367e38,3.4028235E38",
    "FP32,-3.4028235e38,-1e39,3.4028235E38",
    "FP32,340282350000000000000000000000000000000,1e39,3.4028235E38",
    "FP64,1.7976931348623157e308,1e400,1.7976931348623157E308",
    "FP64,-1.7976931348623157e308,-1.8e308,1.7976931348623157E308"
  })
  void real_beyondItsType_isRefusedWhereverItStands(
      String type, String most, String beyond, String largest) {
    String fault =
        ": %s (expected: a number from -%s to %s for %s)".formatted(beyond, largest, largest, type);
    tensor(type, "[1]", "[" + most + "]");
    assertThat(refusal(request(type, "[1]", "[" + beyond + "]")))
        .isEqualTo("inputs[0].data[0]" + fault);
    assertThat(refusal(request(type, "[3]", "[1," + beyond + ",1]")))
        .isEqualTo("inputs[0].data[1]" + fault);
    assertThat(refusal(request(type, "[2,1,2]", "[[[0,1]],[[2," + beyond + "]]]")))
        .isEqualTo("inputs[0].data[1][0][1]" + fault);
    assertThat(refusal(request(type, "[]", beyond))).isEqualTo("inputs[0].data" + fault);
    String data = "[" + beyond + "],\"shape\":[1],\"datatype\":\"" + type + "\"";
    assertThat(refusal("{\"inputs\":[{\"data\":" + data + ",\"name\":\"x\"}]}"))
        .isEqualTo("inputs[0].data[0]" + fault);
  }

  @Test
  void tokens_nanAndInfinities_areTaken() {
    assertThat(tensor("FP32", "[3]", "[NaN,Infinity,-Infinity]").toFloats())
        .containsExactly(Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY);
  }

  private static String hex(Tensor tensor) {
    return "%04X".formatted(tensor.data().get(Tensor.INT16, 0) & 0xFFFF);
  }
}
