package meridian.onnx.file;

import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import meridian.core.backend.ModelLoadException;

/**
 * What an ONNX file says of itself, from a file that was found whole and whose external data lies
 * in its folder.
 *
 * @param opsets the versions of operators that the model uses, by domain
 * @param producer the program that wrote it; empty when the file does not say
 * @param steady whether the time of each operator follows from the shapes of the graph's inputs
 */
public record ModelFile(long irVersion, Map<String, Long> opsets, String producer, boolean steady) {

  /** Protobuf, and so ONNX Runtime, reads no message that is larger. */
  private static final long MAX_BYTES = Integer.MAX_VALUE;

  public ModelFile {
    opsets = Collections.unmodifiableSortedMap(new TreeMap<>(opsets));
  }

  /**
   * Reads the file from end to end, holding no more of it than a name at a time.
   *
   * @throws ModelLoadException if ONNX Runtime must not or cannot open it, with the reason
   */
  public static ModelFile read(Path file) throws ModelLoadException {
    try {
      long size = size(file);
      if (size > MAX_BYTES) {
        throw new ModelLoadException(
            "%d bytes (expected: at most %d; keep the weights as external data)"
                .formatted(size, MAX_BYTES));
      }
      return content(file, size);
    } catch (InvalidProtocolBufferException e) {
      throw new ModelLoadException(
          file.getFileName()
              + ": truncated or corrupt (expected: a whole ONNX file); copy or export it again",
          e);
    } catch (IOException e) {
      throw new ModelLoadException(file.getFileName() + ": cannot be read (" + e + ")", e);
    } catch (ModelLoadException e) {
      throw new ModelLoadException(file.getFileName() + ": " + oneLine(e), e);
    }
  }

  /** Names in the file are whatever someone wrote there. */
  private static String oneLine(ModelLoadException e) {
    return String.valueOf(e.getMessage()).replaceAll("[\\p{Cntrl}\\s]+", " ");
  }

  private static long size(Path file) throws IOException, ModelLoadException {
    if (!Files.isRegularFile(file)) {
      throw new ModelLoadException(
          (Files.exists(file) ? "no regular file" : "missing") + " (expected: an ONNX file)");
    }
    long size = Files.size(file);
    if (size == 0) {
      throw new ModelLoadException("empty (expected: an ONNX file)");
    }
    return size;
  }

  private static ModelFile content(Path file, long size) throws IOException, ModelLoadException {
    ExternalData external = new ExternalData(file);
    ModelReader reader = new ModelReader(external);
    try (MessageSource source = MessageSource.open(file, size)) {
      reader.read(source);
    }
    if (!reader.hasGraph()) {
      throw new ModelLoadException("no graph in it (expected: an ONNX model)");
    }
    return new ModelFile(reader.irVersion(), reader.opsets(), reader.producer(), reader.steady());
  }
}
