package meridian.node.config;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.TextFormat;
import com.google.protobuf.TextFormat.ParseException;
import com.google.protobuf.TextFormat.Parser.SingularOverwritePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import meridian.core.backend.ModelLoadException;
import meridian.proto.ModelConfig;

/** Reads {@code config.pbtxt}. Every complaint has file, line and field. */
final class PbtxtConfig {

  static final String FILE = "config.pbtxt";

  private static final int MAX_NESTING = 32;
  private static final TextFormat.Parser PARSER =
      TextFormat.Parser.newBuilder()
          .setSingularOverwritePolicy(SingularOverwritePolicy.FORBID_SINGULAR_OVERWRITES)
          .setRecursionLimit(MAX_NESTING)
          .build();

  /** How the parser lists, once it has read everything, the fields it does not know. */
  private static final Pattern UNKNOWN =
      Pattern.compile("^(\\d+):\\d+:\\s*inference\\.(\\w+)\\.(\\w+)$", Pattern.MULTILINE);

  private static final Pattern NAMED = Pattern.compile("field \"inference\\.\\w+\\.(\\w+)\"");
  private static final Pattern FIELD = Pattern.compile("([A-Za-z_][A-Za-z0-9_]*)\\s*[:{\\[]");

  private final String text;
  private final List<String> unused = new ArrayList<>();

  private PbtxtConfig(String text) {
    this.text = text;
  }

  static TritonConfig read(String text) throws ModelLoadException {
    return new PbtxtConfig(text.startsWith("\uFEFF") ? text.substring(1) : text).parse();
  }

  private TritonConfig parse() throws ModelLoadException {
    ModelConfig.Builder config = ModelConfig.newBuilder();
    try {
      PARSER.merge(text, config);
    } catch (ParseException e) {
      List<MatchResult> unknown = UNKNOWN.matcher(e.getMessage()).results().toList();
      if (unknown.isEmpty()) {
        throw new ModelLoadException(complaint(e), e);
      }
      for (MatchResult field : unknown) {
        sort(field.group(1), field.group(2), field.group(3));
      }
    }
    return new TritonConfig(config.build(), unused);
  }

  private void sort(String line, String message, String name) throws ModelLoadException {
    String field = message + '.' + name;
    if (!TritonFields.isWithoutMeaning(field)) {
      throw new ModelLoadException(
          "%s:%s: %s: %s"
              .formatted(FILE, line, name, TritonFields.refusal(field, fieldsOf(message))));
    }
    if (!unused.contains(name)) {
      unused.add(name);
    }
  }

  private static List<String> fieldsOf(String message) {
    Descriptor descriptor = ModelConfig.getDescriptor().getFile().findMessageTypeByName(message);
    return descriptor == null
        ? List.of()
        : descriptor.getFields().stream().map(FieldDescriptor::getName).toList();
  }

  private String complaint(ParseException e) {
    String message = String.valueOf(e.getMessage()).replaceFirst("^\\d+:\\d+:\\s*", "");
    Matcher named = NAMED.matcher(message);
    String field = named.find() ? named.group(1) : fieldBefore(e.getLine(), e.getColumn());
    return "%s:%d: %s%s".formatted(FILE, e.getLine(), field.isEmpty() ? "" : field + ": ", message);
  }

  /** The name of the last field that starts before a place, on the same line if there is one. */
  private String fieldBefore(int line, int column) {
    List<String> lines = text.lines().toList();
    for (int i = Math.min(line, lines.size()); i > 0; i--) {
      String before = lines.get(i - 1);
      if (i == line) {
        before = before.substring(0, Math.clamp(column - 1, 0, before.length()));
      }
      List<MatchResult> fields = FIELD.matcher(before).results().toList();
      if (!fields.isEmpty()) {
        return fields.getLast().group(1);
      }
    }
    return "";
  }
}
