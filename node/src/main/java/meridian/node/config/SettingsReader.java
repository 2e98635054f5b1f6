package meridian.node.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import meridian.core.backend.Backend;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.VersionPolicy;
import meridian.core.tensor.Shape;
import meridian.node.config.ModelSettings.Batching;
import meridian.node.config.ModelSettings.Execution;
import meridian.node.config.ModelSettings.Limits;
import meridian.node.config.ModelSettings.PaddingSettings;
import meridian.node.config.ModelSettings.SequenceSettings;
import meridian.node.config.ModelSettings.StateSettings;
import meridian.node.config.ModelSettings.WarmUpSettings;
import meridian.node.repository.ModelFiles;
import org.jspecify.annotations.Nullable;

/**
 * Joins what a model's sources say. {@code model.yaml} goes over {@code config.pbtxt}, the
 * configuration that came with a load request over both, and the node's defaults are below.
 */
public final class SettingsReader {

  private static final String MODEL_FILE = "model.onnx";
  private static final long IDLE_TIMEOUT_MILLIS = 60_000;
  private static final int MOST_SEQUENCES = 10_000;
  private static final long MOST_STATE_BYTES = 256L << 20;
  private static final int MOST_WAITING = 64;

  private final String platform;
  private final String backend;
  private final NodeDefaults defaults;

  public SettingsReader(Backend backend, NodeDefaults defaults) {
    this.platform = backend.platform();
    this.backend = backend.name();
    this.defaults = defaults;
  }

  /**
   * @param folder of the model
   * @param configJson in place of config.pbtxt; null to read that
   * @throws ModelLoadException with file, line and field
   */
  public ModelSettings read(String model, Path folder, @Nullable String configJson)
      throws ModelLoadException {
    String yaml = ModelFiles.text(folder, ModelYaml.FILE);
    SettingsLayer own = yaml == null ? SettingsLayer.EMPTY : ModelYaml.read(yaml);
    TritonSettings triton = triton(folder, configJson);
    triton.requireFor(model, platform, backend);
    SettingsLayer theirs = triton.layer();
    SettingsLayer joined = configJson == null ? own.over(theirs) : theirs.over(own);
    return settings(joined, triton, claims(joined, triton));
  }

  private static TritonSettings triton(Path folder, @Nullable String configJson)
      throws ModelLoadException {
    if (configJson != null) {
      return new TritonSettings(JsonConfig.read(configJson), JsonConfig.SOURCE);
    }
    String pbtxt = ModelFiles.text(folder, PbtxtConfig.FILE);
    TritonConfig config = pbtxt == null ? TritonConfig.EMPTY : PbtxtConfig.read(pbtxt);
    return new TritonSettings(config, PbtxtConfig.FILE);
  }

  static GraphClaims claims(SettingsLayer joined, TritonSettings triton) throws ModelLoadException {
    Integer maxRows = joined.batchingOrEmpty().maxRows();
    boolean claimsRows = (maxRows != null && maxRows > 1) || triton.hasBatchDimension();
    String source = triton.hasBatchDimension() ? "max_batch_size" : "batching.max_rows";
    return new GraphClaims(
        triton.declared(), claimsRows ? source + ": " + Objects.requireNonNull(maxRows) : "");
  }

  private ModelSettings settings(SettingsLayer joined, TritonSettings triton, GraphClaims claims) {
    return new ModelSettings(
        orElse(joined.file(), MODEL_FILE),
        orElse(joined.versions(), VersionPolicy.latest()),
        batching(joined.batchingOrEmpty()),
        execution(joined.executionOrEmpty()),
        warmUp(joined.warmUpOrEmpty()),
        joined.pipeline() == null ? null : joined.pipeline().text(),
        joined.sequence() == null ? null : sequence(joined.sequence()),
        orElse(joined.fixedInputs(), Map.of()),
        orElse(joined.labels(), Map.of()),
        limits(joined.limitsOrEmpty()),
        triton.parameters(),
        triton.unused(),
        claims);
  }

  private Batching batching(SettingsLayer.Batching layer) {
    return new Batching(
        orElse(layer.maxRows(), defaults.maxRows()),
        orElse(layer.mixing(), Mixing.AUTO),
        padding(layer.padding()),
        orElse(layer.maxQueueRows(), defaults.maxQueueRows()),
        orElse(layer.maxQueueBytes(), defaults.maxQueueBytes()),
        layer.maxQueueMs() == null
            ? defaults.maxQueueTime().toNanos()
            : TimeUnit.MILLISECONDS.toNanos(layer.maxQueueMs()),
        orElse(layer.defaultPriority(), defaults.priority()));
  }

  private static PaddingSettings padding(SettingsLayer.@Nullable Padding layer) {
    return layer == null
        ? PaddingSettings.NONE
        : new PaddingSettings(
            orElse(layer.inputs(), Map.of()),
            orElse(layer.outputs(), List.of()),
            orElse(layer.edges(), List.of()));
  }

  private Execution execution(SettingsLayer.Execution layer) {
    return new Execution(
        orElse(layer.providers(), defaults.providers()),
        orElse(layer.threads(), defaults.threads()));
  }

  private static WarmUpSettings warmUp(SettingsLayer.WarmUp layer) {
    return new WarmUpSettings(orElse(layer.rows(), List.of()), orElse(layer.shapes(), Map.of()));
  }

  private static SequenceSettings sequence(SettingsLayer.Sequence layer) {
    return new SequenceSettings(
        orElse(layer.states(), List.<SettingsLayer.State>of()).stream()
            .map(
                state ->
                    new StateSettings(
                        orElse(state.input(), ""),
                        orElse(state.output(), ""),
                        orElse(state.axis(), 0),
                        state.dataType(),
                        shape(state.dims())))
            .toList(),
        TimeUnit.MILLISECONDS.toNanos(orElse(layer.idleTimeoutMs(), IDLE_TIMEOUT_MILLIS)),
        orElse(layer.maxSequences(), MOST_SEQUENCES),
        orElse(layer.maxStateBytes(), MOST_STATE_BYTES),
        orElse(layer.maxWaiting(), MOST_WAITING));
  }

  private static @Nullable Shape shape(@Nullable List<Long> dims) {
    return dims == null ? null : Shape.of(dims.stream().mapToLong(Long::longValue).toArray());
  }

  private static Limits limits(SettingsLayer.Limits layer) {
    return new Limits(
        TimeUnit.MILLISECONDS.toNanos(orElse(layer.defaultTimeoutMs(), 0L)),
        orElse(layer.maxRequestBytes(), Long.MAX_VALUE));
  }

  private static <T> T orElse(@Nullable T value, T otherwise) {
    return value != null ? value : otherwise;
  }
}
