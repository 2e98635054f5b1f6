package meridian.pipeline.text;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The section {@code pipeline.text} of model.yaml. A null stands for a key that is absent and
 * becomes the default, so that a binder can call the constructor as it is.
 *
 * @param input the BYTES input that requests carry; default {@code text}
 * @param output the FP32 output that answers hold; default {@code embedding}
 * @param graph the graph's own tensor names; default: found in its signature
 * @param maxTokens the longest sequence for the graph, special tokens included; null: {@value
 *     #DEFAULT_MAX_TOKENS}, or what the graph has room for if that is less
 * @param maxTextBytes the longest text that is tokenized at all; default {@value
 *     #DEFAULT_MAX_TEXT_BYTES}
 * @param overflow what becomes of a longer text; default {@link Overflow#TRUNCATE}
 * @param padToMultipleOf texts of one execution are padded to the longest, rounded up to a multiple
 *     of this; default 1
 * @param specialTokens what {@code [SEP]} means when a user types it; default {@link
 *     SpecialTokens#TEXT}
 * @param pooling how token vectors become one; default {@link Pooling#MEAN}
 * @param normalize default {@link Normalize#L2}
 */
public record TextSettings(
    String input,
    String output,
    GraphNames graph,
    @Nullable Integer maxTokens,
    Integer maxTextBytes,
    Overflow overflow,
    Integer padToMultipleOf,
    SpecialTokens specialTokens,
    Pooling pooling,
    Normalize normalize) {

  public static final int DEFAULT_MAX_TOKENS = 512;
  public static final int DEFAULT_MAX_TEXT_BYTES = 1 << 20;

  /** What becomes of a text that has more tokens than the model takes. */
  public enum Overflow {
    /** Cut at the end, keeping the special tokens; the response parameters tell. */
    TRUNCATE,
    /** An error that names the text and both counts. */
    REFUSE
  }

  /** What becomes of control tokens that are part of a user's text. */
  public enum SpecialTokens {
    /** Characters like any other. */
    TEXT,
    /** The control token itself, as the tokenizer's authors have it. */
    ALLOW
  }

  /** How the vectors of a text's tokens become the text's vector. */
  public enum Pooling {
    /** Their mean; padding does not count. */
    MEAN,
    /** The first one. */
    CLS,
    /** Not at all: the graph's output, padded with zeros where it has one vector per token. */
    NONE
  }

  /** What is done to each vector at the end. */
  public enum Normalize {
    /** Scaled to the Euclidean length 1; the zero vector stays. */
    L2,
    NONE
  }

  /**
   * @param inputIds default {@code input_ids}
   * @param attentionMask default {@code attention_mask}; a graph without it never sees padding
   * @param tokenTypeIds default {@code token_type_ids}, where the graph has it
   * @param output default {@code last_hidden_state}, else the graph's only output
   */
  public record GraphNames(
      @Nullable String inputIds,
      @Nullable String attentionMask,
      @Nullable String tokenTypeIds,
      @Nullable String output) {

    public static final GraphNames FOUND = new GraphNames(null, null, null, null);
  }

  public TextSettings {
    input = Objects.requireNonNullElse(input, "text");
    output = Objects.requireNonNullElse(output, "embedding");
    graph = Objects.requireNonNullElse(graph, GraphNames.FOUND);
    maxTextBytes = Objects.requireNonNullElse(maxTextBytes, DEFAULT_MAX_TEXT_BYTES);
    overflow = Objects.requireNonNullElse(overflow, Overflow.TRUNCATE);
    padToMultipleOf = Objects.requireNonNullElse(padToMultipleOf, 1);
    specialTokens = Objects.requireNonNullElse(specialTokens, SpecialTokens.TEXT);
    pooling = Objects.requireNonNullElse(pooling, Pooling.MEAN);
    normalize = Objects.requireNonNullElse(normalize, Normalize.L2);
    requireName("input", input);
    requireName("output", output);
    requirePositive("max_tokens", maxTokens == null ? DEFAULT_MAX_TOKENS : maxTokens);
    requirePositive("max_text_bytes", maxTextBytes);
    requirePositive("pad_to_multiple_of", padToMultipleOf);
  }

  public static TextSettings defaults() {
    return new TextSettings(
        "text",
        "embedding",
        GraphNames.FOUND,
        null,
        DEFAULT_MAX_TEXT_BYTES,
        Overflow.TRUNCATE,
        1,
        SpecialTokens.TEXT,
        Pooling.MEAN,
        Normalize.L2);
  }

  private static void requireName(String key, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(key + ": \"" + value + "\" (expected: a tensor name)");
    }
  }

  private static void requirePositive(String key, int value) {
    if (value < 1) {
      throw new IllegalArgumentException(key + ": " + value + " (expected: 1 or more)");
    }
  }
}
