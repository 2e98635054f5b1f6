package meridian.onnx.capi;

import java.lang.foreign.MemorySegment;

/** What ONNX Runtime says went wrong, in its words: several lines, with paths of its sources. */
public final class OrtFailure extends Exception {

  private static final long serialVersionUID = 1L;

  /** ORT_FAIL, which says nothing more. */
  private static final int FAIL = 1;

  private static final int INVALID_ARGUMENT = 2;

  private final int code;

  OrtFailure(String message) {
    this(message, FAIL);
  }

  private OrtFailure(String message, int code) {
    super(message, null, false, false);
    this.code = code;
  }

  /** True when ONNX Runtime says that what it was given is at fault. */
  public boolean isInvalidArgument() {
    return code == INVALID_ARGUMENT;
  }

  static void check(long status) throws OrtFailure {
    if (status != 0) {
      throw taken(status);
    }
  }

  /** The failure inside {@code thrown}; anything else that a call throws is a bug. */
  static OrtFailure in(Throwable thrown) {
    if (thrown instanceof OrtFailure failure) {
      return failure;
    }
    throw new AssertionError(thrown);
  }

  private static OrtFailure taken(long status) {
    try {
      int code = (int) OrtApi.GET_ERROR_CODE.invokeExact(status);
      long message = (long) OrtApi.GET_ERROR_MESSAGE.invokeExact(status);
      return new OrtFailure(OrtApi.text(MemorySegment.ofAddress(message)), code);
    } catch (Throwable e) {
      throw new AssertionError(e);
    } finally {
      OrtApi.RELEASE_STATUS.release(status);
    }
  }
}
