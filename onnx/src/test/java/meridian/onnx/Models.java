package meridian.onnx;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.backend.Backend.ExecutionSettings;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.LoadedModel;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;

/** Short forms for tests. */
final class Models {

  static final ExecutionSettings CPU = on();

  private Models() {}

  static ExecutionSettings on(String... providers) {
    return new ExecutionSettings(
        Stream.of(providers).map(name -> new ExecutionProvider(name, Map.of())).toList(), 1);
  }

  /** The first output for one input. */
  static Tensor run(LoadedModel model, String input, Tensor tensor) throws ExecutionException {
    String output = model.signature().outputs().getFirst().name();
    return model.run(List.of(new NamedTensor(input, tensor)), Set.of(output)).getFirst().tensor();
  }
}
