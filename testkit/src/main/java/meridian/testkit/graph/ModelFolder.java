package meridian.testkit.graph;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Puts models where a server looks for them: {@code <repository>/<name>/<version>/model.onnx}. */
public final class ModelFolder {

  private ModelFolder() {}

  /** Writes the model, over what was there, and returns its file. */
  public static Path write(Path repository, String name, long version, byte[] onnx) {
    Path folder = repository.resolve(name).resolve(Long.toString(version));
    try {
      Files.createDirectories(folder);
      return Files.write(folder.resolve("model.onnx"), onnx);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
