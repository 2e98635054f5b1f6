package meridian.testkit.graph;

import static meridian.core.tensor.DataType.FP32;
import static meridian.core.tensor.DataType.INT64;
import static meridian.testkit.graph.Elements.floats;
import static meridian.testkit.graph.Elements.longs;
import static meridian.testkit.graph.GraphWriter.attribute;

import ai.onnx.proto.OnnxMl.GraphProto;
import meridian.core.tensor.DataType;

/**
 * ONNX models, as the bytes of {@code model.onnx}. Dimensions named {@code n} are rows; a graph
 * computes its rows independently unless it says otherwise.
 */
public final class Graphs {

  /** The iterations of {@link #slow()} that take about a millisecond, give or take a factor 5. */
  public static final long SLOW_ITERATIONS_PER_MILLI = 20;

  private static final int SLOW_SIZE = 96;
  private static final long[] SCALAR = {};

  private Graphs() {}

  /** {@code INPUT0} [n,m] → {@code OUTPUT0} [n,m], the same. */
  public static byte[] identity(DataType type) {
    return new GraphWriter("identity_" + type)
        .input("INPUT0", type, "n", "m")
        .output("OUTPUT0", type, "n", "m")
        .node("OUTPUT0 = Identity(INPUT0)")
        .model();
  }

  /**
   * FP32 {@code INPUT0}, {@code INPUT1} [n,16] → {@code OUTPUT0} sum, {@code OUTPUT1} difference.
   */
  public static byte[] add2() {
    return new GraphWriter("add2")
        .input("INPUT0", FP32, "n", "16")
        .input("INPUT1", FP32, "n", "16")
        .output("OUTPUT0", FP32, "n", "16")
        .output("OUTPUT1", FP32, "n", "16")
        .node("OUTPUT0 = Add(INPUT0, INPUT1)")
        .node("OUTPUT1 = Sub(INPUT0, INPUT1)")
        .model();
  }

  /** FP32 {@code x}, {@code y} [n] → {@code quotient} [n]. */
  public static byte[] div() {
    return new GraphWriter("div")
        .input("x", FP32, "n")
        .input("y", FP32, "n")
        .output("quotient", FP32, "n")
        .node("quotient = Div(x, y)")
        .model();
  }

  /**
   * FP32 {@code x} [n,4] → {@code y} [n,3]: y0 = x0 + x1 + 0.5, y1 = x2 − x3 − 1, y2 = 2·x0 + x3 +
   * 0.25.
   */
  public static byte[] linear() {
    return new GraphWriter("linear")
        .input("x", FP32, "n", "4")
        .output("y", FP32, "n", "3")
        .constant(floats("w", new long[] {4, 3}, 1, 0, 2, 1, 0, 0, 0, 1, 0, 0, -1, 1))
        .constant(floats("b", new long[] {3}, 0.5f, -1, 0.25f))
        .node("xw = MatMul(x, w)")
        .node("y = Add(xw, b)")
        .model();
  }

  /** FP32 {@code x} of rank 0 → {@code y} of rank 0: y = 2·x. No rows. */
  public static byte[] scalar() {
    return new GraphWriter("scalar")
        .input("x", FP32)
        .output("y", FP32)
        .node("y = Add(x, x)")
        .model();
  }

  /**
   * FP32 {@code x} [n,4], {@code threshold} [1] → {@code kept} [k,4]: the rows whose first element
   * is above the threshold, none of them maybe. No row of the output belongs to a row of the input.
   */
  public static byte[] filter() {
    return new GraphWriter("filter")
        .input("x", FP32, "n", "4")
        .input("threshold", FP32, "1")
        .output("kept", FP32, "k", "4")
        .constant(longs("zero", SCALAR, 0))
        .node("first = Gather(x, zero)", attribute("axis", 1))
        .node("above = Greater(first, threshold)")
        .node("kept = Compress(x, above)", attribute("axis", 0))
        .model();
  }

  /**
   * INT64 {@code ids} [n] → FP32 {@code rows} [n,4] of an 8-row table: row i is 10·i + 0, 1, 2, 3.
   * An id outside −8 to 7 fails the run.
   */
  public static byte[] gather() {
    float[] table = new float[32];
    for (int i = 0; i < table.length; i++) {
      table[i] = 10 * (i / 4) + i % 4;
    }
    return new GraphWriter("gather")
        .input("ids", INT64, "n")
        .output("rows", FP32, "n", "4")
        .constant(floats("table", new long[] {8, 4}, table))
        .node("rows = Gather(table, ids)")
        .model();
  }

  /**
   * FP32 {@code x} [n,1] → INT64 {@code size} [n,1]: in every row, how many rows the execution had.
   */
  public static byte[] batchSize() {
    return new GraphWriter("batch_size")
        .input("x", FP32, "n", "1")
        .output("size", INT64, "n", "1")
        .constant(longs("zero", new long[] {1}, 0))
        .node("shape = Shape(x)")
        .node("rows = Gather(shape, zero)")
        .node("size = Expand(rows, shape)")
        .model();
  }

  /** FP32 {@code x} [n,4] → {@code sum} [4] over all rows. The output has no rows. */
  public static byte[] batchReduce() {
    return new GraphWriter("batch_reduce")
        .input("x", FP32, "n", "4")
        .output("sum", FP32, "4")
        .constant(longs("rows", new long[] {1}, 0))
        .node("sum = ReduceSum(x, rows)", attribute("keepdims", 0))
        .model();
  }

  /** FP32 {@code x} [n,4] → {@code pairs} [p,2]: every row in two. */
  public static byte[] pairs() {
    return new GraphWriter("pairs")
        .input("x", FP32, "n", "4")
        .output("pairs", FP32, "p", "2")
        .constant(longs("shape", new long[] {2}, -1, 2))
        .node("pairs = Reshape(x, shape)")
        .model();
  }

  /**
   * FP32 {@code x} [n], INT64 {@code shape} [2] → {@code sums} [k,n]: x in that shape, plus x. As a
   * row it gives one, as a column n.
   */
  public static byte[] shaped() {
    return new GraphWriter("shaped")
        .input("x", FP32, "n")
        .input("shape", INT64, "2")
        .output("sums", FP32, "k", "n")
        .node("turned = Reshape(x, shape)")
        .node("sums = Add(turned, x)")
        .model();
  }

  /** FP32 {@code x} [1,4] → {@code y} [1,4]: y = 2·x. Never more than the one row. */
  public static byte[] fixedBatch1() {
    return new GraphWriter("fixed_batch_1")
        .input("x", FP32, "1", "4")
        .output("y", FP32, "1", "4")
        .node("y = Add(x, x)")
        .model();
  }

  /**
   * INT64 {@code iterations} [n,1] → {@code done} [n,1], the same; takes time in proportion to the
   * largest of them, {@link #SLOW_ITERATIONS_PER_MILLI}.
   */
  public static byte[] slow() {
    long[] square = {SLOW_SIZE, SLOW_SIZE};
    return new GraphWriter("slow")
        .input("iterations", INT64, "n", "1")
        .output("done", INT64, "n", "1")
        .constant(longs("size", new long[] {2}, square))
        .node("most = ReduceMax(iterations)", attribute("keepdims", 0))
        .node("start = ConstantOfShape(size)", attribute("value", floats("", new long[] {1}, 0)))
        .node("end = Loop(most, , start)", attribute("body", slowBody()))
        .node("end64 = Cast(end)", attribute("to", Elements.onnxType(INT64).getNumber()))
        .node("nothing = ReduceMax(end64)", attribute("keepdims", 0))
        .node("done = Add(iterations, nothing)")
        .model();
  }

  /** FP32 {@code x} [n,1] → INT64 {@code version} [n,1], all {@code n}. */
  public static byte[] version(long n) {
    return new GraphWriter("version")
        .input("x", FP32, "n", "1")
        .output("version", INT64, "n", "1")
        .node("shape = Shape(x)")
        .node("version = ConstantOfShape(shape)", attribute("value", longs("", new long[] {1}, n)))
        .model();
  }

  /**
   * FP32 {@code x} [n,4] → {@code y} [n,4], the same, and {@code parts}, a sequence with x in it.
   */
  public static byte[] tensorAndSequence() {
    return new GraphWriter("tensor_and_sequence")
        .input("x", FP32, "n", "4")
        .output("y", FP32, "n", "4")
        .output(GraphWriter.sequence("parts", FP32, "n", "4"))
        .node("y = Identity(x)")
        .node("parts = SequenceConstruct(x)")
        .model();
  }

  /**
   * FP32 {@code x} [n,s] → {@code y} [n,s]: in every column, the sum of the row. The weights take
   * 4·s² bytes.
   *
   * @param side s
   */
  public static byte[] heavy(int side) {
    String dim = Integer.toString(side);
    return new GraphWriter("heavy")
        .input("x", FP32, "n", dim)
        .output("y", FP32, "n", dim)
        .constant(Elements.filled("ones", new long[] {side, side}, 1))
        .node("y = MatMul(x, ones)")
        .model();
  }

  /**
   * FP32 {@code x} [n,512,512] → {@code y} of the same shape: some 10 ms of one thread and row,
   * which further threads can take parts of.
   */
  public static byte[] divisible() {
    return new GraphWriter("divisible")
        .input("x", FP32, "n", "512", "512")
        .output("y", FP32, "n", "512", "512")
        .constant(longs("square", new long[] {2}, 512, 512))
        .node("w = ConstantOfShape(square)", attribute("value", floats("", new long[] {1}, 1e-3f)))
        .node("once = MatMul(x, w)")
        .node("twice = MatMul(once, w)")
        .node("y = MatMul(twice, w)")
        .model();
  }

  private static GraphProto slowBody() {
    float[] weights = new float[SLOW_SIZE * SLOW_SIZE];
    for (int i = 0; i < SLOW_SIZE; i++) {
      weights[i * SLOW_SIZE + i] = 1;
    }
    String side = Integer.toString(SLOW_SIZE);
    return new GraphWriter("slow_body")
        .input("step", INT64)
        .input("again", DataType.BOOL)
        .input("state", FP32, side, side)
        .output("more", DataType.BOOL)
        .output("next", FP32, side, side)
        .constant(floats("weights", new long[] {SLOW_SIZE, SLOW_SIZE}, weights))
        .node("more = Identity(again)")
        .node("next = MatMul(state, weights)")
        .graph();
  }
}
