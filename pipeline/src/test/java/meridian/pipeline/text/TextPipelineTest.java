package meridian.pipeline.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import meridian.core.backend.ModelLoadException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.Parameters;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.pipeline.Prepared;
import meridian.pipeline.text.TextSettings.GraphNames;
import meridian.pipeline.text.TextSettings.Normalize;
import meridian.pipeline.text.TextSettings.Overflow;
import meridian.pipeline.text.TextSettings.Pooling;
import meridian.pipeline.text.TextSettings.SpecialTokens;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextPipelineTest {

  @TempDir static Path folder;
  private static Path file;

  @BeforeAll
  static void write() {
    file = Samples.write(folder, Samples.tokenizer());
  }

  @Test
  void signature_meanPooling_isTextToVector() throws ModelLoadException {
    try (TextPipeline pipeline = open(TextSettings.defaults())) {
      assertThat(pipeline.signature())
          .isEqualTo(
              new Signature(
                  List.of(TensorSpec.of("text", DataType.BYTES, -1)),
                  List.of(TensorSpec.of("embedding", DataType.FP32, -1, 384)),
                  true));
      assertThat(pipeline.graphOutputs()).containsExactly("last_hidden_state");
    }
  }

  @Test
  void signature_noPooling_hasAVectorPerToken() throws ModelLoadException {
    try (TextPipeline pipeline = open(Samples.pooled(Pooling.NONE))) {
      assertThat(pipeline.signature().outputs())
          .containsExactly(TensorSpec.of("embedding", DataType.FP32, -1, -1, 384));
    }
  }

  @Test
  void prepare_severalTexts_padsToTheLongest() throws ModelLoadException {
    try (TextPipeline pipeline = open(TextSettings.defaults())) {
      List<NamedTensor> inputs =
          Samples.prepare(pipeline, "Hello world", "", "Hello").executions().getFirst();
      assertThat(inputs.stream().map(NamedTensor::name))
          .containsExactly("input_ids", "attention_mask", "token_type_ids");
      assertThat(inputs).allMatch(input -> input.tensor().shape().equals(Shape.of(3, 4)));
      assertThat(Samples.tensor(inputs, "input_ids").toLongs())
          .containsExactly(101, 7592, 2088, 102, 101, 102, 0, 0, 101, 7592, 102, 0);
      assertThat(Samples.tensor(inputs, "attention_mask").toLongs())
          .containsExactly(1, 1, 1, 1, 1, 1, 0, 0, 1, 1, 1, 0);
      assertThat(Samples.tensor(inputs, "token_type_ids").toLongs()).containsOnly(0);
    }
  }

  @Test
  void prepare_separateRows_isOneUnpaddedExecutionPerText() throws ModelLoadException {
    try (TextPipeline pipeline =
        TextPipeline.open(file, TextSettings.defaults(), Samples.GRAPH, true)) {
      List<List<NamedTensor>> executions =
          Samples.prepare(pipeline, "Hello world", "").executions();
      assertThat(executions).hasSize(2);
      assertThat(Samples.tensor(executions.get(0), "input_ids").shape()).isEqualTo(Shape.of(1, 4));
      assertThat(Samples.tensor(executions.get(1), "input_ids").toLongs())
          .containsExactly(101, 102);
      assertThat(Samples.tensor(executions.get(1), "attention_mask").toLongs())
          .containsExactly(1, 1);
    }
  }

  @Test
  void prepare_padToMultiple_roundsUpWithinMaxTokens() throws ModelLoadException {
    try (TextPipeline pipeline = open(padded(8, 20))) {
      assertThat(widthOf(pipeline, "Hello world")).isEqualTo(8);
      assertThat(widthOf(pipeline, "a b c d e f g")).isEqualTo(16);
      assertThat(widthOf(pipeline, "a ".repeat(16))).isEqualTo(20);
    }
  }

  @Test
  void prepare_graphOfFixedLength_alwaysPadsToIt() throws ModelLoadException {
    Signature fixed = graph(DataType.INT32, 1, 16);
    try (TextPipeline pipeline = TextPipeline.open(file, TextSettings.defaults(), fixed, false)) {
      List<List<NamedTensor>> executions = Samples.prepare(pipeline, "Hello", "a").executions();
      assertThat(executions).hasSize(2);
      Tensor ids = Samples.tensor(executions.getFirst(), "input_ids");
      assertThat(ids.shape()).isEqualTo(Shape.of(1, 16));
      assertThat(ids.type()).isEqualTo(DataType.INT32);
      assertThat(ids.data().get(Tensor.INT32, 4)).isEqualTo(7592);
      assertThat(ids.data().get(Tensor.INT32, 16)).isZero();
    }
  }

  @Test
  void prepare_padIdOfTheTokenizer_fillsTheGaps(@TempDir Path other) throws ModelLoadException {
    JsonObject tokenizer = Samples.tokenizer();
    tokenizer.getAsJsonObject("padding").addProperty("pad_id", 7);
    Path padding = Samples.write(other, tokenizer);
    try (TextPipeline pipeline =
        TextPipeline.open(padding, TextSettings.defaults(), Samples.GRAPH, false)) {
      List<NamedTensor> inputs = Samples.prepare(pipeline, "", "Hello").executions().getFirst();
      assertThat(Samples.tensor(inputs, "input_ids").toLongs())
          .containsExactly(101, 102, 7, 101, 7592, 102);
    }
  }

  @Test
  void prepare_noTexts_executesNothingAndAnswersEmpty() throws ModelLoadException {
    try (TextPipeline pipeline = open(TextSettings.defaults())) {
      Prepared prepared = Samples.prepare(pipeline);
      assertThat(prepared.executions()).isEmpty();
      List<NamedTensor> answer = prepared.finish(List.of());
      assertThat(Samples.tensor(answer, "embedding").shape()).isEqualTo(Shape.of(0, 384));
    }
  }

  @Test
  void prepare_bytesThatAreNotUtf8_areRefusedByElement() throws ModelLoadException {
    byte[][] broken = {
      {(byte) 0xff}, {(byte) 0xc3}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, {(byte) 0xc0, 0x20}
    };
    try (TextPipeline pipeline = open(TextSettings.defaults())) {
      for (byte[] bytes : broken) {
        Tensor texts =
            Tensor.ofStrings(Shape.of(2), List.of("good".getBytes(StandardCharsets.UTF_8), bytes));
        assertThat(refusal(pipeline, Samples.request(texts)))
            .isEqualTo(
                Problem.invalid(
                    "inputs[0].data[1]: bytes that are not UTF-8 (expected: UTF-8 text)"));
      }
    }
  }

  @Test
  void prepare_replacementCharacterItself_isText() throws ModelLoadException {
    try (TextPipeline pipeline = open(TextSettings.defaults())) {
      assertThat(Samples.ids(pipeline, "a\uFFFDb")).containsExactly(101, 11113, 102);
    }
  }

  @Test
  void prepare_elementsUnlikeTheShape_areRefused() throws ModelLoadException {
    Tensor cut =
        new Tensor(DataType.BYTES, Shape.of(1), MemorySegment.ofArray(new byte[] {9, 0, 0, 0, 1}));
    Tensor fewer = Tensor.ofStrings(Shape.of(2), List.of(new byte[] {'a'}));
    try (TextPipeline pipeline = open(TextSettings.defaults())) {
      assertThat(refusal(pipeline, Samples.request(cut)).message())
          .startsWith("inputs[0].data: a length that is cut off or exceeds the data (expected: 1 ");
      assertThat(refusal(pipeline, Samples.request(fewer)).message())
          .startsWith("inputs[0].data: 1 elements (expected: 2 elements");
    }
  }

  @Test
  void prepare_textAboveTheByteLimit_isTooLarge() throws ModelLoadException {
    try (TextPipeline pipeline = open(TextSettings.defaults())) {
      assertThat(refusal(pipeline, Samples.request("x", "é".repeat((1 << 19) + 1))))
          .isEqualTo(
              Problem.of(
                  ErrorCode.TOO_LARGE,
                  "inputs[0].data[1]: 1048578 bytes (expected: at most 1048576)"));
      assertThat(Samples.ids(pipeline, "é".repeat(1 << 19))).containsExactly(101, 100, 102);
    }
  }

  @Test
  void prepare_controlTokenThatIsAlsoAPiece_isRefused(@TempDir Path other)
      throws ModelLoadException {
    Path words = Samples.write(other, JsonParser.parseString(WORD_LEVEL).getAsJsonObject());
    try (TextPipeline safe = open(words, Samples.special(SpecialTokens.TEXT));
        TextPipeline allowing = open(words, Samples.special(SpecialTokens.ALLOW))) {
      assertThat(Samples.ids(safe, "a b nobody")).containsExactly(1, 4, 5, 3, 2);
      assertThat(refusal(safe, Samples.request("a", "a </s> b")).message())
          .startsWith("inputs[0].data[1]: text that the tokenizer makes a control token of");
      assertThat(Samples.ids(allowing, "a </s> b")).containsExactly(1, 4, 2, 5, 2);
    }
  }

  @Test
  void prepare_tokenizerWithoutAnswer_isAFailureOfTheModel(@TempDir Path other)
      throws ModelLoadException {
    String noUnknown = WORD_LEVEL.replace("\"unk_token\": \"<unk>\"", "\"unk_token\": \"missing\"");
    Path words = Samples.write(other, JsonParser.parseString(noUnknown).getAsJsonObject());
    try (TextPipeline pipeline = open(words, TextSettings.defaults())) {
      Problem problem = refusal(pipeline, Samples.request("a nobody"));
      assertThat(problem.code()).isEqualTo(ErrorCode.INTERNAL);
      assertThat(problem.message()).startsWith("inputs[0].data[0]: tokenizer: ");
    }
  }

  @Test
  void finish_outputUnlikeTheInput_isRefused() throws ModelLoadException {
    try (TextPipeline pipeline = open(TextSettings.defaults())) {
      Prepared prepared = Samples.prepare(pipeline, "Hello world");
      Tensor shorter = Tensor.ofFloats(Shape.of(1, 3, 384), new float[3 * 384]);
      List<NamedTensor> outputs = List.of(new NamedTensor("last_hidden_state", shorter));
      assertThatThrownBy(() -> prepared.finish(List.of(outputs)))
          .hasMessage("output \"last_hidden_state\": FP32 [1,3,384] (expected: FP32 [1,4,384])");
      assertThatThrownBy(() -> prepared.finish(List.of()))
          .hasMessage("outputs of 0 executions (expected: of 1)");
      assertThatThrownBy(() -> prepared.finish(List.of(List.of())))
          .hasMessageContaining("no \"last_hidden_state\"");
    }
  }

  @Test
  void properties_defaults_showWhatIsInEffect() throws ModelLoadException {
    try (TextPipeline pipeline = open(TextSettings.defaults())) {
      assertThat(pipeline.properties())
          .containsEntry("text.tokenizer", "WordPiece")
          .containsEntry("text.max_tokens", "512")
          .containsEntry("text.max_text_bytes", "1048576")
          .containsEntry("text.overflow", "truncate")
          .containsEntry("text.special_tokens", "text")
          .containsEntry("text.execution", "padded batch")
          .containsEntry("text.pad_to_multiple_of", "1")
          .containsEntry("text.pooling", "mean")
          .containsEntry("text.normalize", "l2");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "null", "[]", "{}", "{\"model\": 5}", "{\"added_tokens\": 5}"})
  void open_brokenTokenizer_isALoadErrorNamingTheFile(String content, @TempDir Path other)
      throws Exception {
    Path broken = Files.writeString(other.resolve("tokenizer.json"), content);
    assertThatThrownBy(() -> open(broken, TextSettings.defaults()))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageStartingWith(broken + ": not a tokenizer: ");
  }

  @Test
  void open_truncatedTokenizer_isALoadError(@TempDir Path other) throws Exception {
    String whole = Samples.tokenizer().toString();
    Path cut =
        Files.writeString(other.resolve("tokenizer.json"), whole.substring(0, whole.length() / 2));
    assertThatThrownBy(() -> open(cut, TextSettings.defaults()))
        .isInstanceOf(ModelLoadException.class);
  }

  @Test
  void open_noTokenizer_isALoadError(@TempDir Path other) {
    assertThatThrownBy(() -> open(other.resolve("tokenizer.json"), TextSettings.defaults()))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageContaining("cannot be read");
  }

  private static final String WORD_LEVEL =
      """
      {"version": "1.0", "truncation": null, "padding": null,
       "added_tokens": [
         {"id": 1, "content": "<s>", "single_word": false, "lstrip": false, "rstrip": false,
          "normalized": false, "special": true},
         {"id": 2, "content": "</s>", "single_word": false, "lstrip": false, "rstrip": false,
          "normalized": false, "special": true},
         {"id": 3, "content": "<unk>", "single_word": false, "lstrip": false, "rstrip": false,
          "normalized": false, "special": true}],
       "normalizer": null, "pre_tokenizer": {"type": "WhitespaceSplit"},
       "post_processor": {"type": "TemplateProcessing",
         "single": [{"SpecialToken": {"id": "<s>", "type_id": 0}},
                    {"Sequence": {"id": "A", "type_id": 0}},
                    {"SpecialToken": {"id": "</s>", "type_id": 0}}],
         "pair": [{"Sequence": {"id": "A", "type_id": 0}}, {"Sequence": {"id": "B", "type_id": 1}}],
         "special_tokens": {"<s>": {"id": "<s>", "ids": [1], "tokens": ["<s>"]},
                            "</s>": {"id": "</s>", "ids": [2], "tokens": ["</s>"]}}},
       "decoder": null,
       "model": {"type": "WordLevel", "unk_token": "<unk>",
                 "vocab": {"<pad>": 0, "<s>": 1, "</s>": 2, "<unk>": 3, "a": 4, "b": 5}}}
      """;

  private static TextPipeline open(TextSettings settings) throws ModelLoadException {
    return open(file, settings);
  }

  private static TextPipeline open(Path tokenizer, TextSettings settings)
      throws ModelLoadException {
    return TextPipeline.open(tokenizer, settings, Samples.GRAPH, false);
  }

  private static TextSettings padded(int multiple, int maxTokens) {
    return new TextSettings(
        null,
        null,
        GraphNames.FOUND,
        maxTokens,
        null,
        Overflow.TRUNCATE,
        multiple,
        SpecialTokens.TEXT,
        Pooling.MEAN,
        Normalize.L2);
  }

  private static Signature graph(DataType type, long rows, long tokens) {
    return new Signature(
        List.of(
            TensorSpec.of("input_ids", type, rows, tokens),
            TensorSpec.of("attention_mask", type, rows, tokens)),
        List.of(TensorSpec.of("last_hidden_state", DataType.FP32, rows, tokens, 384)),
        true);
  }

  private static long widthOf(TextPipeline pipeline, String text) {
    return Samples.tensor(Samples.prepare(pipeline, text).executions().getFirst(), "attention_mask")
        .shape()
        .dim(1);
  }

  private static Problem refusal(TextPipeline pipeline, List<NamedTensor> inputs) {
    return switch (pipeline.prepare(inputs, Parameters.NONE)) {
      case Outcome.Failed<Prepared>(Problem problem) -> problem;
      case Outcome.Ok<Prepared> _ -> throw new AssertionError("not refused");
    };
  }
}
