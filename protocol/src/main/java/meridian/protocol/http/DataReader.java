package meridian.protocol.http;

import static com.fasterxml.jackson.core.JsonToken.END_ARRAY;
import static com.fasterxml.jackson.core.JsonToken.NOT_AVAILABLE;
import static com.fasterxml.jackson.core.JsonToken.START_ARRAY;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import meridian.core.error.ProblemException;
import meridian.core.tensor.Shape;
import meridian.protocol.json.JsonInput;

/**
 * Reads the value of {@code data}: one flat array of all elements, or arrays nested exactly as the
 * shape is. A scalar may also stand alone, without an array.
 */
final class DataReader {

  private final JsonInput in;
  private final Shape shape;
  private final Elements elements;

  private DataReader(JsonInput in, Shape shape, Elements elements) {
    this.in = in;
    this.shape = shape;
    this.elements = elements;
  }

  /** Moves to the value, which has to be of a kind that {@link #read} takes. */
  static JsonToken first(JsonInput in, Shape shape) throws IOException, ProblemException {
    JsonToken first = in.next();
    if (first == START_ARRAY || (first != NOT_AVAILABLE && shape.rank() == 0)) {
      return first;
    }
    throw in.unexpected("an array for shape " + shape);
  }

  /** Reads the value that begins with {@code first}, the current token. */
  static MemorySegment read(JsonInput in, JsonToken first, Shape shape, Elements elements)
      throws IOException, ProblemException {
    if (first == START_ARRAY) {
      new DataReader(in, shape, elements).array();
    } else {
      elements.add(first);
    }
    return elements.finish();
  }

  private void array() throws IOException, ProblemException {
    long total = shape.elementCount();
    long ahead = elements.ahead(total);
    JsonToken first = in.next();
    if (first == START_ARRAY && ahead == 0 && shape.rank() > 1) {
      rows(0, first);
    } else {
      row(total, ahead, first);
    }
  }

  /** The arrays inside an array of dimension {@code level}, from its first token on. */
  private void rows(int level, JsonToken first) throws IOException, ProblemException {
    boolean innermost = level == shape.rank() - 2;
    long count = 0;
    for (JsonToken token = first; token != END_ARRAY; token = in.next()) {
      if (token != START_ARRAY) {
        throw in.unexpected("an array, as shape " + shape + " is nested");
      }
      if (++count > shape.dim(level)) {
        throw tooMany(shape.dim(level), count);
      }
      if (innermost) {
        row(shape.dim(level + 1));
      } else {
        rows(level + 1, in.next());
      }
    }
    requireCount(shape.dim(level), count);
  }

  private void row(long expected) throws IOException, ProblemException {
    long ahead = elements.ahead(expected);
    row(expected, ahead, in.next());
  }

  private void row(long expected, long before, JsonToken first)
      throws IOException, ProblemException {
    long count = before;
    for (JsonToken token = first; token != END_ARRAY; token = in.next()) {
      if (++count > expected) {
        throw tooMany(expected, count);
      }
      elements.add(token);
      count += elements.ahead(expected - count);
    }
    requireCount(expected, count);
  }

  private void requireCount(long expected, long count) throws ProblemException {
    if (count != expected) {
      throw JsonInput.invalid(in.path(), count + " elements", expected + " for shape " + shape);
    }
  }

  /** Counts on from the first element that is one too many. */
  private ProblemException tooMany(long expected, long soFar) throws IOException {
    long count = soFar;
    in.parser().skipChildren();
    while (in.next() != END_ARRAY) {
      in.parser().skipChildren();
      count++;
    }
    return JsonInput.invalid(in.path(), count + " elements", expected + " for shape " + shape);
  }
}
