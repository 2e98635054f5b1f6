package meridian.node.repository;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import meridian.core.backend.ModelLoadException;
import meridian.core.error.Quoted;
import org.jspecify.annotations.Nullable;

/** Reads the files that a configuration names, and none outside the model's folder. */
public final class ModelFiles {

  private static final long MAX_TEXT_BYTES = 16 << 20;

  private ModelFiles() {}

  /**
   * The file that {@code name} means in {@code folder}, which is or lies in {@code modelFolder}.
   *
   * @param field what to call it when it is refused
   * @throws ModelLoadException if it is not there, no plain file, or outside the model's folder
   */
  public static Path resolve(Path modelFolder, Path folder, String field, String name)
      throws ModelLoadException {
    Path file = insideByName(folder, field, name);
    try {
      if (!file.toRealPath().startsWith(modelFolder.toRealPath())) {
        throw new ModelLoadException(field + ": " + Quoted.of(name) + ": " + FolderScan.LEAVES);
      }
    } catch (IOException e) {
      throw new ModelLoadException(field + ": " + Quoted.of(name) + ": " + IoReason.of(e), e);
    }
    if (!Files.isRegularFile(file)) {
      throw new ModelLoadException(field + ": " + Quoted.of(name) + ": not a file");
    }
    return file;
  }

  /** Where {@code name} leads below {@code folder}, whether it exists or not. */
  static Path insideByName(Path folder, String field, String name) throws ModelLoadException {
    try {
      Path file = folder.resolve(name).normalize();
      if (!name.isEmpty() && file.startsWith(folder) && !file.equals(folder)) {
        return file;
      }
    } catch (InvalidPathException _) {
      // Says no more than the refusal below.
    }
    throw new ModelLoadException(
        "%s: %s (expected: a file below the model's folder)".formatted(field, Quoted.of(name)));
  }

  /** The text of a small UTF-8 file beside the version folders, or null when there is none. */
  public static @Nullable String text(Path modelFolder, String name) throws ModelLoadException {
    Path file = modelFolder.resolve(name);
    if (!Files.exists(file)) {
      return null;
    }
    Path inside = resolve(modelFolder, modelFolder, "file", name);
    try {
      if (Files.size(inside) > MAX_TEXT_BYTES) {
        throw new ModelLoadException(
            "%s: %d bytes (expected: at most %d)"
                .formatted(name, Files.size(inside), MAX_TEXT_BYTES));
      }
      return Files.readString(inside);
    } catch (NoSuchFileException _) {
      return null;
    } catch (CharacterCodingException e) {
      throw new ModelLoadException(name + ": not UTF-8", e);
    } catch (IOException e) {
      throw new ModelLoadException(name + ": " + IoReason.of(e), e);
    }
  }
}
