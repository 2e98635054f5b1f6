package meridian.onnx.capi;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * The allocator of the C library, which ONNX Runtime takes graphs and their weights from. glibc
 * keeps what is freed below the top of its heaps: 60 cycles of loading and unloading the INT8
 * MiniLM left 187 to 512 MB resident, by settings and by chance; with a trim after each, 152 to 173
 * MB.
 */
@SuppressWarnings("restricted")
public final class NativeHeap {

  private static final Optional<MethodHandle> TRIM =
      Linker.nativeLinker()
          .defaultLookup()
          .find("malloc_trim")
          .map(
              function ->
                  Linker.nativeLinker()
                      .downcallHandle(
                          function,
                          FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG)));

  private NativeHeap() {}

  /** Gives free pages back to the system; does nothing where the C library cannot. */
  public static void trim() {
    if (TRIM.isPresent()) {
      try {
        int _ = (int) TRIM.get().invokeExact(0L);
      } catch (Throwable e) {
        throw new AssertionError(e);
      }
    }
  }
}
