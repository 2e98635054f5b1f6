package meridian.onnx.capi;

import java.lang.foreign.MemorySegment;

/** What ONNX Runtime says went wrong, in its words: several lines, with paths of its sources. */
public final class OrtFailure extends Exception {

  private static final long serialVersionUID = 1L;

  OrtFailure(String message) {
    super(message, null, false, false);
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
      long message = (long) OrtApi.GET_ERROR_MESSAGE.invokeExact(status);
      return new OrtFailure(OrtApi.text(MemorySegment.ofAddress(message)));
    } catch (Throwable e) {
      throw new AssertionError(e);
    } finally {
      OrtApi.RELEASE_STATUS.release(status);
    }
  }
}
