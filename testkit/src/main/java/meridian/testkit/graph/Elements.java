package meridian.testkit.graph;

import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import com.google.protobuf.ByteString;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.IntStream;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/** Tensors inside a graph. */
final class Elements {

  private Elements() {}

  static TensorProto.DataType onnxType(DataType type) {
    return switch (type) {
      case BOOL -> TensorProto.DataType.BOOL;
      case UINT8 -> TensorProto.DataType.UINT8;
      case UINT16 -> TensorProto.DataType.UINT16;
      case UINT32 -> TensorProto.DataType.UINT32;
      case UINT64 -> TensorProto.DataType.UINT64;
      case INT8 -> TensorProto.DataType.INT8;
      case INT16 -> TensorProto.DataType.INT16;
      case INT32 -> TensorProto.DataType.INT32;
      case INT64 -> TensorProto.DataType.INT64;
      case FP16 -> TensorProto.DataType.FLOAT16;
      case BF16 -> TensorProto.DataType.BFLOAT16;
      case FP32 -> TensorProto.DataType.FLOAT;
      case FP64 -> TensorProto.DataType.DOUBLE;
      case BYTES -> TensorProto.DataType.STRING;
    };
  }

  static TensorProto floats(String name, long[] dims, float... values) {
    return of(name, TensorProto.DataType.FLOAT, dims)
        .addAllFloatData(IntStream.range(0, values.length).mapToObj(i -> values[i]).toList())
        .build();
  }

  /** FP32 elements that all equal {@code value}, in the compact form for large tensors. */
  static TensorProto filled(String name, long[] dims, float value) {
    Shape shape = Shape.of(dims);
    float[] values = new float[Math.toIntExact(shape.elementCount())];
    Arrays.fill(values, value);
    byte[] raw = Tensor.ofFloats(shape, values).data().toArray(ValueLayout.JAVA_BYTE);
    return of(name, TensorProto.DataType.FLOAT, dims).setRawData(ByteString.copyFrom(raw)).build();
  }

  static TensorProto longs(String name, long[] dims, long... values) {
    return of(name, TensorProto.DataType.INT64, dims)
        .addAllInt64Data(Arrays.stream(values).boxed().toList())
        .build();
  }

  /** A tensor whose elements lie in a file beside the model. */
  static TensorProto external(
      String name, DataType type, long[] dims, Map<String, String> entries) {
    TensorProto.Builder tensor =
        of(name, onnxType(type), dims).setDataLocation(TensorProto.DataLocation.EXTERNAL);
    entries.forEach(
        (key, value) ->
            tensor.addExternalData(
                StringStringEntryProto.newBuilder().setKey(key).setValue(value)));
    return tensor.build();
  }

  private static TensorProto.Builder of(String name, TensorProto.DataType type, long[] dims) {
    return TensorProto.newBuilder()
        .setName(name)
        .setDataType(type.getNumber())
        .addAllDims(Arrays.stream(dims).boxed().toList());
  }
}
