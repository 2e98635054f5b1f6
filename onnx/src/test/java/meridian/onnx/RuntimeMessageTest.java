package meridian.onnx;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RuntimeMessageTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Plain words.                                            | Plain words.
          /src/onnxruntime/core/graph/model.cc:192 a::Model::Model(b::P&&, c<d>&) Unsupported x | Unsupported x
          /src/core/gather.cc:9 a::Status b::Copy(const c&, d)::<lambda(long int)> idx=9 bad | idx=9 bad
          /src/core/op.cc:9 a::Status b::Run(c*) const [with T = float] wrong axis | wrong axis
          Non-zero status code returned while running Add node. Name:'sum' Status Message: odd | Add "sum": odd
          Non-zero status code returned while running Add node. Name:'' Status Message: odd | Add: odd
          Load model from /models/a/1/model.onnx failed:Fatal error: no | Fatal error: no
          cannot open /models/a/1/w.bin for reading | cannot open w.bin for reading
          [ONNXRuntimeError] : 1 : FAIL : tensorprotoutils.cc:584 GetExternalDataInfo odd size | odd size
          ratio 3/4 of a/b | ratio 3/4 of a/b
          """)
  void oneLine_placesAndPaths_areCutOut(String message, String expected) {
    assertThat(RuntimeMessage.oneLine(message)).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"'a\n  b\tc', a b c", "'a\u0007b', a?b"})
  void oneLine_controlCharacters_areGone(String message, String expected) {
    assertThat(RuntimeMessage.oneLine(message)).isEqualTo(expected);
  }
}
