package meridian.pipeline.text;

import java.util.ArrayList;
import java.util.List;
import meridian.core.infer.Parameters;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.pipeline.Prepared;

/**
 * Texts that became token tensors.
 *
 * @param lengths tokens of each text
 */
record PreparedTexts(
    List<List<NamedTensor>> executions,
    Parameters notes,
    int[] lengths,
    TextGraph graph,
    VectorPooling pooling,
    String output)
    implements Prepared {

  @Override
  public List<NamedTensor> finish(List<List<NamedTensor>> outputsPerExecution) {
    if (outputsPerExecution.size() != executions.size()) {
      throw new IllegalArgumentException(
          "outputs of %d executions (expected: of %d)"
              .formatted(outputsPerExecution.size(), executions.size()));
    }
    List<Tensor> outputs = new ArrayList<>(executions.size());
    for (int i = 0; i < executions.size(); i++) {
      outputs.add(output(outputsPerExecution.get(i), executions.get(i)));
    }
    long size = Math.max(graph.vectorSize(), 0);
    Tensor answer = pooling.pool(outputs, lengths, graph.givesTokenVectors(), size);
    return List.of(new NamedTensor(output, answer));
  }

  private Tensor output(List<NamedTensor> outputs, List<NamedTensor> inputs) {
    TensorSpec spec = graph.output();
    for (NamedTensor candidate : outputs) {
      if (candidate.name().equals(spec.name())) {
        return requireShape(candidate.tensor(), inputs.getFirst().tensor().shape());
      }
    }
    throw new IllegalArgumentException("outputs: no \"" + spec.name() + "\" (expected: that one)");
  }

  /** Pooling reads by the input's layout: a graph that changes it must not pass for a vector. */
  private Tensor requireShape(Tensor tensor, Shape input) {
    Shape expected =
        graph.givesTokenVectors()
            ? Shape.of(input.dim(0), input.dim(1), graph.vectorSize())
            : Shape.of(input.dim(0), graph.vectorSize());
    if (tensor.type() != graph.output().type() || !expected.matches(tensor.shape())) {
      throw new IllegalArgumentException(
          "output \"%s\": %s %s (expected: %s %s)"
              .formatted(
                  graph.output().name(),
                  tensor.type(),
                  tensor.shape(),
                  graph.output().type(),
                  expected));
    }
    return tensor;
  }
}
