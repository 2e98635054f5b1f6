package meridian.onnx.capi;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/**
 * One run of a {@link Session}, with the values that go in and come out. Used by one thread, save
 * for {@link #stop}.
 */
public final class Execution implements AutoCloseable {

  private final Session session;
  private final Scratch scratch = new Scratch();
  private final Slot slot = Slot.in(scratch);
  private final RunOptions options;
  private final MemorySegment inputNames;
  private final MemorySegment inputs;
  private final MemorySegment outputNames;
  private final MemorySegment outputs;
  private int inputCount;
  private int outputCount;

  Execution(Session session, int maxInputs, int maxOutputs) throws OrtFailure {
    this.session = session;
    options = RunOptions.create(slot);
    inputNames = pointers(maxInputs);
    inputs = pointers(maxInputs);
    outputNames = pointers(maxOutputs);
    outputs = pointers(maxOutputs);
  }

  /**
   * @param port the position among the inputs of the graph
   * @param tensor memory off the heap is used in place
   */
  public void input(int port, Tensor tensor) throws OrtFailure {
    long value =
        tensor.type() == DataType.BYTES
            ? StringTensor.create(tensor, session.allocator(), slot, scratch)
            : FixedTensor.create(tensor, session.memory(), slot, scratch);
    inputNames.setAtIndex(ValueLayout.JAVA_LONG, inputCount, session.inputName(port));
    inputs.setAtIndex(ValueLayout.JAVA_LONG, inputCount, value);
    inputCount++;
  }

  /**
   * @param port the position among the outputs of the graph; only those named are computed
   */
  public void output(int port) {
    outputNames.setAtIndex(ValueLayout.JAVA_LONG, outputCount, session.outputName(port));
    outputCount++;
  }

  public void run() throws OrtFailure {
    OrtApi.RUN.call(
        session.pointer(),
        options.pointer(),
        inputNames.address(),
        inputs.address(),
        inputCount,
        outputNames.address(),
        outputCount,
        outputs.address());
  }

  /**
   * Asks the run to end with a failure before its next node begins; from any thread, at any time.
   */
  public void stop() {
    options.terminate();
  }

  /**
   * What came out, copied.
   *
   * @param index in the order of the calls of {@link #output}
   */
  public Tensor result(int index) throws OrtFailure {
    long value = outputs.getAtIndex(ValueLayout.JAVA_LONG, index);
    if (value == 0) {
      throw new OrtFailure("output: nothing (expected: a tensor)");
    }
    OrtApi.TENSOR_TYPE.call(value, slot.address());
    long info = slot.get();
    try {
      DataType type = Port.elementType(info, slot);
      if (type == null) {
        throw new OrtFailure("output: tensor of ONNX element type " + slot.getInt());
      }
      Shape shape = Port.shape(info, slot, scratch);
      return type == DataType.BYTES
          ? StringTensor.read(value, shape, slot, scratch)
          : FixedTensor.read(value, type, shape, slot);
    } finally {
      OrtApi.RELEASE_TENSOR_TYPE.release(info);
    }
  }

  @Override
  public void close() {
    release(inputs);
    release(outputs);
    options.close();
    scratch.close();
  }

  private static void release(MemorySegment values) {
    for (long at = 0; at < values.byteSize(); at += Long.BYTES) {
      long value = values.get(ValueLayout.JAVA_LONG, at);
      if (value != 0) {
        OrtApi.RELEASE_VALUE.release(value);
      }
    }
  }

  private MemorySegment pointers(int count) {
    return scratch.allocate(ValueLayout.JAVA_LONG, count);
  }
}
