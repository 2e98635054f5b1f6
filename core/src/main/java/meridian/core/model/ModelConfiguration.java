package meridian.core.model;

import java.util.List;
import java.util.Map;
import meridian.core.tensor.TensorSpec;

/**
 * The effective configuration of a version, as the config endpoint gives it.
 *
 * @param maxBatchSize the most rows of one execution; 0 when requests are never joined
 * @param inputs without the batch dimension when {@code maxBatchSize} is above 0, as {@code
 *     outputs}
 * @param labelFiles label file by output name
 * @param instances lanes that may execute the model at once
 */
public record ModelConfiguration(
    String name,
    String platform,
    String backend,
    VersionPolicy versionPolicy,
    int maxBatchSize,
    List<TensorSpec> inputs,
    List<TensorSpec> outputs,
    Map<String, String> labelFiles,
    int instances,
    String defaultModelFilename,
    Map<String, String> parameters) {

  public ModelConfiguration {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    labelFiles = Map.copyOf(labelFiles);
    parameters = Map.copyOf(parameters);
  }
}
