package meridian.onnx;

import java.util.List;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.backend.Backend.ExecutionSettings;
import meridian.core.backend.ModelLoadException;
import meridian.onnx.capi.Environment;
import meridian.onnx.capi.OrtFailure;
import meridian.onnx.capi.Provider;
import meridian.onnx.capi.SessionOptions;

/** Execution settings as options of ONNX Runtime. */
final class Sessions {

  private static final String CPU = ExecutionProvider.CPU.name();

  private Sessions() {}

  /**
   * Operators run one after the other on the lane's thread and {@code threads − 1} more, which
   * sleep while there is nothing to do. Buffers come from an arena that lives as long as the
   * session; they are not planned per input shape, since ONNX Runtime keeps every plan it ever made
   * and clients choose the shapes.
   */
  static void configure(SessionOptions options, ExecutionSettings settings)
      throws OrtFailure, ModelLoadException {
    options.threads(settings.threads(), 1);
    options.configure("session.intra_op.allow_spinning", "0");
    options.configure("session.inter_op.allow_spinning", "0");
    options.disableMemoryPattern();
    List<ExecutionProvider> providers = settings.providers();
    for (int i = 0; i < providers.size(); i++) {
      append(options, providers.get(i), i == providers.size() - 1);
    }
    if (!providers.isEmpty() && !providers.getLast().name().equals(CPU)) {
      options.configure("session.disable_cpu_ep_fallback", "1");
    }
  }

  private static void append(SessionOptions options, ExecutionProvider provider, boolean last)
      throws OrtFailure, ModelLoadException {
    if (provider.name().equals(CPU)) {
      requireCpu(provider, last);
      return;
    }
    Provider known = Provider.named(provider.name());
    if (known == null || !Environment.providers().contains(provider.name())) {
      throw new ModelLoadException(
          "execution: %s (expected: one of %s, which this build of ONNX Runtime %s has)"
              .formatted(provider.name(), Environment.providers(), Environment.version()));
    }
    options.append(known, provider.options());
  }

  private static void requireCpu(ExecutionProvider cpu, boolean last) throws ModelLoadException {
    if (!last) {
      throw new ModelLoadException(
          "execution: cpu before others (expected: cpu last, since it runs everything)");
    }
    if (!cpu.options().isEmpty()) {
      throw new ModelLoadException(
          "execution.cpu: %s (expected: no options)".formatted(cpu.options().keySet()));
    }
  }
}
