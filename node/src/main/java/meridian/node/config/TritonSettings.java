package meridian.node.config;

import com.google.protobuf.Descriptors.FieldDescriptor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.VersionPolicy;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.proto.ModelConfig;
import meridian.proto.ModelDynamicBatching;
import meridian.proto.ModelInput;
import meridian.proto.ModelOutput;
import meridian.proto.ModelWarmup;
import org.jspecify.annotations.Nullable;

/** What a configuration in Triton's form means here. */
final class TritonSettings {

  private static final String TYPE_PREFIX = "TYPE_";
  private static final long MAX_WARM_ROWS = 1 << 16;

  private final ModelConfig config;
  private final String source;
  private final List<String> unused;

  /**
   * @param source what to call the configuration in a message
   */
  TritonSettings(TritonConfig config, String source) {
    this.config = config.message();
    this.source = source;
    this.unused = new ArrayList<>(config.unused());
    noteUnused();
  }

  /** Refuses a configuration that is for another model or another engine. */
  void requireFor(String model, String platform, String backend) throws ModelLoadException {
    require("name", config.getName(), model, "the folder's name");
    require("platform", config.getPlatform(), platform, "what runs here");
    require("backend", config.getBackend(), backend, "what runs here");
    if (config.getMaxBatchSize() < 0) {
      throw new ModelLoadException(
          "%s: max_batch_size: %d (expected: 0 or more)"
              .formatted(source, config.getMaxBatchSize()));
    }
  }

  SettingsLayer layer() throws ModelLoadException {
    try {
      return new SettingsLayer(
          nonEmpty(config.getDefaultModelFilename()),
          versions(),
          batching(),
          null,
          warmUp(),
          null,
          TritonSequences.layer(config.getSequenceBatching()),
          null,
          labels(),
          limits());
    } catch (IllegalArgumentException e) {
      throw new ModelLoadException(source + ": " + e.getMessage(), e);
    }
  }

  DeclaredTensors declared() throws ModelLoadException {
    List<DeclaredTensor> inputs = new ArrayList<>();
    for (ModelInput input : config.getInputList()) {
      String path = source + ": input[" + inputs.size() + "]";
      inputs.add(
          declared(
              path,
              input.getName(),
              input.getDataType().name(),
              input.getDimsList(),
              input.getOptional()));
    }
    List<DeclaredTensor> outputs = new ArrayList<>();
    for (ModelOutput output : config.getOutputList()) {
      String path = source + ": output[" + outputs.size() + "]";
      outputs.add(
          declared(
              path, output.getName(), output.getDataType().name(), output.getDimsList(), false));
    }
    return new DeclaredTensors(inputs, outputs, hasBatchDimension() || !anyShape(inputs, outputs));
  }

  boolean hasBatchDimension() {
    return config.getMaxBatchSize() > 0;
  }

  Map<String, String> parameters() {
    Map<String, String> parameters = new TreeMap<>();
    config
        .getParametersMap()
        .forEach((name, parameter) -> parameters.put(name, parameter.getStringValue()));
    return parameters;
  }

  List<String> unused() {
    return unused;
  }

  private void require(String field, String value, String expected, String why)
      throws ModelLoadException {
    if (!value.isEmpty() && !value.equals(expected)) {
      throw new ModelLoadException(
          "%s: %s: \"%s\" (expected: \"%s\", %s)".formatted(source, field, value, expected, why));
    }
  }

  private @Nullable VersionPolicy versions() {
    return switch (config.getVersionPolicy().getPolicyChoiceCase()) {
      case LATEST ->
          new VersionPolicy.Latest(config.getVersionPolicy().getLatest().getNumVersions());
      case ALL -> new VersionPolicy.All();
      case SPECIFIC ->
          new VersionPolicy.Specific(config.getVersionPolicy().getSpecific().getVersionsList());
      case POLICYCHOICE_NOT_SET -> null;
    };
  }

  private SettingsLayer.Batching batching() {
    ModelDynamicBatching dynamic = config.getDynamicBatching();
    int maxRows = config.getMaxBatchSize();
    long queue = Integer.toUnsignedLong(dynamic.getDefaultQueuePolicy().getMaxQueueSize());
    long priority = dynamic.getDefaultPriorityLevel();
    return new SettingsLayer.Batching(
        maxRows > 0 ? maxRows : null,
        maxRows > 0 && !batchesRequests() ? Mixing.EXACT : null,
        null,
        queue > 0 ? queue : null,
        null,
        null,
        priority > 0 ? Math.toIntExact(Math.min(priority, Integer.MAX_VALUE)) : null);
  }

  /** Triton's sequence batcher joins requests of several sequences. */
  private boolean batchesRequests() {
    return config.hasDynamicBatching() || config.getSequenceBatching().getStateCount() > 0;
  }

  private SettingsLayer.Limits limits() {
    long micros =
        config.getDynamicBatching().getDefaultQueuePolicy().getDefaultTimeoutMicroseconds();
    return new SettingsLayer.Limits(
        micros > 0 ? Math.max(1, TimeUnit.MICROSECONDS.toMillis(micros)) : null, null);
  }

  private SettingsLayer.@Nullable WarmUp warmUp() {
    if (config.getModelWarmupCount() == 0) {
      return null;
    }
    List<Integer> rows = new ArrayList<>();
    Map<String, List<Long>> shapes = new LinkedHashMap<>();
    for (ModelWarmup sample : config.getModelWarmupList()) {
      long count = Integer.toUnsignedLong(sample.getBatchSize());
      rows.add((int) Math.clamp(count, 1, MAX_WARM_ROWS));
      sample.getInputsMap().forEach((name, input) -> shapes.put(name, input.getDimsList()));
    }
    return new SettingsLayer.WarmUp(rows.stream().distinct().sorted().toList(), shapes);
  }

  private @Nullable Map<String, String> labels() {
    Map<String, String> labels = new LinkedHashMap<>();
    for (ModelOutput output : config.getOutputList()) {
      if (!output.getLabelFilename().isEmpty()) {
        labels.put(output.getName(), output.getLabelFilename());
      }
    }
    return labels.isEmpty() ? null : labels;
  }

  private DeclaredTensor declared(
      String path, String name, String protoType, List<Long> dims, boolean optional)
      throws ModelLoadException {
    if (name.isEmpty()) {
      throw new ModelLoadException(path + ".name: missing (expected: a name of the graph)");
    }
    DataType type = type(protoType);
    if (type == null) {
      return new DeclaredTensor(path, name, null, null, optional);
    }
    Shape shape = shape(path, dims);
    return new DeclaredTensor(
        path, name, type, hasBatchDimension() ? shape.batchOf(Shape.ANY) : shape, optional);
  }

  private static boolean anyShape(List<DeclaredTensor> inputs, List<DeclaredTensor> outputs) {
    return Stream.concat(inputs.stream(), outputs.stream())
        .anyMatch(tensor -> tensor.shape() != null);
  }

  private static Shape shape(String path, List<Long> dims) throws ModelLoadException {
    try {
      return Shape.of(dims.stream().mapToLong(Long::longValue).toArray());
    } catch (IllegalArgumentException e) {
      throw new ModelLoadException(path + ".dims: " + e.getMessage(), e);
    }
  }

  static @Nullable DataType type(String protoType) {
    String name = protoType.substring(TYPE_PREFIX.length());
    return name.equals("STRING") ? DataType.BYTES : DataType.named(name);
  }

  private void noteUnused() {
    note("instance_group", config.getInstanceGroupCount() > 0);
    ModelDynamicBatching dynamic = config.getDynamicBatching();
    for (FieldDescriptor field : dynamic.getAllFields().keySet()) {
      note(
          "dynamic_batching." + field.getName(),
          !List.of("default_priority_level", "default_queue_policy").contains(field.getName()));
    }
    note(
        "sequence_batching",
        config.hasSequenceBatching() && config.getSequenceBatching().getStateCount() == 0);
    note("input.format", config.getInputList().stream().anyMatch(in -> in.getFormatValue() != 0));
  }

  private void note(String field, boolean set) {
    if (set) {
      unused.add(field);
    }
  }

  private static @Nullable String nonEmpty(String text) {
    return text.isEmpty() ? null : text;
  }
}
