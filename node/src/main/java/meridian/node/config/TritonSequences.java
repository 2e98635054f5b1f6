package meridian.node.config;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import meridian.proto.ModelSequenceBatching;
import meridian.proto.ModelSequenceInitialState;
import meridian.proto.ModelSequenceState;
import org.jspecify.annotations.Nullable;

/** What Triton's sequence batching means here: the states that it keeps implicitly. */
final class TritonSequences {

  private TritonSequences() {}

  /**
   * Null where no state is declared.
   *
   * @throws IllegalArgumentException if the states would be others than Triton's
   */
  static SettingsLayer.@Nullable Sequence layer(ModelSequenceBatching batching) {
    if (batching.getStateCount() == 0) {
      return null;
    }
    List<SettingsLayer.State> states = new ArrayList<>();
    for (ModelSequenceState state : batching.getStateList()) {
      states.add(layer("sequence_batching.state[" + states.size() + "]", state));
    }
    long micros = batching.getMaxSequenceIdleMicroseconds();
    return new SettingsLayer.Sequence(
        states,
        micros == 0 ? null : Math.max(1, TimeUnit.MICROSECONDS.toMillis(micros)),
        null,
        null,
        null);
  }

  private static SettingsLayer.State layer(String path, ModelSequenceState state) {
    requireName(path + ".input_name", state.getInputName());
    requireName(path + ".output_name", state.getOutputName());
    for (ModelSequenceInitialState initial : state.getInitialStateList()) {
      if (!initial.getZeroData()) {
        throw new IllegalArgumentException(
            path + ".initial_state.zero_data: false (expected: true, as all states begin here)");
      }
    }
    return new SettingsLayer.State(
        state.getInputName(),
        state.getOutputName(),
        0,
        TritonSettings.type(state.getDataType().name()),
        state.getDimsCount() == 0 ? null : state.getDimsList());
  }

  private static void requireName(String field, String name) {
    if (name.isEmpty()) {
      throw new IllegalArgumentException(field + ": missing (expected: a name of the graph)");
    }
  }
}
