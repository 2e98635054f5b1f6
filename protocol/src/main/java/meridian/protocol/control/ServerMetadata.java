package meridian.protocol.control;

import java.util.List;

/**
 * What a server says of itself.
 *
 * @param extensions of the protocol that it speaks
 */
public record ServerMetadata(String name, String version, List<String> extensions) {

  /** The extensions whose messages this module reads and writes. */
  public static final List<String> EXTENSIONS =
      List.of(
          "binary_tensor_data",
          "classification",
          "model_configuration",
          "model_repository",
          "model_repository(unload_dependents)",
          "parameters",
          "schedule_policy",
          "statistics");

  public ServerMetadata {
    extensions = List.copyOf(extensions);
  }
}
