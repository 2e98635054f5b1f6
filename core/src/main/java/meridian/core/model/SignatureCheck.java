package meridian.core.model;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import meridian.core.infer.RequestedOutput;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import org.jspecify.annotations.Nullable;

/** Holds a request's tensors against a signature. Every cause has a message of its own. */
public final class SignatureCheck {

  private SignatureCheck() {}

  /** The first fault found, or null when the request fits. */
  public static @Nullable Problem check(
      Signature signature, List<NamedTensor> inputs, List<RequestedOutput> outputs) {
    Problem problem = checkInputs(signature, inputs);
    if (problem == null) {
      problem = checkMissing(signature, inputs);
    }
    if (problem == null && signature.batched()) {
      problem = checkRows(inputs);
    }
    return problem != null ? problem : checkOutputs(signature, outputs);
  }

  private static @Nullable Problem checkInputs(Signature signature, List<NamedTensor> inputs) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < inputs.size(); i++) {
      NamedTensor input = inputs.get(i);
      TensorSpec spec = signature.input(input.name()).orElse(null);
      if (spec == null) {
        return unknown("inputs[" + i + "].name", input.name(), signature.inputs());
      }
      if (!seen.add(input.name())) {
        return repeated("inputs[" + i + "].name", input.name());
      }
      Problem problem = checkTensor("inputs[" + i + "]", spec, input.tensor());
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private static @Nullable Problem checkTensor(String field, TensorSpec spec, Tensor tensor) {
    if (tensor.type() != spec.type()) {
      return Problem.invalid(
          field + ".datatype", tensor.type(), spec.type() + " for \"" + spec.name() + '"');
    }
    if (tensor.shape().rank() != spec.shape().rank()) {
      return Problem.invalid(
          field + ".shape",
          "rank " + tensor.shape().rank() + " of " + tensor.shape(),
          "rank " + spec.shape().rank() + " for " + spec.shape() + " of \"" + spec.name() + '"');
    }
    if (!spec.shape().matches(tensor.shape())) {
      return Problem.invalid(
          field + ".shape", tensor.shape(), spec.shape() + " for \"" + spec.name() + '"');
    }
    return null;
  }

  private static @Nullable Problem checkMissing(Signature signature, List<NamedTensor> inputs) {
    for (TensorSpec spec : signature.inputs()) {
      if (!spec.optional() && inputs.stream().noneMatch(in -> in.name().equals(spec.name()))) {
        return Problem.invalid(
            "inputs",
            "\"" + spec.name() + "\" is missing",
            spec.type() + " of shape " + spec.shape());
      }
    }
    return null;
  }

  private static @Nullable Problem checkRows(List<NamedTensor> inputs) {
    for (int i = 1; i < inputs.size(); i++) {
      long first = inputs.getFirst().tensor().shape().dim(0);
      long rows = inputs.get(i).tensor().shape().dim(0);
      if (rows != first) {
        return Problem.invalid(
            "inputs[" + i + "].shape", rows + " rows", first + " rows as inputs[0] has");
      }
    }
    return null;
  }

  private static @Nullable Problem checkOutputs(
      Signature signature, List<RequestedOutput> outputs) {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < outputs.size(); i++) {
      String name = outputs.get(i).name();
      if (signature.output(name).isEmpty()) {
        return unknown("outputs[" + i + "].name", name, signature.outputs());
      }
      if (!seen.add(name)) {
        return repeated("outputs[" + i + "].name", name);
      }
    }
    return null;
  }

  private static Problem unknown(String field, String name, List<TensorSpec> specs) {
    return Problem.invalid(
        field,
        Quoted.of(name) + " is unknown",
        "one of " + specs.stream().map(TensorSpec::name).toList());
  }

  private static Problem repeated(String field, String name) {
    return Problem.invalid(field, Quoted.of(name) + " is repeated", "each name once");
  }
}
