package meridian.testkit.graph;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.SparseTensorProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import java.util.Arrays;
import java.util.List;
import meridian.core.tensor.DataType;

/** Writes an ONNX model, its nodes given as in ONNX's text form: {@code y = MatMul(x, w)}. */
final class GraphWriter {

  static final int OPSET = 17;
  static final int IR_VERSION = 8;

  private final GraphProto.Builder graph;
  private final ModelProto.Builder model =
      ModelProto.newBuilder()
          .setIrVersion(IR_VERSION)
          .setProducerName("meridian-testkit")
          .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(OPSET));

  GraphWriter(String name) {
    graph = GraphProto.newBuilder().setName(name);
  }

  /**
   * @param dims numbers, or names where the size varies
   */
  GraphWriter input(String name, DataType type, String... dims) {
    graph.addInput(value(name, type, dims));
    return this;
  }

  GraphWriter output(String name, DataType type, String... dims) {
    graph.addOutput(value(name, type, dims));
    return this;
  }

  GraphWriter output(ValueInfoProto value) {
    graph.addOutput(value);
    return this;
  }

  GraphWriter constant(TensorProto tensor) {
    graph.addInitializer(tensor);
    return this;
  }

  GraphWriter constant(SparseTensorProto tensor) {
    graph.addSparseInitializer(tensor);
    return this;
  }

  GraphWriter node(String statement, AttributeProto... attributes) {
    return node("", statement, attributes);
  }

  GraphWriter node(String domain, String statement, AttributeProto... attributes) {
    graph.addNode(statement(domain, statement, attributes));
    return this;
  }

  GraphWriter opset(String domain, long version) {
    model.addOpsetImport(OperatorSetIdProto.newBuilder().setDomain(domain).setVersion(version));
    return this;
  }

  GraphWriter onlyOpset(long version) {
    model.clearOpsetImport();
    return opset("", version);
  }

  GraphWriter irVersion(long version) {
    model.setIrVersion(version);
    return this;
  }

  GraphWriter function(FunctionProto function) {
    model.addFunctions(function);
    return this;
  }

  GraphProto graph() {
    return graph.build();
  }

  byte[] model() {
    return model.setGraph(graph).build().toByteArray();
  }

  static NodeProto statement(String domain, String statement, AttributeProto... attributes) {
    int equals = statement.indexOf('=');
    int open = statement.indexOf('(');
    return NodeProto.newBuilder()
        .setDomain(domain)
        .setOpType(statement.substring(equals + 1, open).strip())
        .addAllOutput(names(statement.substring(0, equals)))
        .addAllInput(names(statement.substring(open + 1, statement.lastIndexOf(')'))))
        .addAllAttribute(List.of(attributes))
        .build();
  }

  static ValueInfoProto value(String name, DataType type, String... dims) {
    TypeProto.Tensor tensor =
        TypeProto.Tensor.newBuilder()
            .setElemType(Elements.onnxType(type).getNumber())
            .setShape(shape(dims))
            .build();
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder().setTensorType(tensor))
        .build();
  }

  static ValueInfoProto sequence(String name, DataType type, String... dims) {
    TypeProto.Sequence sequence =
        TypeProto.Sequence.newBuilder().setElemType(value("", type, dims).getType()).build();
    return ValueInfoProto.newBuilder()
        .setName(name)
        .setType(TypeProto.newBuilder().setSequenceType(sequence))
        .build();
  }

  static AttributeProto attribute(String name, long value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INT)
        .setI(value)
        .build();
  }

  static AttributeProto attribute(String name, long[] values) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.INTS)
        .addAllInts(Arrays.stream(values).boxed().toList())
        .build();
  }

  static AttributeProto attribute(String name, TensorProto value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.TENSOR)
        .setT(value)
        .build();
  }

  static AttributeProto attribute(String name, GraphProto value) {
    return AttributeProto.newBuilder()
        .setName(name)
        .setType(AttributeProto.AttributeType.GRAPH)
        .setG(value)
        .build();
  }

  private static List<String> names(String list) {
    return list.isBlank()
        ? List.of()
        : Arrays.stream(list.split(",", -1)).map(String::strip).toList();
  }

  private static TensorShapeProto shape(String... dims) {
    TensorShapeProto.Builder shape = TensorShapeProto.newBuilder();
    for (String dim : dims) {
      if (Character.isDigit(dim.charAt(0))) {
        shape.addDimBuilder().setDimValue(Long.parseLong(dim));
      } else {
        shape.addDimBuilder().setDimParam(dim);
      }
    }
    return shape.build();
  }
}
