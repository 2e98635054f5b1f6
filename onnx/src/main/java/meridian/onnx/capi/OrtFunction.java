package meridian.onnx.capi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Collections;

/**
 * A function of the C API. Every parameter is passed as 64 bits, pointers, sizes and enumerations
 * alike: the calling conventions of all platforms that ONNX Runtime has put each in a register of
 * its own, and none of the functions in use takes a floating-point number. A record, so that a
 * static final one is a constant to the compiler.
 *
 * @param handle gives a status, 0 for success, or nothing
 */
@SuppressWarnings("restricted")
record OrtFunction(MethodHandle handle) {

  static OrtFunction withStatus(MemorySegment address, int parameters) {
    return new OrtFunction(
        Linker.nativeLinker()
            .downcallHandle(
                address, FunctionDescriptor.of(ValueLayout.JAVA_LONG, longs(parameters))));
  }

  static OrtFunction release(MemorySegment address) {
    return new OrtFunction(
        Linker.nativeLinker().downcallHandle(address, FunctionDescriptor.ofVoid(longs(1))));
  }

  void call(long a) throws OrtFailure {
    try {
      OrtFailure.check((long) handle.invokeExact(a));
    } catch (Throwable e) {
      throw OrtFailure.in(e);
    }
  }

  void call(long a, long b) throws OrtFailure {
    try {
      OrtFailure.check((long) handle.invokeExact(a, b));
    } catch (Throwable e) {
      throw OrtFailure.in(e);
    }
  }

  void call(long a, long b, long c) throws OrtFailure {
    try {
      OrtFailure.check((long) handle.invokeExact(a, b, c));
    } catch (Throwable e) {
      throw OrtFailure.in(e);
    }
  }

  void call(long a, long b, long c, long d) throws OrtFailure {
    try {
      OrtFailure.check((long) handle.invokeExact(a, b, c, d));
    } catch (Throwable e) {
      throw OrtFailure.in(e);
    }
  }

  void call(long a, long b, long c, long d, long e) throws OrtFailure {
    try {
      OrtFailure.check((long) handle.invokeExact(a, b, c, d, e));
    } catch (Throwable thrown) {
      throw OrtFailure.in(thrown);
    }
  }

  void call(long a, long b, long c, long d, long e, long f, long g) throws OrtFailure {
    try {
      OrtFailure.check((long) handle.invokeExact(a, b, c, d, e, f, g));
    } catch (Throwable thrown) {
      throw OrtFailure.in(thrown);
    }
  }

  void call(long a, long b, long c, long d, long e, long f, long g, long h) throws OrtFailure {
    try {
      OrtFailure.check((long) handle.invokeExact(a, b, c, d, e, f, g, h));
    } catch (Throwable thrown) {
      throw OrtFailure.in(thrown);
    }
  }

  /** Gives back what {@code pointer} points to; none of these functions can fail. */
  void release(long pointer) {
    try {
      handle.invokeExact(pointer);
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static ValueLayout.OfLong[] longs(int count) {
    return Collections.nCopies(count, ValueLayout.JAVA_LONG).toArray(ValueLayout.OfLong[]::new);
  }
}
