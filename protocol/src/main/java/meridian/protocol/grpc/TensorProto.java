package meridian.protocol.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.error.Quoted;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.proto.InferTensorContents;
import meridian.protocol.Limits;
import meridian.protocol.Names;
import meridian.protocol.RawTensor;
import org.jspecify.annotations.Nullable;

/**
 * One tensor as a message describes it, request and response alike.
 *
 * @param contents null when the message does not set them
 */
record TensorProto(
    String name, String type, List<Long> shape, @Nullable InferTensorContents contents) {

  /**
   * The tensors of a message. Raw ones are views of the message's own memory.
   *
   * @param field the name of the tensors' field
   * @param rawField the name of the raw contents' field
   */
  static List<NamedTensor> decode(
      String field, String rawField, List<TensorProto> tensors, List<ByteString> raw, Limits limits)
      throws ProblemException {
    if (!raw.isEmpty() && raw.size() != tensors.size()) {
      throw invalid(rawField, raw.size() + " entries", tensors.size() + ", one for each tensor");
    }
    List<NamedTensor> decoded = new ArrayList<>(tensors.size());
    for (int i = 0; i < tensors.size(); i++) {
      String path = field + '[' + i + ']';
      ByteString bytes = raw.isEmpty() ? null : raw.get(i);
      decoded.add(tensors.get(i).decode(path, rawField + '[' + i + ']', bytes, limits));
    }
    return decoded;
  }

  private NamedTensor decode(String path, String rawPath, @Nullable ByteString raw, Limits limits)
      throws ProblemException {
    if (!Names.isName(name)) {
      throw invalid(path + ".name", Quoted.of(name), "a name without NUL");
    }
    DataType known = DataType.named(type);
    if (known == null) {
      throw invalid(
          path + ".datatype", Quoted.of(type), "one of " + Arrays.toString(DataType.values()));
    }
    Shape dims = dims(path, limits);
    if (raw == null) {
      InferTensorContents typed =
          contents == null ? InferTensorContents.getDefaultInstance() : contents;
      return new NamedTensor(name, ContentsReader.read(path, known, dims, typed));
    }
    if (contents != null) {
      throw invalid(path + ".contents", "set beside raw contents", "one of them");
    }
    RawTensor.elementCount(path, dims);
    MemorySegment data = MemorySegment.ofBuffer(raw.asReadOnlyByteBuffer());
    return new NamedTensor(name, RawTensor.of(rawPath, known, dims, data));
  }

  private Shape dims(String path, Limits limits) throws ProblemException {
    if (shape.size() > limits.maxRank()) {
      throw invalid(path + ".shape", shape.size() + " dimensions", "at most " + limits.maxRank());
    }
    long[] dims = new long[shape.size()];
    for (int i = 0; i < dims.length; i++) {
      dims[i] = shape.get(i);
      if (dims[i] < 0) {
        throw invalid(path + ".shape[" + i + ']', dims[i], "a whole number from 0 to 2^63-1");
      }
    }
    return Shape.of(dims);
  }

  private static ProblemException invalid(String field, Object actual, String expected) {
    return new ProblemException(Problem.invalid(field, actual, expected));
  }

  /** Whether tensors go raw: where that is wanted, or one of them has no typed field. */
  static boolean isRaw(List<NamedTensor> tensors, GrpcFormat format) {
    return format == GrpcFormat.RAW
        || !tensors.stream().allMatch(named -> ContentsField.of(named.tensor().type()) != null);
  }

  /** The tensor's own memory, not copied. */
  static ByteString bytes(Tensor tensor) {
    return UnsafeByteOperations.unsafeWrap(tensor.data().asByteBuffer());
  }

  static void forEachDim(Tensor tensor, LongConsumer action) {
    for (int i = 0; i < tensor.shape().rank(); i++) {
      action.accept(tensor.shape().dim(i));
    }
  }
}
