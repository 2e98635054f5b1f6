package meridian.pipeline.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import meridian.core.backend.ModelLoadException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.TensorSpec;
import meridian.pipeline.Prepared;
import meridian.pipeline.text.TextSettings.Overflow;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts longer than the model allows, and limits that the tokenizer's file brings along. */
class SequenceLimitTest {

  @TempDir static Path folder;
  private static Path file;

  @BeforeAll
  static void write() {
    file = Samples.write(folder, Samples.tokenizer());
  }

  @ParameterizedTest
  @ValueSource(ints = {508, 509, 510})
  void truncate_textThatFits_isWhole(int words) throws ModelLoadException {
    try (TextPipeline pipeline = open(Samples.limited(512, Overflow.TRUNCATE))) {
      Prepared prepared = Samples.prepare(pipeline, words(words));
      assertThat(firstIds(prepared)).containsExactly(idsOfWords(words));
      assertThat(prepared.notes()).isEqualTo(Parameters.NONE);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {511, 512, 598, 600, 100_000})
  void truncate_longerText_isCutKeepingSpecialTokensAndNoted(int words) throws ModelLoadException {
    try (TextPipeline pipeline = open(Samples.limited(512, Overflow.TRUNCATE))) {
      Prepared prepared = Samples.prepare(pipeline, words(words));
      assertThat(firstIds(prepared)).hasSize(512).containsExactly(idsOfWords(510));
      assertThat(prepared.notes().get("truncated")).isEqualTo(new Parameter.Int(1));
      assertThat(prepared.notes().get("truncated_rows")).isEqualTo(new Parameter.Text("0"));
    }
  }

  @Test
  void truncate_someTextsLonger_notesNameThem() throws ModelLoadException {
    try (TextPipeline pipeline = open(Samples.limited(8, Overflow.TRUNCATE))) {
      Prepared prepared =
          Samples.prepare(pipeline, "short", words(7), words(6), words(9), words(600));
      assertThat(prepared.notes().get("truncated")).isEqualTo(new Parameter.Int(3));
      assertThat(prepared.notes().get("truncated_rows")).isEqualTo(new Parameter.Text("1,3,4"));
    }
  }

  @Test
  void truncate_longTextOfManyKinds_startsLikeTheWholeText() throws ModelLoadException {
    String[] texts = {
      "word, ".repeat(3000),
      "antidisestablishmentarianism ".repeat(500),
      "x".repeat(5000) + " then words ".repeat(2000),
      "\n\t ".repeat(4000) + "late words ".repeat(500),
      "日本語の文章 ".repeat(800),
      "日本語の文章".repeat(800),
      "-".repeat(3000) + " tail",
    };
    try (TextPipeline cut = open(Samples.limited(64, Overflow.TRUNCATE));
        TextPipeline whole = open(Samples.limited(1 << 20, Overflow.REFUSE))) {
      for (String text : texts) {
        long[] all = Samples.ids(whole, text);
        long[] expected = Arrays.copyOf(all, 64);
        expected[63] = 102;
        assertThat(Samples.ids(cut, text)).as(text.substring(0, 40)).containsExactly(expected);
      }
    }
  }

  @Test
  void truncate_longTextWithFewTokens_isWholeAndNotNoted() throws ModelLoadException {
    String text = "first" + " ".repeat(20_000) + "x".repeat(9_000) + " last";
    try (TextPipeline pipeline = open(Samples.limited(64, Overflow.TRUNCATE))) {
      Prepared prepared = Samples.prepare(pipeline, text);
      assertThat(firstIds(prepared)).containsExactly(101, 2034, 100, 2197, 102);
      assertThat(prepared.notes().isEmpty()).isTrue();
    }
  }

  @Test
  void refuse_longerText_isRefusedWithBothCounts() throws ModelLoadException {
    try (TextPipeline pipeline = open(Samples.limited(512, Overflow.REFUSE))) {
      assertThat(refusal(pipeline, "a", "b", "c", words(598)))
          .isEqualTo(
              Problem.of(
                  ErrorCode.INVALID_ARGUMENT,
                  "inputs[0].data[3]: 600 tokens (expected: at most 512)"));
      assertThat(refusal(pipeline, words(511)).message())
          .isEqualTo("inputs[0].data[0]: 513 tokens (expected: at most 512)");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {508, 509, 510})
  void refuse_textThatFits_isWhole(int words) throws ModelLoadException {
    try (TextPipeline pipeline = open(Samples.limited(512, Overflow.REFUSE))) {
      assertThat(Samples.ids(pipeline, words(words))).containsExactly(idsOfWords(words));
    }
  }

  @Test
  void limits_inTheTokenizersFile_giveWayToTheModels(@TempDir Path other)
      throws ModelLoadException {
    Path limited = Samples.write(other, tokenizerWithLimits());
    try (TextPipeline pipeline =
        TextPipeline.open(limited, TextSettings.defaults(), Samples.GRAPH, false)) {
      assertThat(Samples.ids(pipeline, "Hello world")).containsExactly(101, 7592, 2088, 102);
      assertThat(Samples.ids(pipeline, words(100))).containsExactly(idsOfWords(100));
      assertThat(Samples.ids(pipeline, words(600))).containsExactly(idsOfWords(510));
      assertThat(pipeline.properties())
          .containsEntry("text.max_tokens", "512")
          .containsEntry("text.overflow", "truncate")
          .hasEntrySatisfying(
              "text.overridden.truncation", text -> assertThat(text).contains("\"max_length\":8"))
          .hasEntrySatisfying(
              "text.overridden.padding", text -> assertThat(text).contains("{\"Fixed\":16}"));
    }
  }

  @Test
  void limits_noneInTheTokenizersFile_nothingIsOverridden(@TempDir Path other)
      throws ModelLoadException {
    JsonObject tokenizer = Samples.tokenizer();
    tokenizer.remove("truncation");
    tokenizer.remove("padding");
    Path unlimited = Samples.write(other, tokenizer);
    try (TextPipeline pipeline =
        TextPipeline.open(unlimited, TextSettings.defaults(), Samples.GRAPH, false)) {
      assertThat(pipeline.properties())
          .doesNotContainKeys("text.overridden.truncation", "text.overridden.padding");
      assertThat(Samples.ids(pipeline, words(600))).containsExactly(idsOfWords(510));
    }
  }

  @Test
  void maxTokens_notDeclared_isWhatTheGraphHasRoomFor() throws ModelLoadException {
    try (TextPipeline wide = open(TextSettings.defaults(), graphOf(1024));
        TextPipeline narrow = open(TextSettings.defaults(), graphOf(128))) {
      assertThat(wide.properties()).containsEntry("text.max_tokens", "512");
      assertThat(narrow.properties()).containsEntry("text.max_tokens", "128");
    }
  }

  @Test
  void maxTokens_moreThanTheGraphHolds_isRefusedAtLoad() {
    assertThatThrownBy(() -> open(Samples.limited(129, Overflow.TRUNCATE), graphOf(128)))
        .isInstanceOf(ModelLoadException.class)
        .hasMessage("pipeline.text.max_tokens: 129 (expected: at most the graph's 128)");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void maxTokens_noRoomBesideSpecialTokens_isRefusedAtLoad(int maxTokens) {
    assertThatThrownBy(() -> open(Samples.limited(maxTokens, Overflow.TRUNCATE)))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageContaining("pipeline.text.max_tokens: " + maxTokens)
        .hasMessageContaining("more than the 2 special tokens");
  }

  private static JsonObject tokenizerWithLimits() {
    JsonObject tokenizer = Samples.tokenizer();
    tokenizer.getAsJsonObject("truncation").addProperty("max_length", 8);
    tokenizer.getAsJsonObject("padding").add("strategy", JsonParser.parseString("{\"Fixed\": 16}"));
    return tokenizer;
  }

  private static Signature graphOf(long tokens) {
    return new Signature(
        List.of(
            TensorSpec.of("input_ids", DataType.INT64, -1, tokens),
            TensorSpec.of("attention_mask", DataType.INT64, -1, tokens)),
        List.of(TensorSpec.of("last_hidden_state", DataType.FP32, -1, tokens, 384)),
        true);
  }

  private static TextPipeline open(TextSettings settings) throws ModelLoadException {
    return open(settings, Samples.GRAPH);
  }

  private static TextPipeline open(TextSettings settings, Signature graph)
      throws ModelLoadException {
    return TextPipeline.open(file, settings, graph, false);
  }

  private static Problem refusal(TextPipeline pipeline, String... texts) {
    return switch (pipeline.prepare(Samples.request(texts), Parameters.NONE)) {
      case Outcome.Failed<Prepared>(Problem problem) -> problem;
      case Outcome.Ok<Prepared> _ -> throw new AssertionError("not refused");
    };
  }

  private static long[] firstIds(Prepared prepared) {
    return Samples.tensor(prepared.executions().getFirst(), "input_ids").toLongs();
  }

  private static String words(int count) {
    return "hello ".repeat(count);
  }

  private static long[] idsOfWords(int count) {
    long[] ids = new long[count + 2];
    Arrays.fill(ids, 7592);
    ids[0] = 101;
    ids[count + 1] = 102;
    return ids;
  }
}
