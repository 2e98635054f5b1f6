package meridian.onnx.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import meridian.core.backend.ModelLoadException;

/**
 * References to data outside the model file. Each must name a regular file in the model's folder or
 * below it, by a relative path without {@code ..}, symbolic links followed, and stay inside that
 * file. Repeated keys are checked one by one, so that it does not matter which of them counts.
 */
final class ExternalData {

  private static final String LOCATION = "location";
  private static final String OFFSET = "offset";
  private static final String LENGTH = "length";

  /** In place of a file, this has ONNX Runtime read its own memory at the offset. */
  private static final String MEMORY = "_ORT_MEM_ADDR_";

  private final Path folder;

  ExternalData(Path modelFile) {
    this.folder = modelFile.toAbsolutePath().resolveSibling("");
  }

  record Entry(String key, String value) {}

  /**
   * @param tensor the name of the tensor that the entries belong to
   */
  void check(String tensor, List<Entry> entries) throws ModelLoadException, IOException {
    String field = "external data of \"" + tensor + "\"";
    long end = Math.addExact(largest(field, OFFSET, entries), largest(field, LENGTH, entries));
    List<String> locations =
        entries.stream().filter(e -> e.key().equals(LOCATION)).map(Entry::value).toList();
    if (locations.isEmpty()) {
      throw new ModelLoadException(field + ": no location (expected: a file beside the model)");
    }
    for (String location : locations) {
      requireInside(field, location, end);
    }
  }

  private void requireInside(String field, String location, long end)
      throws ModelLoadException, IOException {
    Path file = resolve(field, location);
    if (!Files.isRegularFile(file)) {
      throw new ModelLoadException(
          "%s: \"%s\" is missing (expected: a file beside the model)".formatted(field, location));
    }
    if (!file.toRealPath().startsWith(folder.toRealPath())) {
      throw outside(field, location);
    }
    long size = Files.size(file);
    if (end > size) {
      throw new ModelLoadException(
          "%s: up to byte %d of \"%s\" (expected: at most %d, the size of the file)"
              .formatted(field, end, location, size));
    }
  }

  private Path resolve(String field, String location) throws ModelLoadException {
    for (String step : location.split("[/\\\\]", -1)) {
      if (step.equals("..")) {
        throw outside(field, location);
      }
    }
    try {
      Path relative = Path.of(location);
      if (location.isEmpty() || relative.isAbsolute() || location.contains(MEMORY)) {
        throw outside(field, location);
      }
      return folder.resolve(relative);
    } catch (InvalidPathException _) {
      throw outside(field, location);
    }
  }

  private static long largest(String field, String key, List<Entry> entries)
      throws ModelLoadException {
    long largest = 0;
    for (Entry entry : entries) {
      if (entry.key().equals(key)) {
        largest = Math.max(largest, number(field + "." + key, entry.value()));
      }
    }
    return largest;
  }

  private static long number(String field, String text) throws ModelLoadException {
    try {
      long number = Long.parseLong(text);
      if (number >= 0 && number <= Long.MAX_VALUE / 2) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Falls through to the one message for all that is no size.
    }
    throw new ModelLoadException(
        "%s: \"%s\" (expected: a number of bytes, 0 or more)".formatted(field, text));
  }

  private static ModelLoadException outside(String field, String location) {
    return new ModelLoadException(
        "%s: \"%s\" is not inside the folder of the model (expected: a relative path to a file"
                .formatted(field, location)
            + " there)");
  }
}
