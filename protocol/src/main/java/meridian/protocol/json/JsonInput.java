package meridian.protocol.json;

import static com.fasterxml.jackson.core.JsonToken.END_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.END_OBJECT;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Base64;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.error.Quoted;
import meridian.protocol.Limits;
import meridian.protocol.Names;

/**
 * One JSON document, read strictly: UTF-8, no duplicate keys, nesting within {@link Limits},
 * nothing behind the document. What is wrong comes out as a {@link Problem} with the path of the
 * value, by way of {@link #read}.
 */
public final class JsonInput implements AutoCloseable {

  private final Source source;
  private final TensorJsonParser parser;
  private final String root;
  private final int from;
  private final int length;

  private JsonInput(Source source, int from, int length, String root) throws IOException {
    this.source = source;
    this.parser = source.factory.parser(source.bytes, from, length);
    this.root = root;
    this.from = from;
    this.length = length;
  }

  private record Source(TensorJsonFactory factory, byte[] bytes) {}

  /** Where a value that was passed over stands, to be read later by {@link #reread}. */
  public record Span(String path, int from, int length) {}

  /** Something that reads a document and may find faults in it. */
  @FunctionalInterface
  public interface Reading<T> {
    T read(JsonInput in) throws IOException, ProblemException;
  }

  /** The settings of every parser; one is enough for a codec and its threads. */
  public static JsonFactory factory(Limits limits) {
    return new TensorJsonFactory(limits);
  }

  /**
   * Reads a whole body; {@code reading} starts before the first token and ends with the last.
   *
   * @param body fastest on the heap, copied from other memory
   */
  public static <T> T read(JsonFactory factory, MemorySegment body, Reading<T> reading)
      throws ProblemException {
    int length = Math.toIntExact(body.byteSize());
    if (body.heapBase().orElse(null) instanceof byte[] array) {
      return read(
          new Source((TensorJsonFactory) factory, array),
          (int) body.address(),
          length,
          "",
          reading);
    }
    byte[] copy = body.toArray(ValueLayout.JAVA_BYTE);
    return read(new Source((TensorJsonFactory) factory, copy), 0, length, "", reading);
  }

  private static <T> T read(Source source, int from, int length, String root, Reading<T> reading)
      throws ProblemException {
    try (JsonInput in = new JsonInput(source, from, length, root)) {
      return in.read(reading);
    } catch (IOException e) {
      throw new IllegalStateException("a parser over an array failed to open or close", e);
    }
  }

  private <T> T read(Reading<T> reading) throws ProblemException {
    try {
      T value = reading.read(this);
      if (parser.nextToken() != null) {
        throw invalid("body", "something behind the JSON document", "one document");
      }
      return value;
    } catch (IOException e) {
      throw malformed(e);
    }
  }

  @Override
  public void close() throws IOException {
    parser.close();
  }

  public JsonParser parser() {
    return parser;
  }

  /**
   * Reads ahead: hands the next elements of the current array to {@code sink}, as long as they are
   * plain numbers that it takes, and leaves the first that is not as the next token.
   *
   * @param whole whether numbers with a point or an exponent are left too
   * @return how many were taken, at most {@code most}
   */
  public long ahead(long most, boolean whole, DecimalSink sink) {
    return parser.ahead(most, whole, sink);
  }

  /** Where the current value stands. */
  public String path() {
    return JsonPath.of(root, parser.getParsingContext());
  }

  /** Moves to the next token; NOT_AVAILABLE behind the last. */
  public JsonToken next() throws IOException {
    JsonToken token = parser.nextToken();
    return token == null ? JsonToken.NOT_AVAILABLE : token;
  }

  public String name() throws IOException {
    return parser.currentName();
  }

  public void skip() throws IOException {
    parser.nextToken();
    parser.skipChildren();
  }

  /** Moves past the next value and tells where it stands. */
  public Span span() throws IOException {
    parser.nextToken();
    String path = path();
    long start = parser.currentTokenLocation().getByteOffset();
    parser.skipChildren();
    parser.finishToken();
    long end = parser.currentLocation().getByteOffset();
    return new Span(path, from + (int) start, (int) (end - start));
  }

  /** Reads a value that {@link #span} passed over, as a document of its own. */
  public <T> T reread(Span span, Reading<T> reading) throws ProblemException {
    return read(source, span.from(), span.length(), span.path(), reading);
  }

  /** Bytes of the document behind the current token. */
  public long remaining() {
    return length - parser.currentLocation().getByteOffset();
  }

  /** Moves to the next value, which has to be an object. */
  public void startObject() throws IOException, ProblemException {
    if (next() != JsonToken.START_OBJECT) {
      throw unexpected("an object");
    }
  }

  /** Checks that the current value is an object. */
  public void requireObject() throws IOException, ProblemException {
    if (parser.currentToken() != JsonToken.START_OBJECT) {
      throw unexpected("an object");
    }
  }

  /** Moves to the next value, which has to be an array. */
  public void startArray() throws IOException, ProblemException {
    if (next() != JsonToken.START_ARRAY) {
      throw unexpected("an array");
    }
  }

  /** Moves to the next name of the object, or to its end. */
  public boolean nextField() throws IOException {
    return next() != END_OBJECT;
  }

  /** Moves to the next element of the array, or to its end. */
  public boolean nextElement() throws IOException {
    return next() != END_ARRAY;
  }

  /** Moves to the next value, which has to be a string. */
  public String string() throws IOException, ProblemException {
    next();
    return currentString();
  }

  /** The current value, which has to be a string. */
  public String currentString() throws IOException, ProblemException {
    if (parser.currentToken() != JsonToken.VALUE_STRING) {
      throw unexpected("a string");
    }
    String text = parser.getText();
    if (!Names.isUnicode(text)) {
      throw unexpected("whole surrogate pairs");
    }
    return text;
  }

  /** Moves to the next value, which has to be a string with neither NUL nor lone surrogates. */
  public String name(String expected) throws IOException, ProblemException {
    String name = string();
    if (!Names.isName(name)) {
      throw invalid(path(), Quoted.of(name), expected);
    }
    return name;
  }

  public boolean bool() throws IOException, ProblemException {
    return switch (next()) {
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      default -> throw unexpected("true or false");
    };
  }

  /** Moves to the next value, which has to be a string that is well-formed base64. */
  public byte[] base64() throws IOException, ProblemException {
    String text = string();
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException _) {
      throw unexpected("base64");
    }
  }

  /** The current value as a whole number within bounds. */
  public long integer(long lowest, long highest, String expected)
      throws IOException, ProblemException {
    if (parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER
        && parser.getLongValue() >= lowest
        && parser.getLongValue() <= highest) {
      return parser.getLongValue();
    }
    throw unexpected(expected);
  }

  /** The fault of a current value that is not {@code expected}. */
  public ProblemException unexpected(String expected) throws IOException {
    return invalid(path(), shown(), expected);
  }

  public static ProblemException invalid(String path, Object actual, String expected) {
    return new ProblemException(Problem.invalid(path, actual, expected));
  }

  private String shown() throws IOException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case null -> "nothing";
      case START_OBJECT -> "an object";
      case START_ARRAY -> "an array";
      case END_ARRAY -> "the end of the array";
      case END_OBJECT -> "the end of the object";
      case VALUE_STRING -> Quoted.of(parser.getText());
      default -> Quoted.clean(parser.getText());
    };
  }

  private ProblemException malformed(IOException e) {
    if (e instanceof ReadLimits.Exceeded exceeded) {
      return invalid(path(), exceeded.actual(), exceeded.expected());
    }
    SyntaxFault fault = SyntaxFault.find(root, source.bytes, from, length);
    return fault == null
        ? invalid(path(), "given twice", "once")
        : invalid(fault.path(), fault.actual(), fault.expected());
  }
}
