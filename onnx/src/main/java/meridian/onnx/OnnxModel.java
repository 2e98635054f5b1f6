package meridian.onnx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.infer.Cancellation;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.TensorSpec;
import meridian.onnx.capi.Execution;
import meridian.onnx.capi.NativeHeap;
import meridian.onnx.capi.OrtFailure;
import meridian.onnx.capi.Port;
import meridian.onnx.capi.Session;

/** A session behind the back end's interface, with names resolved to positions in the graph. */
final class OnnxModel implements LoadedModel {

  private final Session session;
  private final Signature signature;
  private final Map<String, String> properties;
  private final boolean steady;
  private final Map<String, Integer> inputPorts;
  private final int[] outputPorts;
  private final Uses uses = new Uses();

  private OnnxModel(
      Session session, Signature signature, Map<String, String> properties, boolean steady) {
    this.session = session;
    this.signature = signature;
    this.properties = properties;
    this.steady = steady;
    Map<String, Integer> outputs = positions(session.outputs());
    inputPorts = positions(session.inputs());
    outputPorts =
        signature.outputs().stream().map(TensorSpec::name).mapToInt(outputs::get).toArray();
  }

  /**
   * @param steadyOperators whether the time of each operator follows from shapes
   */
  static OnnxModel of(Session session, Map<String, String> properties, boolean steadyOperators)
      throws ModelLoadException {
    Signature signature = GraphSignature.of(session.inputs(), session.outputs());
    boolean texts = signature.inputs().stream().anyMatch(spec -> spec.type() == DataType.BYTES);
    return new OnnxModel(session, signature, properties, steadyOperators && !texts);
  }

  @Override
  public Signature signature() {
    return signature;
  }

  @Override
  public Map<String, String> properties() {
    return properties;
  }

  @Override
  public boolean steady() {
    return steady;
  }

  @Override
  public List<NamedTensor> run(List<NamedTensor> inputs, Set<String> outputs, Cancellation stop)
      throws ExecutionException {
    uses.enter();
    try (Execution execution = session.execution(inputs.size(), outputs.size())) {
      stop.onCancel(execution::stop);
      return run(execution, inputs, outputs);
    } catch (OrtFailure e) {
      throw new ExecutionException(RuntimeMessage.oneLine(e), e);
    } finally {
      uses.exit();
    }
  }

  private List<NamedTensor> run(Execution execution, List<NamedTensor> inputs, Set<String> outputs)
      throws OrtFailure {
    for (NamedTensor input : inputs) {
      execution.input(port(input.name()), input.tensor());
    }
    for (int i = 0; i < outputPorts.length; i++) {
      if (outputs.contains(signature.outputs().get(i).name())) {
        execution.output(outputPorts[i]);
      }
    }
    execution.run();
    return results(execution, outputs);
  }

  private List<NamedTensor> results(Execution execution, Set<String> outputs) throws OrtFailure {
    List<NamedTensor> results = new ArrayList<>(outputs.size());
    for (TensorSpec spec : signature.outputs()) {
      if (outputs.contains(spec.name())) {
        results.add(new NamedTensor(spec.name(), execution.result(results.size())));
      }
    }
    return results;
  }

  private int port(String input) {
    Integer port = inputPorts.get(input);
    if (port == null) {
      throw new IllegalArgumentException(
          "inputs: \"%s\" (expected: one of %s)".formatted(input, inputPorts.keySet()));
    }
    return port;
  }

  @Override
  public void close() {
    if (uses.close()) {
      session.close();
      NativeHeap.trim();
    }
  }

  private static Map<String, Integer> positions(List<Port> ports) {
    Map<String, Integer> positions = new HashMap<>();
    for (int i = 0; i < ports.size(); i++) {
      positions.put(ports.get(i).name(), i);
    }
    return positions;
  }
}
