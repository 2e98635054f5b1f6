package meridian.testkit.graph;

import static meridian.core.tensor.DataType.FP32;
import static meridian.core.tensor.DataType.INT64;
import static meridian.testkit.graph.GraphWriter.attribute;

import java.util.Arrays;

/** ONNX models that no server can serve, each with one fault. */
public final class FaultyGraphs {

  private FaultyGraphs() {}

  /** Needs version 99 of the standard operators. */
  public static byte[] opset99() {
    return doubling("opset_99").onlyOpset(99).model();
  }

  /** Is written in version 99 of the file format. */
  public static byte[] irVersion99() {
    return doubling("ir_version_99").irVersion(99).model();
  }

  /** Has a node {@code Frobnicate} of the domain {@code com.example}. */
  public static byte[] unknownDomain() {
    return withNode("com.example", "Frobnicate");
  }

  /** Has a node {@code Frobnicate} among the standard operators. */
  public static byte[] unknownOperator() {
    return withNode("", "Frobnicate");
  }

  /** Has a node {@code Frobnicate} of the domain that the runtime's own operators are in. */
  public static byte[] unknownContribOperator() {
    return withNode("com.microsoft", "Frobnicate");
  }

  /** Gives a sequence of tensors instead of a tensor. */
  public static byte[] sequenceOutput() {
    return new GraphWriter("sequence")
        .input("x", FP32, "n", "4")
        .output(GraphWriter.sequence("parts", FP32, "n", "4"))
        .node("parts = SequenceConstruct(x)")
        .model();
  }

  /** A node reads a value that nothing gives. */
  public static byte[] danglingInput() {
    return new GraphWriter("dangling")
        .input("x", FP32, "n", "4")
        .output("y", FP32, "n", "4")
        .node("y = Add(x, nowhere)")
        .model();
  }

  /** Declares an output type other than the one it computes. */
  public static byte[] contradictoryTypes() {
    return new GraphWriter("contradictory")
        .input("x", FP32, "n", "4")
        .output("y", INT64, "n", "4")
        .node("y = Add(x, x)")
        .model();
  }

  /** The first part of a good model, {@code share} of its bytes, 0 to 1. */
  public static byte[] truncated(byte[] model, double share) {
    return Arrays.copyOf(model, (int) (model.length * share));
  }

  private static GraphWriter doubling(String name) {
    return new GraphWriter(name)
        .input("x", FP32, "n", "4")
        .output("y", FP32, "n", "4")
        .node("y = Add(x, x)");
  }

  private static byte[] withNode(String domain, String operator) {
    GraphWriter writer =
        new GraphWriter("unknown")
            .input("x", FP32, "n", "4")
            .output("y", FP32, "n", "4")
            .node(domain, "y = " + operator + "(x)", attribute("level", 3));
    return domain.isEmpty() ? writer.model() : writer.opset(domain, 1).model();
  }
}
