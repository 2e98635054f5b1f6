package meridian.testkit.graph;

import static meridian.core.tensor.DataType.FP32;
import static meridian.core.tensor.DataType.INT64;
import static meridian.testkit.graph.Elements.floats;
import static meridian.testkit.graph.Elements.longs;
import static meridian.testkit.graph.GraphWriter.attribute;

/** ONNX models that take a state and give the next. */
public final class StateGraphs {

  private static final long[] SCALAR = {};

  private StateGraphs() {}

  /**
   * FP32 {@code x} [n,1], {@code state} [2,n,1], INT64 {@code scale} [] → {@code sum} [n,1], {@code
   * next} [2,n,1]: adds x to the state, whose rows are not in front, and gives it times scale.
   */
  public static byte[] accumulator() {
    return new GraphWriter("accumulator")
        .input("x", FP32, "n", "1")
        .input("state", FP32, "2", "n", "1")
        .input("scale", INT64)
        .output("sum", FP32, "n", "1")
        .output("next", FP32, "2", "n", "1")
        .constant(longs("first", SCALAR, 0))
        .node("next = Add(state, x)")
        .node("total = Gather(next, first)", attribute("axis", 0))
        .node("factor = Cast(scale)", attribute("to", Elements.onnxType(FP32).getNumber()))
        .node("sum = Mul(total, factor)")
        .model();
  }

  /**
   * FP32 {@code x} [n,1], {@code state} [n,2] → {@code sum} [n,1], {@code next} [n,2]: next is
   * state + x, in both columns, and sum the first of them.
   */
  public static byte[] rowsInFront() {
    return new GraphWriter("rows_in_front")
        .input("x", FP32, "n", "1")
        .input("state", FP32, "n", "2")
        .output("sum", FP32, "n", "1")
        .output("next", FP32, "n", "2")
        .constant(longs("first", new long[] {1}, 0))
        .node("next = Add(state, x)")
        .node("sum = Gather(next, first)", attribute("axis", 1))
        .model();
  }

  /**
   * FP32 {@code x} [n,1], {@code state} [n,2] → {@code sum} [n,1], x, and {@code next} [n,k], the
   * state twice as wide, which shows only when it runs: it cannot go in again.
   */
  public static byte[] growing() {
    return new GraphWriter("growing")
        .input("x", FP32, "n", "1")
        .input("state", FP32, "n", "2")
        .output("sum", FP32, "n", "1")
        .output("next", FP32, "n", "k")
        .constant(floats("width", SCALAR, 4))
        .constant(longs("from", SCALAR, 0))
        .constant(longs("step", SCALAR, 1))
        .node("sum = Identity(x)")
        .node("most = ReduceMax(x)", attribute("keepdims", 0))
        .node("nothing = Sub(most, most)")
        .node("end = Add(nothing, width)")
        .node("to = Cast(end)", attribute("to", Elements.onnxType(INT64).getNumber()))
        .node("columns = Range(from, to, step)")
        .node("wide = Concat(state, state)", attribute("axis", 1))
        .node("next = Gather(wide, columns)", attribute("axis", 1))
        .model();
  }
}
