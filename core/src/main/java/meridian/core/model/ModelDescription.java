package meridian.core.model;

import java.util.List;
import java.util.Map;

/**
 * A version as its metadata shows it.
 *
 * @param versions all that are served under the name, ascending
 * @param platform such as {@code onnxruntime_onnx}
 * @param properties what else a user may want to know: {@code batch_invariant}, limits, provider
 */
public record ModelDescription(
    String name,
    String version,
    List<String> versions,
    String platform,
    Signature signature,
    Map<String, String> properties) {

  public ModelDescription {
    versions = List.copyOf(versions);
    properties = Map.copyOf(properties);
  }
}
