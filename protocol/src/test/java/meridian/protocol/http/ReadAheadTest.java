package meridian.protocol.http;

import static meridian.protocol.http.Requests.refusal;
import static meridian.protocol.http.Requests.request;
import static meridian.protocol.http.Requests.tensor;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import meridian.core.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Arrays of plain numbers are read without a token for each; the result may not differ. */
class ReadAheadTest {

  private static final int COUNT = 200_000;

  private final Random random = new Random(21);

  @Test
  void floats_ofEveryMagnitudeAndLength_areTheNearest() {
    List<String> texts = new ArrayList<>();
    while (texts.size() < COUNT) {
      String text = decimal();
      if (Float.isFinite(Float.parseFloat(text))) {
        texts.add(text);
      }
    }
    float[] read = tensor("FP32", "[" + COUNT + "]", spaced(texts)).toFloats();
    for (int i = 0; i < COUNT; i++) {
      assertThat(read[i]).as(texts.get(i)).isEqualTo(Float.parseFloat(texts.get(i)));
    }
  }

  @Test
  void floats_nearBordersBetweenTwo_areTheNearest() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      float value = Float.intBitsToFloat(random.nextInt(0x30000000, 0x50000000));
      double border = ((double) value + Math.nextUp(value)) / 2;
      int digits = 6 + random.nextInt(20);
      texts.add(new BigDecimal(border).round(new MathContext(digits)).toString());
    }
    float[] read = tensor("FP32", "[" + COUNT + "]", spaced(texts)).toFloats();
    for (int i = 0; i < COUNT; i++) {
      assertThat(read[i]).as(texts.get(i)).isEqualTo(Float.parseFloat(texts.get(i)));
    }
  }

  @Test
  void doubles_ofEveryMagnitudeAndLength_areTheNearest() {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      texts.add(decimal());
    }
    Tensor read = tensor("FP64", "[" + COUNT + "]", spaced(texts));
    for (int i = 0; i < COUNT; i++) {
      assertThat(read.data().getAtIndex(Tensor.FP64, i))
          .as(texts.get(i))
          .isEqualTo(Double.parseDouble(texts.get(i)));
    }
  }

  @Test
  void integers_ofEveryLength_areExact() {
    List<String> texts = new ArrayList<>();
    long[] expected = new long[COUNT];
    for (int i = 0; i < COUNT; i++) {
      expected[i] = random.nextLong() >> random.nextInt(64);
      texts.add(Long.toString(expected[i]));
    }
    assertThat(tensor("INT64", "[" + COUNT + "]", spaced(texts)).toLongs())
        .containsExactly(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "01", "-01", "1.", ".5", "-", "+1", "1e", "1e+", "--1", "0x1", "1_0", "1 2", "1,", ",1",
        "1;", "1}", "\u00a01", "1f", "1.5.5", "1-"
      })
  void number_malformed_isRefusedAtEveryPlace(String text) {
    for (String data : new String[] {"[%s]", "[1,%s]", "[1,2.5,%s]", "[1,%s,2]"}) {
      for (String type : new String[] {"FP32", "INT64"}) {
        assertThat(refusal(request(type, "[3]", data.formatted(text))))
            .startsWith("inputs[0].data");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "true", "\"3\"", "[3]", "{}"})
  void element_ofAnotherKindBehindNumbers_namesItsIndex(String element) {
    assertThat(refusal(request("FP32", "[4]", "[1, 2,3," + element + "]")))
        .startsWith("inputs[0].data[3]: ");
    assertThat(refusal(request("INT32", "[2,2]", "[[1, 2],[3," + element + "]]")))
        .startsWith("inputs[0].data[1][1]: ");
  }

  @Test
  void element_outOfRangeBehindNumbers_namesItsIndex() {
    assertThat(refusal(request("UINT8", "[4]", "[1,2,255,256]")))
        .isEqualTo("inputs[0].data[3]: 256 (expected: a whole number from 0 to 255 for UINT8)");
  }

  @Test
  void document_cutAnywhere_isRefused() {
    String whole = request("FP32", "[2,2]", "[[1.5, -2e3],[ 3,4]]");
    for (int length = 0; length < whole.length(); length++) {
      assertThat(refusal(whole.substring(0, length))).contains("(expected: ");
    }
  }

  private String decimal() {
    StringBuilder text = new StringBuilder(random.nextBoolean() ? "-" : "");
    text.append(
        random.nextInt(3) == 0 ? "0" : Long.toString(1 + random.nextInt(1 << random.nextInt(31))));
    int fraction = random.nextInt(20);
    if (fraction > 0) {
      text.append('.');
      for (int i = 0; i < fraction; i++) {
        text.append((char) ('0' + random.nextInt(10)));
      }
    }
    if (random.nextInt(3) == 0) {
      text.append(random.nextBoolean() ? "e" : "E+").append(random.nextInt(45));
    } else if (random.nextInt(3) == 0) {
      text.append("e-").append(random.nextInt(60));
    }
    return text.toString();
  }

  private String spaced(List<String> texts) {
    StringBuilder data = new StringBuilder("[");
    for (int i = 0; i < texts.size(); i++) {
      data.append(i == 0 ? "" : ",")
          .append(" \t\n\r".substring(random.nextInt(5)))
          .append(texts.get(i));
    }
    return data.append(random.nextBoolean() ? " ]" : "]").toString();
  }
}
