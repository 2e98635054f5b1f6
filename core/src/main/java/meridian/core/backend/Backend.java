package meridian.core.backend;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** An engine that executes models. */
public interface Backend extends AutoCloseable {

  /** Such as {@code onnxruntime}. */
  String name();

  /** The engine's version. */
  String release();

  /** The platform its models report, such as {@code onnxruntime_onnx}. */
  String platform();

  /**
   * Reads a model file and makes it ready to run.
   *
   * @throws ModelLoadException with the reason, for whatever may be wrong with the file, with what
   *     it refers to, or with the settings
   */
  LoadedModel load(Path file, ExecutionSettings settings) throws ModelLoadException;

  @Override
  void close();

  /**
   * @param providers in order of preference; the engine runs each part on the first that can
   * @param threads threads inside one execution, counting the lane's own
   */
  record ExecutionSettings(List<ExecutionProvider> providers, int threads) {

    /** On the CPU, on the calling thread alone. */
    public static final ExecutionSettings SINGLE_THREAD =
        new ExecutionSettings(List.of(ExecutionProvider.CPU), 1);

    public ExecutionSettings {
      providers = List.copyOf(providers);
      if (threads < 1) {
        throw new IllegalArgumentException("threads: " + threads + " (expected: 1 or more)");
      }
    }
  }

  /**
   * @param name lower case: {@code cpu}, {@code cuda}, {@code tensorrt} …
   * @param options passed through as they are
   */
  record ExecutionProvider(String name, Map<String, String> options) {

    public static final ExecutionProvider CPU = new ExecutionProvider("cpu", Map.of());

    public ExecutionProvider {
      options = Map.copyOf(options);
    }
  }
}
