package meridian.node.version;

import java.util.Map;
import java.util.Set;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.Signature;

/**
 * What is known of a version once it is loaded.
 *
 * @param signature what requests carry and answers hold
 * @param graphOutputs what a pipeline reads of the graph; empty without a pipeline
 * @param configuration in effect
 * @param platform such as {@code onnxruntime_onnx}
 * @param properties for the metadata
 * @param maxRows the most rows of a request: what its queue has room for; no bound without rows
 * @param defaultTimeoutNanos for requests without a deadline; 0 for none
 * @param maxRequestBytes the most input bytes of one request
 */
public record VersionFacts(
    String model,
    long number,
    Signature signature,
    Set<String> graphOutputs,
    ModelConfiguration configuration,
    String platform,
    Map<String, String> properties,
    Labels labels,
    long maxRows,
    long defaultTimeoutNanos,
    long maxRequestBytes) {

  public VersionFacts {
    graphOutputs = Set.copyOf(graphOutputs);
    properties = Map.copyOf(properties);
  }
}
