package meridian.onnx.capi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph that is ready to run, by any number of threads at once. Nothing here guards against use
 * after {@link #close}, nor against closing while a run is under way: both end the process.
 */
public final class Session implements AutoCloseable {

  private static final int ARENA_ALLOCATOR = 1;
  private static final int DEFAULT_MEMORY = 0;

  private final Environment environment;
  private final long pointer;
  private final long memory;
  private final long allocator;
  private final List<Port> inputs;
  private final List<Port> outputs;
  private final MemorySegment inputNames;
  private final MemorySegment outputNames;

  private Session(Environment environment, long pointer) throws OrtFailure {
    this.environment = environment;
    this.pointer = pointer;
    try (Arena arena = Arena.ofConfined()) {
      Slot slot = Slot.in(arena);
      OrtApi.CREATE_CPU_MEMORY_INFO.call(ARENA_ALLOCATOR, DEFAULT_MEMORY, slot.address());
      memory = slot.get();
      OrtApi.DEFAULT_ALLOCATOR.call(slot.address());
      allocator = slot.get();
      inputs = ports(OrtApi.INPUT_COUNT, OrtApi.INPUT_NAME, OrtApi.INPUT_TYPE, arena);
      outputs = ports(OrtApi.OUTPUT_COUNT, OrtApi.OUTPUT_NAME, OrtApi.OUTPUT_TYPE, arena);
    }
    Arena names = Arena.ofAuto();
    inputNames = Strings.pointers(names, inputs.stream().map(Port::name).toList());
    outputNames = Strings.pointers(names, outputs.stream().map(Port::name).toList());
  }

  /** Loads and optimises the graph in {@code file}, and plans its execution. */
  public static Session open(Path file, SessionOptions options) throws OrtFailure {
    Environment environment = Environment.open();
    try {
      return over(create(environment, file, options), environment);
    } catch (OrtFailure e) {
      environment.close();
      throw e;
    }
  }

  private static long create(Environment environment, Path file, SessionOptions options)
      throws OrtFailure {
    try (Arena arena = Arena.ofConfined()) {
      Slot slot = Slot.in(arena);
      OrtApi.CREATE_SESSION.call(
          environment.pointer(), Strings.pointer(arena, file), options.pointer(), slot.address());
      return slot.get();
    }
  }

  private static Session over(long pointer, Environment environment) throws OrtFailure {
    try {
      return new Session(environment, pointer);
    } catch (OrtFailure e) {
      OrtApi.RELEASE_SESSION.release(pointer);
      throw e;
    }
  }

  public List<Port> inputs() {
    return inputs;
  }

  public List<Port> outputs() {
    return outputs;
  }

  /** Prepares one run; close it on the same thread. */
  public Execution execution(int inputCount, int outputCount) throws OrtFailure {
    return new Execution(this, inputCount, outputCount);
  }

  @Override
  public void close() {
    OrtApi.RELEASE_MEMORY_INFO.release(memory);
    OrtApi.RELEASE_SESSION.release(pointer);
    environment.close();
  }

  long pointer() {
    return pointer;
  }

  long memory() {
    return memory;
  }

  long allocator() {
    return allocator;
  }

  long inputName(int port) {
    return inputNames.getAtIndex(ValueLayout.JAVA_LONG, port);
  }

  long outputName(int port) {
    return outputNames.getAtIndex(ValueLayout.JAVA_LONG, port);
  }

  private List<Port> ports(OrtFunction count, OrtFunction name, OrtFunction type, Arena arena)
      throws OrtFailure {
    Slot slot = Slot.in(arena);
    count.call(pointer, slot.address());
    long size = slot.get();
    List<Port> ports = new ArrayList<>();
    for (long i = 0; i < size; i++) {
      name.call(pointer, i, allocator, slot.address());
      String text = taken(slot.get());
      type.call(pointer, i, slot.address());
      long info = slot.get();
      try {
        ports.add(Port.read(text, info, arena));
      } finally {
        OrtApi.RELEASE_TYPE.release(info);
      }
    }
    return List.copyOf(ports);
  }

  private String taken(long text) throws OrtFailure {
    try {
      return OrtApi.text(MemorySegment.ofAddress(text));
    } finally {
      OrtApi.ALLOCATOR_FREE.call(allocator, text);
    }
  }
}
