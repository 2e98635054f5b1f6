package meridian.onnx.capi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;

/** Java strings as the C API takes them. */
final class Strings {

  private static final boolean WIDE_PATHS = System.getProperty("os.name").startsWith("Windows");

  private Strings() {}

  static long pointer(Arena arena, String text) {
    return arena.allocateFrom(text).address();
  }

  static long pointer(Arena arena, Path path) {
    return arena
        .allocateFrom(
            path.toString(), WIDE_PATHS ? StandardCharsets.UTF_16LE : StandardCharsets.UTF_8)
        .address();
  }

  static MemorySegment pointers(Arena arena, Collection<String> texts) {
    MemorySegment array = arena.allocate(ValueLayout.JAVA_LONG, texts.size());
    int i = 0;
    for (String text : texts) {
      array.setAtIndex(ValueLayout.JAVA_LONG, i++, pointer(arena, text));
    }
    return array;
  }
}
