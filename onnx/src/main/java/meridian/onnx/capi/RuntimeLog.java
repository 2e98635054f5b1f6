package meridian.onnx.capi;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * ONNX Runtime's log, passed on to SLF4J. What it logs as an error it also returns as a failure,
 * and whoever gets that decides how loud to be; one bad request must not fill the log, so such
 * lines come at debug.
 */
@SuppressWarnings("restricted")
final class RuntimeLog {

  static final int WARNING = 2;
  private static final int FATAL = 4;

  private static final Logger LOG = LoggerFactory.getLogger("meridian.onnx.runtime");

  /** Lives as long as the process: ONNX Runtime shares one environment among all that open it. */
  static final MemorySegment CALLBACK = callback();

  private RuntimeLog() {}

  private static MemorySegment callback() {
    MethodType type =
        MethodType.methodType(
            void.class, long.class, int.class, long.class, long.class, long.class, long.class);
    try {
      return Linker.nativeLinker()
          .upcallStub(
              MethodHandles.lookup().findStatic(RuntimeLog.class, "log", type),
              FunctionDescriptor.ofVoid(
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_INT,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG),
              Arena.global());
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  /** Called by ONNX Runtime. Whatever is thrown out of such a call ends the process. */
  @SuppressWarnings("unused")
  private static void log(
      long parameter, int severity, long category, long id, long location, long message) {
    try {
      String text = OrtApi.text(MemorySegment.ofAddress(message)).strip();
      switch (severity) {
        case FATAL -> LOG.error("{}", text);
        case WARNING -> LOG.warn("{}", text);
        default -> LOG.debug("{}", text);
      }
    } catch (Throwable e) {
      Thread.currentThread()
          .getUncaughtExceptionHandler()
          .uncaughtException(Thread.currentThread(), e);
    }
  }
}
