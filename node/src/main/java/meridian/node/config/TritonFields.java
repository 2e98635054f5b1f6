package meridian.node.config;

import static java.util.Map.entry;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Triton's fields that the protocol definition here leaves out, as {@code Message.field}. */
final class TritonFields {

  /** They tune Triton, or say what holds here anyway. */
  private static final Set<String> WITHOUT_MEANING =
      Set.of(
          "ModelConfig.runtime",
          "ModelConfig.optimization",
          "ModelConfig.cc_model_filenames",
          "ModelConfig.metric_tags",
          "ModelConfig.model_operations",
          "ModelConfig.model_transaction_policy",
          "ModelConfig.model_repository_agents",
          "ModelConfig.response_cache",
          "ModelConfig.model_metrics",
          "ModelInput.is_non_linear_format_io",
          "ModelOutput.is_non_linear_format_io",
          "ModelInstanceGroup.rate_limiter",
          "ModelInstanceGroup.secondary_devices",
          "ModelInstanceGroup.profile",
          "ModelInstanceGroup.passive",
          "ModelInstanceGroup.host_policy",
          "ModelDynamicBatching.priority_queue_policy",
          "ModelSequenceBatching.direct",
          "ModelSequenceBatching.oldest",
          "ModelSequenceState.use_same_buffer_for_input_output",
          "ModelSequenceState.use_growable_memory");

  /** To pass over them would give other answers than Triton gives. */
  private static final Map<String, String> NOT_SUPPORTED =
      Map.ofEntries(
          entry("ModelConfig.ensemble_scheduling", "ensembles are not supported"),
          entry("ModelConfig.batch_input", "batch inputs are not supported"),
          entry("ModelConfig.batch_output", "batch outputs are not supported"),
          entry("ModelInput.reshape", "reshaping is not supported: give the graph's own dims"),
          entry("ModelOutput.reshape", "reshaping is not supported: give the graph's own dims"),
          entry("ModelInput.is_shape_tensor", "shape tensors are not supported"),
          entry("ModelOutput.is_shape_tensor", "shape tensors are not supported"),
          entry("ModelInput.allow_ragged_batch", "ragged batches are not supported"),
          entry("ModelSequenceBatching.control_input", "control inputs are not supported"),
          entry("ModelSequenceBatching.iterative_sequence", "iteration is not supported"),
          entry("ModelSequenceInitialState.data_file", "states begin with zeros here"));

  private TritonFields() {}

  static boolean isWithoutMeaning(String field) {
    return WITHOUT_MEANING.contains(field);
  }

  /** Why a configuration with this field cannot be taken. */
  static String refusal(String field, Collection<String> known) {
    String reason = NOT_SUPPORTED.get(field);
    if (reason != null) {
      return reason;
    }
    Optional<String> nearest = NearestName.among(known, field.substring(field.indexOf('.') + 1));
    return "unknown field" + nearest.map(name -> " (expected: " + name + "?)").orElse("");
  }
}
