package meridian.core.model;

import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import meridian.core.tensor.TensorSpec;

/**
 * What a model takes and gives.
 *
 * @param batched true when the first dimension of every input and output counts rows that are
 *     computed independently, so that requests may share an execution
 */
public record Signature(List<TensorSpec> inputs, List<TensorSpec> outputs, boolean batched) {

  public Signature {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    requireDistinct("inputs", inputs);
    requireDistinct("outputs", outputs);
  }

  public Optional<TensorSpec> input(String name) {
    return find(inputs, name);
  }

  public Optional<TensorSpec> output(String name) {
    return find(outputs, name);
  }

  private static Optional<TensorSpec> find(List<TensorSpec> specs, String name) {
    for (TensorSpec spec : specs) {
      if (spec.name().equals(name)) {
        return Optional.of(spec);
      }
    }
    return Optional.empty();
  }

  private static void requireDistinct(String field, List<TensorSpec> specs) {
    specs.stream()
        .collect(Collectors.groupingBy(TensorSpec::name, Collectors.counting()))
        .forEach(
            (name, count) -> {
              if (count > 1) {
                throw new IllegalArgumentException(
                    "%s: \"%s\" %d times (expected: once)".formatted(field, name, count));
              }
            });
  }
}
