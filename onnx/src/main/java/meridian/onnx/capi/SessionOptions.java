package meridian.onnx.capi;

import java.lang.foreign.Arena;
import java.util.Map;

/** The options that a {@link Session} is opened with. Confined to one thread. */
public final class SessionOptions implements AutoCloseable {

  private static final int ALL_OPTIMISATIONS = 99;

  private final Arena arena = Arena.ofConfined();
  private final long pointer;

  private SessionOptions() throws OrtFailure {
    Slot slot = Slot.in(arena);
    OrtApi.CREATE_SESSION_OPTIONS.call(slot.address());
    pointer = slot.get();
  }

  /** Options with all graph optimisations. */
  public static SessionOptions create() throws OrtFailure {
    SessionOptions options = new SessionOptions();
    OrtApi.SET_GRAPH_OPTIMIZATION_LEVEL.call(options.pointer, ALL_OPTIMISATIONS);
    return options;
  }

  /**
   * @param intra threads inside an operator, counting the calling one: 1 makes no pool
   * @param inter operators that may run side by side, likewise
   */
  public void threads(int intra, int inter) throws OrtFailure {
    OrtApi.SET_INTRA_OP_THREADS.call(pointer, intra);
    OrtApi.SET_INTER_OP_THREADS.call(pointer, inter);
  }

  public void disableCpuArena() throws OrtFailure {
    OrtApi.DISABLE_CPU_ARENA.call(pointer);
  }

  public void disableMemoryPattern() throws OrtFailure {
    OrtApi.DISABLE_MEMORY_PATTERN.call(pointer);
  }

  public void configure(String key, String value) throws OrtFailure {
    OrtApi.ADD_SESSION_CONFIG_ENTRY.call(
        pointer, Strings.pointer(arena, key), Strings.pointer(arena, value));
  }

  /** Adds an execution provider, after those added before. */
  public void append(Provider provider, Map<String, String> options) throws OrtFailure {
    provider.append(pointer, options, arena);
  }

  long pointer() {
    return pointer;
  }

  @Override
  public void close() {
    OrtApi.RELEASE_SESSION_OPTIONS.release(pointer);
    arena.close();
  }
}
