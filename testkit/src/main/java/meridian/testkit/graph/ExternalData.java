package meridian.testkit.graph;

import static meridian.core.tensor.DataType.FP32;
import static meridian.testkit.graph.Elements.longs;
import static meridian.testkit.graph.GraphWriter.attribute;
import static meridian.testkit.graph.GraphWriter.statement;

import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.LinkedHashMap;
import java.util.Map;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/**
 * Models whose weights lie in a file of their own: FP32 {@code x} [n,4] → {@code y} [n,4] = x + w,
 * with the 4 elements of w in the external file.
 */
public final class ExternalData {

  /** The bytes that the weights take. */
  public static final int SIZE = 16;

  /** Where in the model the reference to the external file stands. */
  public enum Place {
    INITIALIZER,
    SPARSE_INITIALIZER,
    NODE_ATTRIBUTE,
    SUBGRAPH,
    FUNCTION
  }

  private ExternalData() {}

  /** A model that refers to {@code location} as it is, with {@code offset} and {@code length}. */
  public static byte[] model(Place place, String location, String offset, String length) {
    Map<String, String> entries = new LinkedHashMap<>();
    entries.put("location", location);
    entries.put("offset", offset);
    entries.put("length", length);
    return model(place, entries);
  }

  /** A model whose reference has exactly these entries. */
  public static byte[] model(Place place, Map<String, String> entries) {
    GraphWriter writer =
        new GraphWriter("external").input("x", FP32, "n", "4").output("y", FP32, "n", "4");
    return switch (place) {
      case INITIALIZER -> writer.constant(weights(entries)).node("y = Add(x, w)").model();
      case SPARSE_INITIALIZER ->
          writer.constant(sparse(weights(entries))).node("y = Add(x, w)").model();
      case NODE_ATTRIBUTE ->
          writer
              .node("w = Constant()", attribute("value", weights(entries)))
              .node("y = Add(x, w)")
              .model();
      case SUBGRAPH -> inSubgraph(writer, weights(entries));
      case FUNCTION -> inFunction(writer, weights(entries));
    };
  }

  /** What belongs into the external file: w. */
  public static byte[] file(float... weights) {
    MemorySegment data = Tensor.ofFloats(Shape.of(weights.length), weights).data();
    return data.toArray(ValueLayout.JAVA_BYTE);
  }

  private static TensorProto weights(Map<String, String> entries) {
    return Elements.external("w", FP32, new long[] {4}, entries);
  }

  private static SparseTensorProto sparse(TensorProto values) {
    return SparseTensorProto.newBuilder()
        .setValues(values)
        .setIndices(longs("", new long[] {4}, 0, 1, 2, 3))
        .addDims(4)
        .build();
  }

  private static byte[] inSubgraph(GraphWriter writer, TensorProto weights) {
    return writer
        .constant(longs("zero", new long[] {}, 0))
        .constant(longs("one", new long[] {}, 1))
        .node("rank_shape = Shape(x)")
        .node("columns = Gather(rank_shape, one)")
        .node("wide = Greater(columns, zero)")
        .node(
            "y = If(wide)",
            attribute(
                "then_branch",
                new GraphWriter("then")
                    .output("sum", FP32, "n", "4")
                    .constant(weights)
                    .node("sum = Add(x, w)")
                    .graph()),
            attribute(
                "else_branch",
                new GraphWriter("else")
                    .output("same", FP32, "n", "4")
                    .node("same = Identity(x)")
                    .graph()))
        .model();
  }

  private static byte[] inFunction(GraphWriter writer, TensorProto weights) {
    FunctionProto function =
        FunctionProto.newBuilder()
            .setDomain("meridian.test")
            .setName("AddWeights")
            .addInput("a")
            .addOutput("sum")
            .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(GraphWriter.OPSET))
            .addNode(statement("", "w = Constant()", attribute("value", weights)))
            .addNode(statement("", "sum = Add(a, w)"))
            .build();
    return writer
        .opset("meridian.test", 1)
        .function(function)
        .node("meridian.test", "y = AddWeights(x)")
        .model();
  }
}
