package meridian.pipeline.text;

import java.util.BitSet;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.ModelLoadException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.pipeline.text.TextSettings.Overflow;
import meridian.pipeline.text.TextSettings.SpecialTokens;

/** Texts to token ids, held to the model's settings. */
final class TextTokenizer implements AutoCloseable {

  /** Enough for a full sequence of most languages at the first try. */
  private static final int EXCERPT_CHARS_PER_TOKEN = 8;

  private final NativeTokenizer tokenizer;
  private final int maxTokens;
  private final boolean refuses;
  private final boolean cutsEarly;
  private final boolean wantTypeIds;
  private final BitSet controlIds;

  /** How many of {@link #controlIds} the tokenizer itself puts around a text. */
  private final int controlsAround;

  private TextTokenizer(
      NativeTokenizer tokenizer,
      TokenizerFile file,
      TextSettings settings,
      int maxTokens,
      boolean wantTypeIds)
      throws ModelLoadException {
    this.tokenizer = tokenizer;
    this.maxTokens = maxTokens;
    this.wantTypeIds = wantTypeIds;
    refuses = settings.overflow() == Overflow.REFUSE;
    cutsEarly = !refuses && file.tokensEndAtSpaces();
    controlIds = settings.specialTokens() == SpecialTokens.TEXT ? file.controlIds() : new BitSet();
    controlsAround = countControls(encodeEmpty());
  }

  /**
   * @param maxTokens special tokens included
   * @param wantTypeIds whether the graph takes token type ids
   */
  static TextTokenizer open(
      TokenizerFile file, TextSettings settings, int maxTokens, boolean wantTypeIds)
      throws ModelLoadException {
    boolean controlsInText = settings.specialTokens() == SpecialTokens.ALLOW;
    int cutAt = settings.overflow() == Overflow.TRUNCATE ? maxTokens : TokenizerFile.NOWHERE;
    NativeTokenizer tokenizer = NativeTokenizer.create(file.content(cutAt, controlsInText));
    try {
      return new TextTokenizer(tokenizer, file, settings, maxTokens, wantTypeIds);
    } catch (ModelLoadException e) {
      tokenizer.close();
      throw e;
    }
  }

  /**
   * @throws ProblemException whose message starts with the text's place in the request: {@code
   *     field[index]}
   */
  Encoding encode(String text, String field, int index) throws ProblemException {
    Encoding encoding = encodeWithin(text, field, index);
    if (refuses && encoding.length() > maxTokens) {
      throw new ProblemException(
          Problem.invalid(
              place(field, index), encoding.length() + " tokens", "at most " + maxTokens));
    }
    if (countControls(encoding) > controlsAround) {
      throw new ProblemException(
          Problem.invalid(
              place(field, index),
              "text that the tokenizer makes a control token of",
              "none, unless special_tokens is allow"));
    }
    return encoding;
  }

  @Override
  public void close() {
    tokenizer.close();
  }

  private Encoding encodeWithin(String text, String field, int index) throws ProblemException {
    try {
      return cutsEarly ? encodeStart(text) : tokenizer.encode(text, wantTypeIds);
    } catch (ExecutionException e) {
      throw new ProblemException(
          Problem.of(ErrorCode.INTERNAL, place(field, index) + ": " + e.getMessage()));
    }
  }

  /**
   * Tokenizing takes microseconds per token, so a long text is not tokenized whole where its first
   * part fills the sequence: that part grows, from one space to another, until it does.
   */
  private Encoding encodeStart(String text) throws ExecutionException {
    int end = excerptEnd(text, (long) maxTokens * EXCERPT_CHARS_PER_TOKEN);
    while (end < text.length()) {
      Encoding encoding = tokenizer.encode(text.substring(0, end), wantTypeIds);
      if (encoding.cut()) {
        return encoding;
      }
      end = excerptEnd(text, 2L * end);
    }
    return tokenizer.encode(text, wantTypeIds);
  }

  /** The first white space from {@code least} on, or the end. */
  private static int excerptEnd(String text, long least) {
    for (int i = (int) Math.min(least, text.length()); i < text.length(); i++) {
      if (isSpace(text.charAt(i))) {
        return i;
      }
    }
    return text.length();
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
  }

  private static String place(String field, int index) {
    return field + '[' + index + ']';
  }

  private int countControls(Encoding encoding) {
    int count = 0;
    for (long id : encoding.ids()) {
      if (controlIds.get((int) id)) {
        count++;
      }
    }
    return count;
  }

  /** Where the special tokens alone fill the sequence, the library would not cut at all. */
  private Encoding encodeEmpty() throws ModelLoadException {
    try {
      Encoding empty = tokenizer.encode("", false);
      if (maxTokens <= empty.length()) {
        throw new ModelLoadException(
            "pipeline.text.max_tokens: %d (expected: more than the %d special tokens)"
                .formatted(maxTokens, empty.length()));
      }
      return empty;
    } catch (ExecutionException e) {
      throw new ModelLoadException("pipeline.text: " + e.getMessage(), e);
    }
  }
}
