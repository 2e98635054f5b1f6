package meridian.node.sequence;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import meridian.core.backend.InvarianceProbe;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.node.config.ModelSettings.StateSettings;

/**
 * A graph with states, of which its users see nothing.
 *
 * @param model with its rows in front
 * @param served the signature without states and fixed inputs
 */
public record StatefulModel(LoadedModel model, List<State> states, Signature served) {

  /**
   * @param fixed the value of inputs that nobody sends
   * @throws ModelLoadException if the graph does not take them
   */
  public static StatefulModel of(
      LoadedModel graph, List<StateSettings> states, Map<String, Long> fixed)
      throws ModelLoadException {
    List<State> found = new ArrayList<>();
    for (StateSettings state : states) {
      found.add(State.of(state, "sequence.states[" + found.size() + "]", graph.signature()));
    }
    RowsFirst model = new RowsFirst(graph, found, fixed(graph.signature(), fixed));
    return new StatefulModel(model, found, served(model.signature(), found));
  }

  /** The outputs wanted, and with them the states. */
  public Set<String> withStates(Set<String> wanted) {
    Set<String> all = states.stream().map(State::output).collect(Collectors.toSet());
    all.addAll(wanted);
    return all;
  }

  /** The states of a sequence that begins. */
  public List<NamedTensor> zeros(int rows) {
    List<NamedTensor> zeros = new ArrayList<>(states.size());
    for (State state : states) {
      Shape shape = state.row().batchOf(rows);
      long bytes = shape.elementCount() * state.type().byteSize();
      MemorySegment data = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
      zeros.add(new NamedTensor(state.input(), new Tensor(state.type(), shape, data)));
    }
    return zeros;
  }

  /** The states after an execution, in memory of their own, as its next inputs. */
  public List<NamedTensor> next(List<NamedTensor> outputs) {
    List<NamedTensor> next = new ArrayList<>(states.size());
    for (State state : states) {
      for (NamedTensor output : outputs) {
        if (output.name().equals(state.output())) {
          next.add(new NamedTensor(state.input(), copy(output.tensor())));
        }
      }
    }
    return next;
  }

  /** The answer is a view of its batch's memory, which must not live as long as a state. */
  private static Tensor copy(Tensor tensor) {
    byte[] bytes = tensor.data().toArray(ValueLayout.JAVA_BYTE);
    return new Tensor(tensor.type(), tensor.shape(), MemorySegment.ofArray(bytes));
  }

  private static Signature served(Signature all, List<State> states) {
    Set<String> inputs = states.stream().map(State::input).collect(Collectors.toSet());
    Set<String> outputs = states.stream().map(State::output).collect(Collectors.toSet());
    return new Signature(
        all.inputs().stream().filter(spec -> !inputs.contains(spec.name())).toList(),
        all.outputs().stream().filter(spec -> !outputs.contains(spec.name())).toList(),
        all.batched());
  }

  private static List<NamedTensor> fixed(Signature graph, Map<String, Long> values)
      throws ModelLoadException {
    List<NamedTensor> fixed = new ArrayList<>();
    for (Map.Entry<String, Long> value : values.entrySet()) {
      TensorSpec spec = graph.input(value.getKey()).orElse(null);
      if (spec == null || !spec.shape().isConcrete() || spec.type() == DataType.BYTES) {
        throw new ModelLoadException(
            "fixed_inputs: \"%s\"%s (expected: an input of numbers of a fixed shape)"
                .formatted(
                    value.getKey(), spec == null ? "" : " " + spec.type() + " " + spec.shape()));
      }
      fixed.add(new NamedTensor(spec.name(), filled(spec, value.getValue())));
    }
    return fixed;
  }

  private static Tensor filled(TensorSpec spec, long value) {
    byte[] element = InvarianceProbe.Padding.element(spec.type(), value);
    long bytes = spec.shape().elementCount() * element.length;
    MemorySegment data = Arena.ofAuto().allocate(Math.max(bytes, 1), Long.BYTES).asSlice(0, bytes);
    for (long at = 0; at < bytes; at += element.length) {
      MemorySegment.copy(MemorySegment.ofArray(element), 0, data, at, element.length);
    }
    return new Tensor(spec.type(), spec.shape(), data);
  }
}
