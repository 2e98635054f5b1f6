package meridian.node.lifecycle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import meridian.batching.BatchListener;
import meridian.batching.LatencyTable;
import meridian.batching.ModelQueue;
import meridian.batching.QueueSettings;
import meridian.core.backend.Backend;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.Signature;
import meridian.core.tensor.TensorSpec;
import meridian.core.time.NanoClock;
import meridian.node.config.ModelSettings;
import meridian.node.repository.ModelFiles;
import meridian.node.version.ServedVersion;
import meridian.node.version.VersionCounters;
import meridian.node.version.VersionFacts;
import meridian.pipeline.Pipeline;
import meridian.pipeline.text.TextPipeline;
import meridian.serving.telemetry.Metrics;
import org.jspecify.annotations.Nullable;

/** Puts together what a loaded graph and its settings make: pipeline, batching, queue, facts. */
final class VersionAssembly {

  private static final String TOKENIZER = "tokenizer.json";

  private final LoadOrder order;
  private final ModelSettings settings;
  private final LoadedModel model;
  private final Holdings holdings;
  private final Signature graph;
  private final BatchingRule batching;
  private final @Nullable Pipeline pipeline;
  private final VersionCounters counters = new VersionCounters();

  /**
   * @param holdings to which all that is taken here is added
   * @throws ModelLoadException if settings, graph and pipeline do not fit together
   */
  VersionAssembly(LoadOrder order, LoadedModel model, Holdings holdings) throws ModelLoadException {
    this.order = order;
    this.settings = order.settings();
    this.model = model;
    this.holdings = holdings;
    this.graph = settings.fit(model.signature());
    this.batching = BatchingRule.of(settings, graph, model);
    this.pipeline = openPipeline();
  }

  List<Integer> warm(NanoClock clock, long limitNanos) throws ModelLoadException {
    int mostRows = pipeline != null && batching.separateRows() ? 1 : batching.maxRows();
    return new WarmUp(model, graph, settings.warmUp(), clock, limitNanos).run(mostRows);
  }

  ServedVersion serve(Surroundings around, List<Integer> warmRows) throws ModelLoadException {
    VersionFacts facts = facts(around.backend(), around.lanes().count(), warmRows);
    String name = facts.model();
    ModelQueue queue =
        around
            .lanes()
            .open(
                queueSettings(name),
                new LatencyTable(),
                model::run,
                listener(around.metrics(), name));
    holdings.add(around.metrics().watchQueue(name, queue::depthRows)::close);
    return new ServedVersion(facts, pipeline, queue, counters, holdings::close);
  }

  private @Nullable Pipeline openPipeline() throws ModelLoadException {
    if (settings.text() == null) {
      return null;
    }
    Pipeline opened =
        TextPipeline.open(tokenizer(), settings.text(), graph, batching.separateRows());
    holdings.add(opened::close);
    return opened;
  }

  /** In the version's folder, else beside the version folders. */
  private Path tokenizer() throws ModelLoadException {
    Path modelFolder = order.model().folder();
    Path versionFolder = order.version().folder();
    boolean ofVersion = Files.exists(versionFolder.resolve(TOKENIZER));
    return ModelFiles.resolve(
        modelFolder, ofVersion ? versionFolder : modelFolder, "pipeline.text", TOKENIZER);
  }

  private QueueSettings queueSettings(String name) {
    return new QueueSettings(
        name,
        batching.maxRows(),
        batching.mixing(),
        settings.batching().maxQueueRows(),
        settings.batching().maxQueueBytes(),
        Long.MAX_VALUE,
        settings.batching().defaultPriority());
  }

  private BatchListener listener(Metrics metrics, String name) {
    return (rows, _, _, modelNanos) -> {
      counters.executed(rows, modelNanos);
      metrics.batch(name, rows);
    };
  }

  private VersionFacts facts(Backend backend, int lanes, List<Integer> warmRows)
      throws ModelLoadException {
    Signature signature = pipeline == null ? graph : pipeline.signature();
    return new VersionFacts(
        order.model().name(),
        order.version().number(),
        signature,
        pipeline == null ? Set.of() : pipeline.graphOutputs(),
        configuration(backend, signature, lanes),
        backend.platform(),
        properties(warmRows),
        LabelFiles.read(order.model(), settings.labels(), signature),
        pipeline == null ? batching.maxRows() : Integer.MAX_VALUE,
        settings.limits().defaultTimeoutNanos(),
        settings.limits().maxRequestBytes());
  }

  private ModelConfiguration configuration(Backend backend, Signature signature, int lanes) {
    return new ModelConfiguration(
        order.model().name(),
        backend.platform(),
        backend.name(),
        settings.versions(),
        signature.batched() ? batching.maxRows() : 0,
        withoutRows(signature.inputs(), signature.batched()),
        withoutRows(signature.outputs(), signature.batched()),
        settings.labels(),
        lanes,
        settings.file(),
        settings.parameters());
  }

  private Map<String, String> properties(List<Integer> warmRows) {
    Map<String, String> properties = new TreeMap<>(model.properties());
    if (pipeline != null) {
      properties.putAll(pipeline.properties());
    }
    properties.putAll(batching.properties());
    properties.put("warm_rows", warmRows.toString());
    return properties;
  }

  private static List<TensorSpec> withoutRows(List<TensorSpec> specs, boolean batched) {
    return batched
        ? specs.stream()
            .map(
                spec ->
                    new TensorSpec(spec.name(), spec.type(), spec.shape().row(), spec.optional()))
            .toList()
        : specs;
  }
}
