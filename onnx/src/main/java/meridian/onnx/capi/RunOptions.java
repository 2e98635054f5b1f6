package meridian.onnx.capi;

/** Settings of one run, through which another thread can end it. */
final class RunOptions implements AutoCloseable {

  private final long pointer;
  private boolean closed;

  private RunOptions(long pointer) {
    this.pointer = pointer;
  }

  static RunOptions create(Slot slot) throws OrtFailure {
    OrtApi.CREATE_RUN_OPTIONS.call(slot.address());
    return new RunOptions(slot.get());
  }

  long pointer() {
    return pointer;
  }

  /** Without effect once closed. */
  synchronized void terminate() {
    if (!closed) {
      try {
        OrtApi.SET_TERMINATE.call(pointer);
      } catch (OrtFailure e) {
        throw new IllegalStateException("a flag that cannot be set", e);
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    OrtApi.RELEASE_RUN_OPTIONS.release(pointer);
  }
}
