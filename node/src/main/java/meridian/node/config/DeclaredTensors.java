package meridian.node.config;

import java.util.List;

/**
 * The tensors that a configuration declares.
 *
 * @param batched true when the first dimension counts rows
 */
record DeclaredTensors(List<DeclaredTensor> inputs, List<DeclaredTensor> outputs, boolean batched) {

  DeclaredTensors {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
  }

  boolean isEmpty() {
    return inputs.isEmpty() && outputs.isEmpty();
  }
}
