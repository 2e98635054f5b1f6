package meridian.pipeline.text;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.pipeline.text.TextSettings.Normalize;
import meridian.pipeline.text.TextSettings.Pooling;

/**
 * The graph's vectors to the answer's.
 *
 * <p>A vector is copied into an array before anything is computed: the compiler vectorises a loop
 * over arrays, where one over a segment runs at half the speed, and far below once it has seen
 * segments of other kinds.
 */
record VectorPooling(Pooling pooling, Normalize normalize) {

  /** No vector is divided by less, so that one without direction stays as good as zero. */
  private static final double SHORTEST = 1e-12;

  /**
   * @param outputs of the executions in their order: FP32 [rows, tokens, size] or [rows, size]
   * @param lengths tokens of each text; what the graph gives beyond them is padding
   * @param size of a vector, for when there are no outputs to tell it
   */
  Tensor pool(List<Tensor> outputs, int[] lengths, boolean tokenVectors, long size) {
    long vector = outputs.isEmpty() ? size : lastDim(outputs.getFirst());
    Shape shape =
        pooling == Pooling.NONE && tokenVectors
            ? Shape.of(lengths.length, mostTokens(outputs), vector)
            : Shape.of(lengths.length, vector);
    long bytes = shape.elementCount() * Float.BYTES;
    MemorySegment answer = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    if (bytes > 0) {
      new Pool(answer, shape.row().elementCount(), (int) vector).addAll(outputs, lengths);
    }
    return new Tensor(DataType.FP32, shape, answer);
  }

  private static long lastDim(Tensor output) {
    return output.shape().dim(output.shape().rank() - 1);
  }

  private static long mostTokens(List<Tensor> outputs) {
    long most = 0;
    for (Tensor output : outputs) {
      most = Math.max(most, output.shape().dim(1));
    }
    return most;
  }

  /** One answer in the making. */
  private final class Pool {

    private final MemorySegment answer;
    private final long answerRow;
    private final float[] vector;
    private final float[] sum;

    Pool(MemorySegment answer, long answerRow, int size) {
      this.answer = answer;
      this.answerRow = answerRow;
      vector = new float[size];
      sum = new float[size];
    }

    void addAll(List<Tensor> outputs, int[] lengths) {
      int text = 0;
      for (Tensor output : outputs) {
        long rows = output.shape().dim(0);
        long outputRow = output.shape().row().elementCount();
        for (long row = 0; row < rows; row++) {
          add(output, row * outputRow, lengths[text], text * answerRow);
          text++;
        }
      }
    }

    /** Pools from element {@code from} of the output to element {@code to} of the answer. */
    private void add(Tensor output, long from, int tokens, long to) {
      if (output.shape().rank() == 2) {
        copyVectors(output.data(), from, 1, to);
        return;
      }
      switch (pooling) {
        case MEAN -> addMean(output.data(), from, tokens, to);
        case CLS -> copyVectors(output.data(), from, Math.min(tokens, 1), to);
        case NONE -> copyVectors(output.data(), from, tokens, to);
      }
    }

    private void addMean(MemorySegment output, long from, int tokens, long to) {
      Arrays.fill(sum, 0);
      for (int token = 0; token < tokens; token++) {
        read(output, from + (long) token * vector.length);
        for (int i = 0; i < sum.length; i++) {
          sum[i] += vector[i];
        }
      }
      scale(sum, 1.0 / Math.max(tokens, 1));
      write(sum, to);
    }

    private void copyVectors(MemorySegment output, long from, int count, long to) {
      for (long at = 0; at < (long) count * vector.length; at += vector.length) {
        read(output, from + at);
        write(vector, to + at);
      }
    }

    private void read(MemorySegment output, long from) {
      MemorySegment.copy(output, Tensor.FP32, from * Float.BYTES, vector, 0, vector.length);
    }

    private void write(float[] values, long to) {
      if (normalize == Normalize.L2) {
        scale(values, 1 / Math.max(length(values), SHORTEST));
      }
      MemorySegment.copy(values, 0, answer, Tensor.FP32, to * Float.BYTES, values.length);
    }
  }

  private static double length(float[] values) {
    double squares = 0;
    for (float value : values) {
      squares += (double) value * value;
    }
    return Math.sqrt(squares);
  }

  private static void scale(float[] values, double factor) {
    float by = (float) factor;
    for (int i = 0; i < values.length; i++) {
      values[i] *= by;
    }
  }
}
