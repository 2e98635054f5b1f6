package meridian.onnx;

import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import meridian.onnx.capi.Port;

/** What a graph's inputs and outputs mean to a client; {@link OnnxRuntimeBackend} has the rules. */
final class GraphSignature {

  /** Names that converters make up, one per tensor, for sizes they know nothing of. */
  private static final Pattern MADE_UP = Pattern.compile("|unk__\\d+|\\?");

  private GraphSignature() {}

  static Signature of(List<Port> inputs, List<Port> outputs) throws ModelLoadException {
    for (Port input : inputs) {
      if (input.tensor() == null) {
        throw unsupported("inputs." + input.name(), input);
      }
    }
    List<TensorSpec> given = specs(outputs);
    if (given.isEmpty()) {
      throw outputs.isEmpty()
          ? new ModelLoadException("outputs: none (expected: 1 or more)")
          : unsupported("outputs." + outputs.getFirst().name(), outputs.getFirst());
    }
    List<TensorSpec> taken = specs(inputs);
    return new Signature(taken, given, haveRows(taken, given) && agree(inputs));
  }

  private static boolean haveRows(List<TensorSpec> inputs, List<TensorSpec> outputs) {
    return !inputs.isEmpty()
        && Stream.concat(inputs.stream(), outputs.stream())
            .map(TensorSpec::shape)
            .allMatch(shape -> shape.rank() > 0 && shape.dim(0) == Shape.ANY);
  }

  private static boolean agree(List<Port> inputs) {
    return inputs.stream()
            .map(Port::rowsName)
            .filter(name -> !MADE_UP.matcher(name).matches())
            .distinct()
            .count()
        <= 1;
  }

  private static List<TensorSpec> specs(List<Port> ports) {
    return ports.stream().map(Port::tensor).filter(Objects::nonNull).toList();
  }

  private static ModelLoadException unsupported(String field, Port port) {
    return new ModelLoadException(
        "%s: %s (expected: a tensor of a type that the protocol has)"
            .formatted(field, port.kind()));
  }
}
