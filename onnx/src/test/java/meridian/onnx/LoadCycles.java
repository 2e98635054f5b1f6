package meridian.onnx;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import meridian.core.backend.LoadedModel;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;

/**
 * Loads, runs and unloads a model over and over, in a process of its own so that nothing else moves
 * the figures. Prints the resident memory in KiB and the threads after each of the cycles named.
 *
 * <p>Arguments: the file, which takes one FP32 input; then the numbers of cycles to report after,
 * ascending.
 */
final class LoadCycles {

  private static final int RUNS_PER_CYCLE = 10;

  private LoadCycles() {}

  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    int done = 0;
    try (OnnxRuntimeBackend backend = OnnxRuntimeBackend.open()) {
      for (int i = 1; i < args.length; i++) {
        for (; done < Integer.parseInt(args[i]); done++) {
          cycle(backend, file);
        }
        System.out.println(done + " " + status("VmRSS:") + " " + status("Threads:"));
      }
    }
  }

  private static void cycle(OnnxRuntimeBackend backend, Path file) throws Exception {
    try (LoadedModel model = backend.load(file, Models.CPU)) {
      TensorSpec spec = model.signature().inputs().getFirst();
      Shape shape = spec.shape().with(0, 2);
      float[] values = new float[Math.toIntExact(shape.elementCount())];
      NamedTensor input = new NamedTensor(spec.name(), Tensor.ofFloats(shape, values));
      String output = model.signature().outputs().getFirst().name();
      for (int run = 0; run < RUNS_PER_CYCLE; run++) {
        model.run(List.of(input), Set.of(output));
      }
    }
  }

  private static long status(String field) throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith(field))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }
}
