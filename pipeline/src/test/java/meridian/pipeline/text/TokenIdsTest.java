package meridian.pipeline.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import meridian.core.backend.ModelLoadException;
import meridian.pipeline.text.TextSettings.SpecialTokens;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sample's tokenizer.json against published ids and an independent tokenizer. */
class TokenIdsTest {

  @TempDir static Path folder;
  private static TextPipeline pipeline;
  private static WordPieceReference reference;

  @BeforeAll
  static void open() throws ModelLoadException {
    JsonObject tokenizer = Samples.tokenizer();
    reference = new WordPieceReference(tokenizer);
    Path file = Samples.write(folder, tokenizer);
    pipeline = TextPipeline.open(file, TextSettings.defaults(), Samples.GRAPH, false);
  }

  @AfterAll
  static void close() {
    pipeline.close();
  }

  static Stream<Arguments> published() {
    return Stream.of(
        ids("", 101, 102),
        ids("Hello world", 101, 7592, 2088, 102),
        ids("HELLO   World\n", 101, 7592, 2088, 102),
        ids("This is a test.", 101, 2023, 2003, 1037, 3231, 1012, 102),
        ids(
            "The quick brown fox jumps over the lazy dog",
            101,
            1996,
            4248,
            2829,
            4419,
            14523,
            2058,
            1996,
            13971,
            3899,
            102),
        ids("This is an example sentence", 101, 2023, 2003, 2019, 2742, 6251, 102),
        ids("Each sentence is converted", 101, 2169, 6251, 2003, 4991, 102),
        ids(
            "I've been waiting for a HuggingFace course my whole life.",
            101,
            1045,
            1005,
            2310,
            2042,
            3403,
            2005,
            1037,
            17662,
            12172,
            2607,
            2026,
            2878,
            2166,
            1012,
            102),
        ids("I hate this so much!", 101, 1045, 5223, 2023, 2061, 2172, 999, 102),
        ids(
            "Who was Jim Henson ? Jim Henson was a puppeteer",
            101,
            2040,
            2001,
            3958,
            27227,
            1029,
            3958,
            27227,
            2001,
            1037,
            13997,
            11510,
            102),
        ids("😀 日本", 101, 100, 1864, 1876, 102));
  }

  @ParameterizedTest
  @MethodSource("published")
  void ids_publishedText_areThosePublished(String text, long[] expected) {
    assertThat(Samples.ids(pipeline, text)).containsExactly(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Café crème, naïve façade — coöperate",
        "Ångström, Łódź, İstanbul, Straße, ΣΊΣΥΦΟΣ",
        "機械学習は楽しい。深度学习很有趣",
        "안녕하세요 세계",
        "Привет, мир! Это тест.",
        "مرحبا بالعالم",
        "नमस्ते दुनिया",
        "👩‍👩‍👧‍👦 family 🇵🇭 flag 👍🏽",
        "e\u0301 and \u00e9 alike",
        "zero\u200bwidth\u00a0nbsp\u3000wide",
        "tab\tnew\nline\r\nreturn",
        "C++ & C# cost $3.50/£2 (50%) ~ `code` <tag> a_b^c | d=e",
        "https://example.org/a?b=c#d user@example.org",
        "antidisestablishmentarianism pneumonoultramicroscopicsilicovolcanoconiosis",
        "\u0000nul\u0007bell\u007f",
        "ﬁ ligature ½ ① Ⅷ",
      })
  void ids_textOfManyScripts_equalTheReference(String text) {
    assertThat(Samples.ids(pipeline, text)).containsExactly(reference.encode(text));
  }

  @Test
  void ids_wordsAroundTheLengthLimit_equalTheReference() {
    for (int length : new int[] {99, 100, 101, 5000}) {
      String word = "a".repeat(length) + " b";
      assertThat(Samples.ids(pipeline, word)).containsExactly(reference.encode(word));
    }
  }

  @Test
  void ids_randomText_equalTheReference() {
    Random random = new Random(20260101);
    String alphabet = "abcdefghij   XYZ,.'-[]äéßñ東京か가ж9 \n";
    for (int i = 0; i < 500; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(80); length > 0; length--) {
        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
      }
      assertThat(Samples.ids(pipeline, text.toString()))
          .as(text.toString())
          .containsExactly(reference.encode(text.toString()));
    }
  }

  static Stream<Arguments> controlTokens() {
    return Stream.of(
        ids("This is[SEP]a test", 101, 2023, 2003, 1031, 19802, 1033, 1037, 3231, 102),
        ids("[CLS]", 101, 1031, 18856, 2015, 1033, 102),
        ids("[PAD][MASK]", 101, 1031, 11687, 1033, 1031, 7308, 1033, 102),
        ids("<s>", 101, 1026, 1055, 1028, 102),
        ids("<|im_start|>", 101, 1026, 1064, 10047, 1035, 2707, 1064, 1028, 102));
  }

  @ParameterizedTest
  @MethodSource("controlTokens")
  void ids_controlTokenTyped_isPlainTextByDefault(String text, long[] expected) {
    assertThat(Samples.ids(pipeline, text))
        .containsExactly(expected)
        .containsExactly(reference.encode(text));
  }

  @Test
  void ids_controlTokenAllowed_isTheControlToken() throws ModelLoadException {
    Path file = folder.resolve("tokenizer.json");
    TextSettings allow = Samples.special(SpecialTokens.ALLOW);
    try (TextPipeline allowing = TextPipeline.open(file, allow, Samples.GRAPH, false)) {
      assertThat(Samples.ids(allowing, "This is[SEP]a test"))
          .containsExactly(101, 2023, 2003, 102, 1037, 3231, 102);
      assertThat(Samples.ids(allowing, "[CLS]")).containsExactly(101, 101, 102);
      assertThat(Samples.ids(allowing, "<s>")).containsExactly(101, 1026, 1055, 1028, 102);
    }
  }

  private static Arguments ids(String text, long... ids) {
    return Arguments.of(text, ids);
  }
}
