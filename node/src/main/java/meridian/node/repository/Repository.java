package meridian.node.repository;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import meridian.core.model.ModelName;

/**
 * A folder in Triton's layout: {@code <model>/<version>/model.onnx}, the model's configuration
 * beside the version folders. What has a name that starts with a dot is never served.
 */
public final class Repository {

  private final Path root;

  public Repository(Path root) {
    this.root = root;
  }

  public Path root() {
    return root;
  }

  /** Lists what is there. Reads names, sizes and times, never a file's content. */
  public Listing scan() {
    NavigableMap<String, ModelSource> models = new TreeMap<>();
    Map<String, String> refused = new TreeMap<>();
    try {
      for (Path folder : children(root)) {
        String name = folder.getFileName().toString();
        if (isHidden(name) || !Files.isDirectory(folder)) {
          continue;
        }
        if (ModelName.isValid(name)) {
          models.put(name, scanModel(name));
        } else {
          refused.put(name, "name: \"" + name + "\" (expected: " + ModelName.RULE + ")");
        }
      }
    } catch (IOException e) {
      return new Listing.Unreadable(root + ": " + IoReason.of(e));
    }
    return new Listing.Found(models, refused);
  }

  /** True when there is a folder for the model of this valid name. */
  public boolean holds(String name) {
    return Files.isDirectory(root.resolve(name));
  }

  /**
   * Lists one model.
   *
   * @param name a valid one; a model that is not there comes back unreadable
   */
  public ModelSource scanModel(String name) {
    return scanModel(name, root.resolve(name));
  }

  /** Lists a model whose folder lies elsewhere. */
  static ModelSource scanModel(String name, Path folder) {
    try {
      return new ModelScan(name, folder.toRealPath()).scan();
    } catch (IOException e) {
      return ModelSource.unreadable(name, folder, IoReason.of(e));
    }
  }

  static boolean isHidden(String name) {
    return name.startsWith(".");
  }

  /** What is in a folder, in the order of the names. */
  static List<Path> children(Path folder) throws IOException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      entries.forEach(children::add);
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
    children.sort(null);
    return children;
  }
}
