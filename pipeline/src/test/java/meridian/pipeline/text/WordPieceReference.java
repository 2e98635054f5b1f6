package meridian.pipeline.text;

import com.google.gson.JsonObject;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * BERT's uncased tokenization, straight from its paper's description and as slow as that: clean,
 * split off ideographs, lower-case, drop accents, split off punctuation, then the longest pieces.
 */
final class WordPieceReference {

  private static final int MAX_WORD = 100;

  private final JsonObject vocabulary;

  WordPieceReference(JsonObject tokenizer) {
    vocabulary = tokenizer.getAsJsonObject("model").getAsJsonObject("vocab");
  }

  long[] encode(String text) {
    List<Long> ids = new ArrayList<>();
    ids.add(id("[CLS]"));
    for (String word : spaced(text).split(" ")) {
      if (!word.isEmpty()) {
        addPieces(word, ids);
      }
    }
    ids.add(id("[SEP]"));
    return ids.stream().mapToLong(Long::longValue).toArray();
  }

  private static String spaced(String text) {
    StringBuilder cleaned = new StringBuilder();
    text.codePoints().forEach(c -> appendCleaned(cleaned, c));
    String bare = Normalizer.normalize(cleaned, Normalizer.Form.NFD).replaceAll("\\p{Mn}", "");
    StringBuilder lower = new StringBuilder();
    bare.codePoints().forEach(c -> lower.append(Character.toString(c).toLowerCase(Locale.ROOT)));
    StringBuilder spaced = new StringBuilder();
    lower.codePoints().forEach(c -> append(spaced, c, isPunctuation(c)));
    return spaced.toString();
  }

  private static void appendCleaned(StringBuilder out, int c) {
    if (c == '\t' || c == '\n' || c == '\r' || Character.getType(c) == Character.SPACE_SEPARATOR) {
      out.append(' ');
    } else if (!isControl(c)) {
      append(out, c, isIdeograph(c));
    }
  }

  private static void append(StringBuilder out, int c, boolean alone) {
    out.append(alone ? " " : "").appendCodePoint(c).append(alone ? " " : "");
  }

  private void addPieces(String word, List<Long> ids) {
    List<Long> pieces = new ArrayList<>();
    int[] codePoints = word.codePoints().toArray();
    int start = codePoints.length > MAX_WORD ? -1 : 0;
    while (start >= 0 && start < codePoints.length) {
      start = addLongest(codePoints, start, pieces);
    }
    ids.addAll(start < 0 ? List.of(id("[UNK]")) : pieces);
  }

  private int addLongest(int[] word, int start, List<Long> pieces) {
    for (int end = word.length; end > start; end--) {
      String piece = (start > 0 ? "##" : "") + new String(word, start, end - start);
      if (vocabulary.has(piece)) {
        pieces.add(id(piece));
        return end;
      }
    }
    return -1;
  }

  private long id(String token) {
    return vocabulary.get(token).getAsLong();
  }

  private static boolean isControl(int c) {
    return c == 0
        || c == 0xFFFD
        || switch (Character.getType(c)) {
          case Character.CONTROL,
              Character.FORMAT,
              Character.PRIVATE_USE,
              Character.UNASSIGNED,
              Character.SURROGATE ->
              true;
          default -> false;
        };
  }

  private static boolean isIdeograph(int c) {
    return (c >= 0x4E00 && c <= 0x9FFF)
        || (c >= 0x3400 && c <= 0x4DBF)
        || (c >= 0x20000 && c <= 0x2A6DF)
        || (c >= 0xF900 && c <= 0xFAFF);
  }

  private static boolean isPunctuation(int c) {
    return (c > 32 && c < 127 && !Character.isLetterOrDigit(c))
        || switch (Character.getType(c)) {
          case Character.CONNECTOR_PUNCTUATION,
              Character.DASH_PUNCTUATION,
              Character.START_PUNCTUATION,
              Character.END_PUNCTUATION,
              Character.INITIAL_QUOTE_PUNCTUATION,
              Character.FINAL_QUOTE_PUNCTUATION,
              Character.OTHER_PUNCTUATION ->
              true;
          default -> false;
        };
  }
}
