package meridian.protocol.http;

import static meridian.protocol.http.Requests.call;
import static meridian.protocol.http.Requests.codec;
import static meridian.protocol.http.Requests.problem;
import static meridian.protocol.http.Requests.refusal;
import static meridian.protocol.http.Requests.request;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of a body that is no JSON: where, what came, what was expected. */
class SyntaxTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"inputs":[     | inputs[0] | the end of the body at line 1, column 12 | a JSON value
          {"inputs":[]    | inputs | the end of the body at line 1, column 13 | "," or "}"
          {"inputs":[]},  | body | ',' at line 1, column 14 | the end of the document
          {inputs:[]}     | body | inputs at line 1, column 2 | a name in quotes
          {"inputs" []}   | inputs | '[' at line 1, column 11 | ":"
          {"inputs":[],   | body | the end of the body at line 1, column 14 | a name in quotes
          {"inputs":[],}  | body | '}' at line 1, column 14 | a name in quotes
          {"id":'a'}      | id | ''' at line 1, column 7 | a JSON value
          {"id":"a}       | id | the end of the body at line 1, column 10 | a closing quote
          {"id":"\\x"}    | id | '\\' at line 1, column 8 | an escape of JSON
          {"id":"\\u12"}  | id | '\\' at line 1, column 8 | \\u and four hexadecimal digits
          {"id":True}     | id | True at line 1, column 7 | a JSON value
          {"id":undefine} | id | undefine at line 1, column 7 | a JSON value
          {"id":é}        | id | U+00E9 at line 1, column 7 | a JSON value
          { // comment    | body | '/' at line 1, column 3 | a name in quotes
          {"a":[1,,2]}    | a[1] | ',' at line 1, column 9 | a JSON value
          {"a":[1 2]}     | a[0] | 2 at line 1, column 9 | "," or "]"
          {"a":[1}}       | a[0] | '}' at line 1, column 8 | "," or "]"
          """)
  void body_noJson_isToldWhereAndWhat(String json, String path, String actual, String expected) {
    assertThat(refusal(json)).isEqualTo(path + ": " + actual + " (expected: " + expected + ")");
  }

  @ParameterizedTest
  @ValueSource(strings = {"01", "1.", ".5", "1e", "+1", "-", "1e+", "0x10", "1_000", "-01"})
  void number_againstTheGrammar_isToldAsItCame(String number) {
    for (String type : new String[] {"FP32", "INT64"}) {
      assertThat(refusal(request(type, "[2]", "[1," + number + "]")))
          .startsWith("inputs[0].data[1]: " + number + " at line 1, column ")
          .endsWith(" (expected: a JSON number)");
    }
  }

  @Test
  void number_ofTooManyCharacters_namesTheBound() {
    String fault = ": a number of more than 1000 characters (expected: at most 1000)";
    String whole = "1" + "0".repeat(1_000);
    for (String type : new String[] {"FP32", "FP64", "INT64"}) {
      assertThat(refusal(request(type, "[2]", "[1," + whole + "]")))
          .isEqualTo("inputs[0].data[1]" + fault);
    }
    assertThat(refusal(request("FP32", "[1]", "[0." + "1".repeat(1_000) + "]")))
        .isEqualTo("inputs[0].data[0]" + fault);
    assertThat(refusal("{\"parameters\":{\"a\":" + whole + "},\"inputs\":[]}"))
        .isEqualTo("parameters.a" + fault);
  }

  @Test
  void name_ofTooManyCharacters_namesTheBound() {
    assertThat(refusal("{\"" + "n".repeat(5_000) + "\":1}"))
        .isEqualTo("body: a name of more than 4096 characters (expected: at most 4096)");
  }

  @Test
  void nesting_tooDeep_namesTheBound() {
    assertThat(refusal("{\"u\":" + "[".repeat(100)))
        .startsWith("u[0]")
        .endsWith(": arrays and objects more than 64 deep (expected: at most 64)");
  }

  @Test
  void key_repeated_isToldAsThat() {
    assertThat(refusal("{\"inputs\":[],\"inputs\":[]}"))
        .isEqualTo("inputs: given twice (expected: once)");
  }

  @Test
  void place_isCountedInLinesAndCharacters() {
    assertThat(refusal("{\n \"é\": 1,\n \"é\" 2}"))
        .endsWith(": 2 at line 3, column 6 (expected: \":\")");
  }

  @Test
  void string_notUtf8OrWithControlCharacters_namesTheByte() {
    byte[] json = "{\"id\":\"a?b\"}".getBytes(StandardCharsets.US_ASCII);
    json[8] = (byte) 0xFF;
    assertThat(problem(codec().decode(HttpInferBody.json(json), call())).message())
        .isEqualTo("id: byte 0xFF at line 1, column 9 (expected: UTF-8)");
    json[8] = 1;
    assertThat(problem(codec().decode(HttpInferBody.json(json), call())).message())
        .isEqualTo(
            "id: byte 0x01 at line 1, column 9 (expected: no control character in a string, but its"
                + " escape)");
  }
}
