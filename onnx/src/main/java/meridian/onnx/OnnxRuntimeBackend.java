package meridian.onnx;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import meridian.core.backend.Backend;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.onnx.capi.Environment;
import meridian.onnx.capi.NativeHeap;
import meridian.onnx.capi.OrtFailure;
import meridian.onnx.capi.Session;
import meridian.onnx.capi.SessionOptions;
import meridian.onnx.file.ModelFile;

/**
 * Executes ONNX models with ONNX Runtime.
 *
 * <p>The signature is the graph's. Outputs that are no tensors of the protocol's types (sequences,
 * maps, optional values, complex numbers …) are left out of it and named in the property {@code
 * omitted_outputs}; a model without any other output, or with such an input, does not load. Rows
 * are taken to be in the first dimension when that varies in all inputs and outputs and the graph
 * does not give it different names in different inputs.
 *
 * <p>A model is checked before ONNX Runtime opens it: the file must be whole, and external data
 * must lie in files inside the folder of the model, symbolic links followed. ONNX Runtime's log
 * goes to SLF4J as {@code meridian.onnx.runtime}.
 *
 * <p>Closing a {@link LoadedModel} while a run is under way, or running one that is closed, throws
 * {@link IllegalStateException}; the model is left as it was. Models stay usable after the back end
 * is closed, which only ends its own hold on ONNX Runtime.
 */
public final class OnnxRuntimeBackend implements Backend {

  private final Environment environment;
  private final AtomicBoolean closed = new AtomicBoolean();

  private OnnxRuntimeBackend(Environment environment) {
    this.environment = environment;
  }

  /**
   * Loads ONNX Runtime's library.
   *
   * @throws IllegalStateException if it does not start, with the reason
   */
  public static OnnxRuntimeBackend open() {
    try {
      return new OnnxRuntimeBackend(Environment.open());
    } catch (OrtFailure e) {
      throw new IllegalStateException("ONNX Runtime: " + RuntimeMessage.oneLine(e), e);
    } catch (LinkageError e) {
      throw new IllegalStateException(
          "ONNX Runtime: no library that loads on %s %s (%s)"
              .formatted(
                  System.getProperty("os.name"),
                  System.getProperty("os.arch"),
                  Objects.requireNonNullElse(e.getCause(), e).getMessage()),
          e);
    }
  }

  /** The execution providers that this build of ONNX Runtime has: {@code cpu}, {@code cuda} … */
  public List<String> availableProviders() {
    return Environment.providers();
  }

  @Override
  public String name() {
    return "onnxruntime";
  }

  @Override
  public String release() {
    return Environment.version();
  }

  @Override
  public String platform() {
    return "onnxruntime_onnx";
  }

  @Override
  public LoadedModel load(Path file, ExecutionSettings settings) throws ModelLoadException {
    if (closed.get()) {
      throw new IllegalStateException("back end: closed (expected: open)");
    }
    ModelFile model = ModelFile.read(file);
    Session session = session(file, settings);
    try {
      return OnnxModel.of(session, Properties.of(model, settings, session), model.steady());
    } catch (ModelLoadException e) {
      session.close();
      throw new ModelLoadException(file.getFileName() + ": " + e.getMessage(), e);
    } finally {
      NativeHeap.trim();
    }
  }

  private static Session session(Path file, ExecutionSettings settings) throws ModelLoadException {
    try (SessionOptions options = SessionOptions.create()) {
      Sessions.configure(options, settings);
      return Session.open(file.toAbsolutePath(), options);
    } catch (OrtFailure e) {
      throw LoadFailure.explain(file, settings, e);
    }
  }

  @Override
  public void close() {
    if (closed.compareAndSet(false, true)) {
      environment.close();
    }
  }
}
