package meridian.onnx.capi;

import java.lang.foreign.Arena;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * What all sessions of the process share. ONNX Runtime has one, counts who has opened it, and ends
 * it with the last; every {@link Session} holds it open for itself.
 */
public final class Environment implements AutoCloseable {

  private static final String LOG_ID = "meridian";
  private static final String PROVIDER_SUFFIX = "ExecutionProvider";

  /**
   * ONNX Runtime 1.29 reads the command line of the process by a recursion that takes some hundred
   * bytes of stack for each character: a class path of 12 KB is enough to end the process. Address
   * space alone is reserved for it.
   */
  private static final long STACK_BYTES = 512L << 20;

  private final long pointer;

  private Environment(long pointer) {
    this.pointer = pointer;
  }

  /** Opens it, with warnings logged and telemetry off. */
  public static Environment open() throws OrtFailure {
    FutureTask<Environment> start = new FutureTask<>(Environment::start);
    Thread.ofPlatform().name(LOG_ID + "-onnxruntime").stackSize(STACK_BYTES).start(start);
    try {
      return start.get();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof OrtFailure failure) {
        throw failure;
      }
      throw new IllegalStateException("ONNX Runtime does not start", failed.getCause());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("ONNX Runtime: interrupted (expected: time to start)");
    }
  }

  private static Environment start() throws OrtFailure {
    try (Arena arena = Arena.ofConfined()) {
      Slot slot = Slot.in(arena);
      OrtApi.CREATE_ENV_WITH_CUSTOM_LOGGER.call(
          RuntimeLog.CALLBACK.address(),
          0,
          RuntimeLog.WARNING,
          Strings.pointer(arena, LOG_ID),
          slot.address());
      OrtApi.DISABLE_TELEMETRY_EVENTS.call(slot.get());
      return new Environment(slot.get());
    }
  }

  /** Of ONNX Runtime, such as {@code 1.29.0}. */
  public static String version() {
    return OrtApi.RUNTIME_VERSION;
  }

  /** The execution providers that this build of ONNX Runtime has: {@code cpu}, {@code cuda} … */
  public static List<String> providers() {
    return OrtApi.PROVIDERS.stream()
        .map(provider -> provider.getName().replace(PROVIDER_SUFFIX, "").toLowerCase(Locale.ROOT))
        .sorted()
        .toList();
  }

  long pointer() {
    return pointer;
  }

  @Override
  public void close() {
    OrtApi.RELEASE_ENV.release(pointer);
  }
}
