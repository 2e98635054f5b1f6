package meridian.protocol.http;

import static meridian.protocol.http.Requests.NOW;
import static meridian.protocol.http.Requests.codec;
import static meridian.protocol.http.Requests.decoded;
import static meridian.protocol.http.Requests.refusal;
import static meridian.protocol.http.Requests.value;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferRequest;
import meridian.core.infer.Parameter;
import meridian.core.infer.RequestedOutput;
import meridian.core.time.Deadline;
import meridian.protocol.http.ResponseFormat.OutputFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestOptionsTest {

  @Test
  void parameters_ofTheProtocol_areConsumed() {
    HttpInfer infer =
        decoded(
            "{\"id\":\"9007199254740993\",\"inputs\":[],\"parameters\":{\"sequence_id\":9007199254740993,\"timeout\":250,"
                + "\"priority\":3,\"allow_nan\":true,\"binary_data_output\":true,\"big\":18446744073709551615,\"r\":1e3}}");
    assertThat(infer.request().id()).isEqualTo("9007199254740993");
    assertThat(infer.request().priority()).isEqualTo(3);
    assertThat(infer.request().deadline()).isEqualTo(Deadline.at(NOW + 250_000));
    assertThat(infer.request().parameters().values())
        .containsOnly(
            Map.entry("sequence_id", new Parameter.Int(9007199254740993L)),
            Map.entry("big", new Parameter.Unsigned(-1)),
            Map.entry("r", new Parameter.Real(1000)));
    assertThat(infer.format().allowNan()).isTrue();
    assertThat(infer.format().standard()).isEqualTo(OutputFormat.BINARY);
  }

  @ParameterizedTest
  @CsvSource({
    "0,5000,5000",
    "4,5000,4000",
    "6,5000,5000",
    "9223372036854775807,5000,5000",
    "18446744073709551615,5000,5000"
  })
  void deadline_ofBodyAndCall_isTheEarlier(String timeoutMicros, long callNanos, long expected) {
    Call call =
        new Call(
            "m",
            "2",
            Deadline.at(NOW + callNanos),
            new Cancellation(),
            NOW,
            InferRequest.NO_TENANT);
    String json = "{\"inputs\":[],\"parameters\":{\"timeout\":" + timeoutMicros + "}}";
    HttpInferBody body = HttpInferBody.json(json.getBytes(StandardCharsets.UTF_8));
    HttpInfer infer = value(codec().decode(body, call));
    assertThat(infer.request().deadline()).isEqualTo(Deadline.at(NOW + expected));
    assertThat(infer.request().version()).isEqualTo("2");
    assertThat(infer.request().cancellation()).isSameAs(call.cancellation());
  }

  @Test
  void timeout_zero_isNone() {
    assertThat(decoded("{\"inputs\":[],\"parameters\":{\"timeout\":0}}").request().deadline())
        .isEqualTo(Deadline.NONE);
  }

  @Test
  void outputs_withFormsOfTheirOwn_overrideTheRequest() {
    HttpInfer infer =
        decoded(
            "{\"outputs\":[{\"name\":\"a\"},{\"name\":\"b\",\"parameters\":{\"binary_data\":false}},"
                + "{\"parameters\":{\"content_encoding\":\"base64\",\"binary_data\":false},\"name\":\"c\"},"
                + "{\"name\":\"d\",\"parameters\":{\"classification\":3}}],"
                + "\"inputs\":[],\"parameters\":{\"binary_data_output\":true}}");
    assertThat(infer.request().outputs())
        .containsExactly(
            RequestedOutput.of("a"),
            RequestedOutput.of("b"),
            RequestedOutput.of("c"),
            new RequestedOutput("d", 3));
    assertThat(infer.format().of("a")).isEqualTo(OutputFormat.BINARY);
    assertThat(infer.format().of("b")).isEqualTo(OutputFormat.JSON);
    assertThat(infer.format().of("c")).isEqualTo(OutputFormat.BASE64);
    assertThat(infer.format().of("d")).isEqualTo(OutputFormat.BINARY);
  }

  @Test
  void output_parametersOfWrongKind_areRefused() {
    String output = "{\"inputs\":[],\"outputs\":[{\"name\":\"a\",\"parameters\":{%s}}]}";
    assertThat(refusal(output.formatted("\"classification\":-1")))
        .isEqualTo(
            "outputs[0].parameters.classification: -1 (expected: a whole number from 0 to 2^31-1)");
    assertThat(refusal(output.formatted("\"content_encoding\":\"hex\"")))
        .isEqualTo("outputs[0].parameters.content_encoding: \"hex\" (expected: \"base64\")");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'\"parameters\":{\"content_encoding\":\"base64\"},\"data\":[\"AP8=\"]'",
        "'\"data\":[\"AP8=\"],\"parameters\":{\"content_encoding\":\"base64\"}'"
      })
  void strings_inBase64_areDecodedInAnyOrder(String fields) {
    HttpInfer infer =
        decoded(
            "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"BYTES\",\"shape\":[1]," + fields + "}]}");
    assertThat(infer.request().inputs().getFirst().tensor().toStrings())
        .containsExactly(new byte[] {0, (byte) 0xFF});
  }

  @Test
  void strings_notBase64_areRefused() {
    assertThat(
            refusal(
                "{\"inputs\":[{\"name\":\"x\",\"datatype\":\"BYTES\",\"shape\":[1],\"parameters\":{\"content_encoding\":\"base64\"},\"data\":[\"A*\"]}]}"))
        .isEqualTo("inputs[0].data[0]: \"A*\" (expected: base64)");
  }
}
