package meridian.testkit.graph;

import static meridian.core.tensor.DataType.FP32;
import static meridian.core.tensor.DataType.INT64;
import static meridian.testkit.graph.Elements.floats;
import static meridian.testkit.graph.Elements.longs;
import static meridian.testkit.graph.GraphWriter.attribute;

/** ONNX models that differ in what the rows of a batch have to do with each other. */
public final class RowGraphs {

  private static final long[] SCALAR = {};

  private RowGraphs() {}

  /**
   * FP32 {@code x} [n,4] → {@code y} [n,4]: x quantised to 8 bits with one scale for the whole
   * tensor, and back. A row's answer depends on the rows beside it.
   */
  public static byte[] tensorWiseQuantized() {
    return new GraphWriter("tensor_wise_quantized")
        .input("x", FP32, "n", "4")
        .output("y", FP32, "n", "4")
        .node("q, scale, zero = DynamicQuantizeLinear(x)")
        .node("y = DequantizeLinear(q, scale, zero)")
        .model();
  }

  /** As {@link #tensorWiseQuantized()} with one scale per row: the rows are independent. */
  public static byte[] rowWiseQuantized() {
    return new GraphWriter("row_wise_quantized")
        .input("x", FP32, "n", "4")
        .output("y", FP32, "n", "4")
        .constant(floats("levels", SCALAR, 127))
        .constant(floats("tiny", SCALAR, 1e-20f))
        .node("magnitude = Abs(x)")
        .node("largest = ReduceMax(magnitude)", attribute("axes", new long[] {1}))
        .node("above_zero = Max(largest, tiny)")
        .node("scale = Div(above_zero, levels)")
        .node("scaled = Div(x, scale)")
        .node("q = Round(scaled)")
        .node("y = Mul(q, scale)")
        .model();
  }

  /**
   * FP32 {@code x} [n,4] → {@code kept} [k,4]: the rows whose first element is above 0. The shapes
   * look as if outputs belonged to inputs, row by row; they do not.
   */
  public static byte[] positive() {
    return new GraphWriter("positive")
        .input("x", FP32, "n", "4")
        .output("kept", FP32, "k", "4")
        .constant(longs("zero", SCALAR, 0))
        .constant(floats("threshold", SCALAR, 0))
        .node("first = Gather(x, zero)", attribute("axis", 1))
        .node("above = Greater(first, threshold)")
        .node("kept = Compress(x, above)", attribute("axis", 0))
        .model();
  }

  /** FP32 {@code x} [n,m] → {@code y} [n,m]: softmax over each row, without a mask. */
  public static byte[] softmax() {
    return new GraphWriter("softmax")
        .input("x", FP32, "n", "m")
        .output("y", FP32, "n", "m")
        .node("y = Softmax(x)", attribute("axis", 1))
        .model();
  }

  /** FP32 {@code x} [n,m] → {@code y} [n,m]: twice each element. */
  public static byte[] doubled() {
    return new GraphWriter("doubled")
        .input("x", FP32, "n", "m")
        .output("y", FP32, "n", "m")
        .node("y = Add(x, x)")
        .model();
  }

  /** INT64 {@code ids} [n] → FP32 {@code rows} [n,1]: fails unless every id is 4000 to 4007. */
  public static byte[] distantIds() {
    return new GraphWriter("distant_ids")
        .input("ids", INT64, "n")
        .output("rows", FP32, "n", "1")
        .constant(longs("first", SCALAR, 4000))
        .constant(floats("table", new long[] {8, 1}, 0, 1, 2, 3, 4, 5, 6, 7))
        .node("shifted = Sub(ids, first)")
        .node("rows = Gather(table, shifted)")
        .model();
  }

  /** FP32 {@code queries} [q,4], {@code keys} [k,4] → {@code scores} [q,k]: two kinds of rows. */
  public static byte[] scores() {
    return new GraphWriter("scores")
        .input("queries", FP32, "q", "4")
        .input("keys", FP32, "k", "4")
        .output("scores", FP32, "q", "k")
        .node("turned = Transpose(keys)", attribute("perm", new long[] {1, 0}))
        .node("scores = MatMul(queries, turned)")
        .model();
  }
}
