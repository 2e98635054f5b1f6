package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import meridian.core.error.ProblemException;
import meridian.core.error.Quoted;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.protocol.Limits;
import meridian.protocol.RawTensor;
import meridian.protocol.json.JsonInput;
import meridian.protocol.json.JsonInput.Span;
import meridian.protocol.json.ParametersJson;
import org.jspecify.annotations.Nullable;

/**
 * Reads one tensor, its fields in any order. Data that comes before its type and shape is passed
 * over and read at the end; data is read again where parameters behind it say that it was base64.
 */
final class TensorReader {

  private final JsonInput in;
  private final Limits limits;
  private final String path;

  private @Nullable String name;
  private @Nullable Shape shape;
  private @Nullable DataType type;
  private Parameters parameters = Parameters.NONE;
  private boolean parametersSeen;
  private @Nullable Span span;
  private @Nullable MemorySegment data;

  /** The current token of {@code in} is the start of the tensor's object. */
  TensorReader(JsonInput in, Limits limits) {
    this.in = in;
    this.limits = limits;
    this.path = in.path();
  }

  NamedTensor read(Blobs blobs) throws IOException, ProblemException {
    while (in.nextField()) {
      field(in.name());
    }
    return new NamedTensor(
        required(Json.NAME, name, "a string"),
        tensor(
            required(Json.DATATYPE, type, "a type of the protocol"),
            required(Json.SHAPE, shape, "an array of dimensions"),
            blobs));
  }

  private void field(String field) throws IOException, ProblemException {
    switch (field) {
      case Json.NAME -> name = in.name("a name without NUL");
      case Json.SHAPE -> shape = shape();
      case Json.DATATYPE -> type = type();
      case Json.PARAMETERS -> {
        parameters = ParametersJson.read(in);
        parametersSeen = true;
      }
      case Json.DATA -> data();
      default -> in.skip();
    }
  }

  private Shape shape() throws IOException, ProblemException {
    in.startArray();
    long[] dims = new long[4];
    int rank = 0;
    while (in.nextElement()) {
      if (rank == limits.maxRank()) {
        throw JsonInput.invalid(path + ".shape", "more dimensions", "at most " + limits.maxRank());
      }
      if (rank == dims.length) {
        dims = Arrays.copyOf(dims, 2 * rank);
      }
      dims[rank++] = in.integer(0, Long.MAX_VALUE, "a whole number from 0 to 2^63-1");
    }
    return Shape.of(Arrays.copyOf(dims, rank));
  }

  private DataType type() throws IOException, ProblemException {
    String text = in.string();
    DataType named = DataType.named(text);
    if (named == null) {
      throw in.unexpected("one of " + Arrays.toString(DataType.values()));
    }
    return named;
  }

  private void data() throws IOException, ProblemException {
    if (type == null || shape == null || (type == DataType.BYTES && !parametersSeen)) {
      span = in.span();
    } else {
      data = elements(in, type, shape);
    }
  }

  private MemorySegment elements(JsonInput from, DataType type, Shape shape)
      throws IOException, ProblemException {
    JsonToken first = DataReader.first(from, shape);
    long count = RawTensor.elementCount(path, shape);
    long most = from.remaining() / 2 + 1;
    if (count > most || count * Math.max(1, type.byteSize()) > Integer.MAX_VALUE - 8) {
      throw JsonInput.invalid(
          path + ".shape",
          shape + ", " + count + " elements",
          "at most the " + most + " that the body can hold");
    }
    return DataReader.read(from, first, shape, Elements.of(type, (int) count, base64(), from));
  }

  private boolean base64() throws ProblemException {
    return switch (parameters.get(Json.CONTENT_ENCODING)) {
      case null -> false;
      case Parameter.Text(String text) when text.equals(Json.BASE64) -> true;
      case Parameter other ->
          throw JsonInput.invalid(
              path + ".parameters." + Json.CONTENT_ENCODING,
              other.quoted(),
              Quoted.of(Json.BASE64));
    };
  }

  private Tensor tensor(DataType type, Shape shape, Blobs blobs) throws ProblemException {
    Parameter size = parameters.get(Json.BINARY_DATA_SIZE);
    MemorySegment read = data;
    if (size != null) {
      if (read != null || span != null) {
        throw JsonInput.invalid(path, "both data and " + Json.BINARY_DATA_SIZE, "one of them");
      }
      return binary(type, shape, size, blobs);
    }
    if (read == null) {
      Span passed = required(Json.DATA, span, "an array, or parameters." + Json.BINARY_DATA_SIZE);
      read = in.reread(passed, again -> elements(again, type, shape));
    }
    return new Tensor(type, shape, read);
  }

  private Tensor binary(DataType type, Shape shape, Parameter size, Blobs blobs)
      throws ProblemException {
    String field = path + ".parameters." + Json.BINARY_DATA_SIZE;
    if (!(size instanceof Parameter.Int(long bytes)) || bytes < 0) {
      throw JsonInput.invalid(field, size.quoted(), "a whole number from 0 to 2^63-1");
    }
    long count = RawTensor.elementCount(path, shape);
    if (type.isFixedSize()) {
      RawTensor.requireSize(field, type, shape, count, bytes);
    }
    return RawTensor.of(path, type, shape, blobs.take(path, bytes));
  }

  private <T> T required(String field, @Nullable T value, String expected) throws ProblemException {
    if (value == null) {
      throw JsonInput.invalid(path + '.' + field, "missing", expected);
    }
    return value;
  }
}
