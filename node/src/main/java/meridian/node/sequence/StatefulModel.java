package meridian.node.sequence;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import meridian.core.backend.InvarianceProbe;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Rows;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.node.config.ModelSettings.StateSettings;
import org.jspecify.annotations.Nullable;

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
    List<State> found = State.all(states, graph.signature());
    requireOnce(found, fixed.keySet());
    RowsFirst model = new RowsFirst(graph, found, fixed(graph.signature(), fixed));
    return new StatefulModel(model, found, served(model.signature(), found));
  }

  /** The outputs wanted, and with them the states. */
  public Set<String> withStates(Set<String> wanted) {
    Set<String> all = states.stream().map(State::output).collect(Collectors.toSet());
    all.addAll(wanted);
    return all;
  }

  /** What the states of a sequence take. */
  public long stateBytes(int rows) {
    long bytes = 0;
    for (State state : states) {
      bytes += rows * state.rowBytes();
    }
    return bytes;
  }

  /** The states of a sequence that begins. */
  public List<NamedTensor> zeros(int rows) {
    List<NamedTensor> zeros = new ArrayList<>(states.size());
    for (State state : states) {
      Shape shape = state.row().batchOf(rows);
      MemorySegment data = Rows.HEAP.allocate(rows * state.rowBytes(), 1);
      zeros.add(new NamedTensor(state.input(), new Tensor(state.type(), shape, data)));
    }
    return zeros;
  }

  /** Names a state that came out of an execution in another shape than it goes in, or null. */
  public @Nullable Problem misshapen(List<NamedTensor> outputs, int rows) {
    for (State state : states) {
      Shape expected = state.row().batchOf(rows);
      for (NamedTensor output : outputs) {
        if (output.name().equals(state.output()) && !output.tensor().shape().equals(expected)) {
          return Problem.of(
              ErrorCode.INTERNAL,
              "outputs[\"%s\"].shape: %s from the model, rows in front (expected: %s, as \"%s\" takes)"
                  .formatted(output.name(), output.tensor().shape(), expected, state.input()));
        }
      }
    }
    return null;
  }

  /**
   * The states after an execution, as its next inputs: copies, since the outputs are views of their
   * batch's memory, which must not live as long as a state.
   */
  public List<NamedTensor> next(List<NamedTensor> outputs) {
    List<NamedTensor> next = new ArrayList<>(states.size());
    for (State state : states) {
      for (NamedTensor output : outputs) {
        if (output.name().equals(state.output())) {
          next.add(new NamedTensor(state.input(), Rows.copy(output.tensor(), Rows.HEAP)));
        }
      }
    }
    return next;
  }

  private static void requireOnce(List<State> states, Set<String> fixed) throws ModelLoadException {
    Set<String> inputs = new HashSet<>(fixed);
    Set<String> outputs = new HashSet<>();
    for (int i = 0; i < states.size(); i++) {
      State state = states.get(i);
      if (!inputs.add(state.input())) {
        throw taken(i, "input", state.input());
      }
      if (!outputs.add(state.output())) {
        throw taken(i, "output", state.output());
      }
    }
  }

  private static ModelLoadException taken(int index, String side, String name) {
    return new ModelLoadException(
        "sequence.states[%d].%s: \"%s\" is taken (expected: each %s in one state%s)"
            .formatted(index, side, name, side, side.equals("input") ? " or in fixed_inputs" : ""));
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
