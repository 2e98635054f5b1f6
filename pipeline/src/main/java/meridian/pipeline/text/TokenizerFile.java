package meridian.pipeline.text;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.Set;
import meridian.core.backend.ModelLoadException;
import org.jspecify.annotations.Nullable;

/**
 * A tokenizer.json. What it says about truncation and padding is replaced: the model's
 * configuration alone decides.
 */
final class TokenizerFile {

  /** These end a token at every space, so that no token depends on what follows one. */
  private static final Set<String> SPLIT_AT_SPACES =
      Set.of("BertPreTokenizer", "Whitespace", "WhitespaceSplit");

  /** These change a character without looking at those around it. */
  private static final Set<String> LOCAL_NORMALIZERS = Set.of("BertNormalizer", "Lowercase");

  /** For {@link #content}: the sequence is never cut. */
  static final int NOWHERE = 0;

  private final JsonObject root;

  private TokenizerFile(JsonObject root) {
    this.root = root;
  }

  /**
   * @throws ModelLoadException if the file cannot be read or the library does not accept it: what
   *     comes after may rely on its structure
   */
  static TokenizerFile read(Path file) throws ModelLoadException {
    try {
      String json = Files.readString(file);
      NativeTokenizer.create(json).close();
      return new TokenizerFile(JsonParser.parseString(json).getAsJsonObject());
    } catch (IOException e) {
      throw new ModelLoadException(file + ": cannot be read: " + e, e);
    } catch (ModelLoadException e) {
      throw new ModelLoadException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * The file's content for one use.
   *
   * @param maxTokens where to cut, special tokens included, or {@link #NOWHERE}
   * @param controlsInText false: control tokens in a text are not recognised as such. The library
   *     looks for its added tokens in every text and has no switch against it; without their
   *     entries it cannot, while what puts them around the text brings their ids along
   */
  String content(int maxTokens, boolean controlsInText) {
    JsonObject copy = new JsonObject();
    root.asMap().forEach(copy::add);
    copy.add("padding", JsonNull.INSTANCE);
    copy.add("truncation", maxTokens == NOWHERE ? JsonNull.INSTANCE : truncation(maxTokens));
    copy.add("added_tokens", controlsInText ? addedTokens() : ordinaryAddedTokens());
    return copy.toString();
  }

  /** Ids with a meaning for the model that no text should be able to produce. */
  BitSet controlIds() {
    BitSet ids = new BitSet();
    for (JsonElement token : addedTokens()) {
      if (isControl(token) && !isUnknown(token.getAsJsonObject())) {
        ids.set(token.getAsJsonObject().get("id").getAsInt());
      }
    }
    return ids;
  }

  /** What fills the gaps of a batch: a model may tell padding by this id instead of the mask. */
  long padId() {
    JsonElement declared = root.get("padding");
    if (declared != null && declared.isJsonObject()) {
      return declared.getAsJsonObject().get("pad_id").getAsLong();
    }
    for (JsonElement token : addedTokens()) {
      if (Set.of("[PAD]", "<pad>").contains(text(token, "content"))) {
        return token.getAsJsonObject().get("id").getAsLong();
      }
    }
    return 0;
  }

  /** True when the tokens of a text that ends before a space are the first of any continuation. */
  boolean tokensEndAtSpaces() {
    return ordinaryAddedTokens().isEmpty()
        && SPLIT_AT_SPACES.contains(type("pre_tokenizer"))
        && (isAbsent("normalizer") || LOCAL_NORMALIZERS.contains(type("normalizer")));
  }

  /** Such as {@code WordPiece}. */
  String modelType() {
    return type("model");
  }

  /** What the file declares under {@code section}, as it stands there, or null. */
  @Nullable String declared(String section) {
    return isAbsent(section) ? null : root.get(section).toString();
  }

  private static JsonObject truncation(int maxTokens) {
    JsonObject truncation = new JsonObject();
    truncation.addProperty("direction", "Right");
    truncation.addProperty("strategy", "LongestFirst");
    truncation.addProperty("max_length", maxTokens);
    truncation.addProperty("stride", 0);
    return truncation;
  }

  private JsonArray addedTokens() {
    return isAbsent("added_tokens") ? new JsonArray() : root.getAsJsonArray("added_tokens");
  }

  private JsonArray ordinaryAddedTokens() {
    JsonArray ordinary = new JsonArray();
    for (JsonElement token : addedTokens()) {
      if (!isControl(token)) {
        ordinary.add(token);
      }
    }
    return ordinary;
  }

  private static boolean isControl(JsonElement token) {
    JsonElement special = token.getAsJsonObject().get("special");
    return special != null && special.getAsBoolean();
  }

  /** The unknown token stands for characters the model lacks: texts produce it rightly. */
  private boolean isUnknown(JsonObject token) {
    JsonObject model = root.getAsJsonObject("model");
    return token.get("content").equals(model.get("unk_token"))
        || token.get("id").equals(model.get("unk_id"));
  }

  private String type(String section) {
    return isAbsent(section) ? "" : text(root.get(section), "type");
  }

  private static String text(JsonElement object, String key) {
    JsonElement value = object.getAsJsonObject().get(key);
    return value == null ? "" : value.getAsString();
  }

  private boolean isAbsent(String section) {
    JsonElement value = root.get(section);
    return value == null || value.isJsonNull();
  }
}
