package meridian.node.repository;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.OptionalLong;
import meridian.core.backend.ModelLoadException;
import meridian.core.error.Quoted;
import meridian.core.model.ModelVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A model folder made of files that came with a load request: private, temporary, deletable. */
public final class Overlay {

  private static final Logger LOG = LoggerFactory.getLogger(Overlay.class);

  private final String name;
  private final Path folder;

  private Overlay(String name, Path folder) {
    this.name = name;
    this.folder = folder;
  }

  /**
   * Writes the files; all or none stay.
   *
   * @param files contents by {@code version/file}
   * @throws ModelLoadException if a path is not of that form or leads out of its version's folder
   */
  public static Overlay write(String name, Map<String, byte[]> files) throws ModelLoadException {
    try {
      Overlay overlay =
          new Overlay(name, Files.createTempDirectory("meridian-model-").toRealPath());
      overlay.fill(files);
      return overlay;
    } catch (IOException e) {
      throw new ModelLoadException("file: cannot be stored: " + IoReason.of(e), e);
    }
  }

  /** The folder as a scan sees it. */
  public ModelSource source() {
    return Repository.scanModel(name, folder);
  }

  /** Removes every file; what cannot be removed stays, for the system to clear away. */
  public void delete() {
    try {
      Files.walkFileTree(folder, new Deletion());
    } catch (IOException e) {
      LOG.warn("{}: not removed: {}", folder, IoReason.of(e));
    }
  }

  private void fill(Map<String, byte[]> files) throws ModelLoadException, IOException {
    try {
      for (Map.Entry<String, byte[]> file : files.entrySet()) {
        Path path = path(file.getKey());
        Files.createDirectories(path.getParent());
        Files.write(path, file.getValue());
      }
    } catch (ModelLoadException | IOException e) {
      delete();
      throw e;
    }
  }

  private Path path(String key) throws ModelLoadException {
    int slash = key.indexOf('/');
    OptionalLong version = ModelVersion.parse(key.substring(0, Math.max(slash, 0)));
    if (version.isEmpty()) {
      throw new ModelLoadException(
          "file:%s (expected: file:<version>/<file>, the version %s)"
              .formatted(Quoted.clean(key), ModelVersion.RULE));
    }
    Path versionFolder = folder.resolve(Long.toString(version.getAsLong()));
    return ModelFiles.insideByName(
        versionFolder, "file:" + Quoted.clean(key), key.substring(slash + 1));
  }

  private static final class Deletion extends SimpleFileVisitor<Path> {
    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
      Files.delete(file);
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
      Files.delete(folder);
      return FileVisitResult.CONTINUE;
    }
  }
}
