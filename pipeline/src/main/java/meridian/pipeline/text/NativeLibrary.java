package meridian.pipeline.text;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import meridian.core.backend.ModelLoadException;
import org.jspecify.annotations.Nullable;

/**
 * The native tokenizers library, taken from the classpath and loaded once per process.
 *
 * <p>The artifact's own loader is passed by: it reports each start to a server of its makers where
 * it believes to be in their cloud, downloads another build of the library where it sees a GPU, and
 * leaves its files in the home directory. Here the library stays in {@code java.io.tmpdir} for as
 * long as loading takes, and nothing but the classpath is read.
 */
final class NativeLibrary {

  private static final List<String> WINDOWS_FILES =
      List.of("libwinpthread-1.dll", "libgcc_s_seh-1.dll", "libstdc++-6.dll", "tokenizers.dll");

  private static @Nullable TokenizersLibrary loaded;

  private NativeLibrary() {}

  static synchronized TokenizersLibrary load() throws ModelLoadException {
    if (loaded == null) {
      loadFrom("native/lib/" + platform() + "/cpu/", files());
      loaded = TokenizersLibrary.LIB;
    }
    return loaded;
  }

  private static void loadFrom(String resources, List<String> files) throws ModelLoadException {
    try {
      Path folder = Files.createTempDirectory("meridian-tokenizers");
      folder.toFile().deleteOnExit();
      for (String file : files) {
        loadFile(resources + file, folder.resolve(file));
      }
      Files.deleteIfExists(folder);
    } catch (IOException | UnsatisfiedLinkError e) {
      throw new ModelLoadException(
          "tokenizers library: %s (expected: a java.io.tmpdir to unpack to and load from, now %s)"
              .formatted(e.getMessage(), System.getProperty("java.io.tmpdir")),
          e);
    }
  }

  @SuppressWarnings("restricted")
  private static void loadFile(String resource, Path file) throws IOException, ModelLoadException {
    try (InputStream library = NativeLibrary.class.getClassLoader().getResourceAsStream(resource)) {
      if (library == null) {
        throw new ModelLoadException(
            "tokenizers library: none for this platform at " + resource + " on the classpath");
      }
      Files.copy(library, file);
      System.load(file.toString());
    } finally {
      discard(file);
    }
  }

  /** Where the system keeps a loaded file from being deleted, it goes when the process ends. */
  private static void discard(Path file) {
    if (!file.toFile().delete()) {
      file.toFile().deleteOnExit();
    }
  }

  private static List<String> files() {
    return platform().startsWith("win")
        ? WINDOWS_FILES
        : List.of(System.mapLibraryName("tokenizers"));
  }

  private static String platform() {
    String name = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String system = name.startsWith("windows") ? "win" : name.startsWith("mac") ? "osx" : name;
    return switch (System.getProperty("os.arch")) {
      case "amd64", "x86_64" -> system + "-x86_64";
      case "aarch64", "arm64" -> system + "-aarch64";
      case String other -> system + '-' + other;
    };
  }
}
