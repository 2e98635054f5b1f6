package meridian.node.lifecycle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import meridian.batching.BatchListener;
import meridian.batching.ModelQueue;
import meridian.batching.Padding;
import meridian.batching.QueueSettings;
import meridian.core.backend.Backend;
import meridian.core.backend.LoadedModel;
import meridian.core.backend.ModelLoadException;
import meridian.core.latency.ExecutionTimes;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.Signature;
import meridian.core.tensor.TensorSpec;
import meridian.node.config.ModelSettings;
import meridian.node.config.ModelSettings.SequenceSettings;
import meridian.node.lifecycle.Preparation.Prepared;
import meridian.node.repository.ModelFiles;
import meridian.node.sequence.Sequencing;
import meridian.node.sequence.StatefulModel;
import meridian.node.version.ServedVersion;
import meridian.node.version.VersionCounters;
import meridian.node.version.VersionFacts;
import meridian.node.warmup.WarmUp;
import meridian.pipeline.Pipeline;
import meridian.pipeline.text.TextPipeline;
import meridian.serving.telemetry.Metrics;
import meridian.serving.telemetry.Watched;
import org.jspecify.annotations.Nullable;

/** Puts together what a loaded graph and its settings make: pipeline, batching, queue, facts. */
final class VersionAssembly {

  private static final String TOKENIZER = "tokenizer.json";

  private final LoadOrder order;
  private final Surroundings around;
  private final int threads;
  private final ModelSettings settings;
  private final LoadedModel model;
  private final Holdings holdings;
  private final @Nullable StatefulModel stateful;
  private final Signature graph;
  private final Signature served;
  private final PaddingRule padding;
  private final BatchingRule batching;
  private final @Nullable Pipeline pipeline;
  private final Preparation preparation;
  private final VersionCounters counters = new VersionCounters();
  private @Nullable Prepared prepared;

  /**
   * @param threads inside one execution
   * @param limitNanos for each of what is run before the first request
   * @param holdings to which all that is taken here is added
   * @throws ModelLoadException if settings, graph and pipeline do not fit together
   */
  VersionAssembly(
      LoadOrder order,
      LoadedModel model,
      int threads,
      Surroundings around,
      long limitNanos,
      Holdings holdings)
      throws ModelLoadException {
    this.order = order;
    this.around = around;
    this.threads = threads;
    this.settings = order.settings();
    this.stateful = stateful(model);
    this.model = stateful == null ? model : stateful.model();
    this.holdings = holdings;
    this.served = settings.fit(stateful == null ? model.signature() : stateful.served());
    this.graph = stateful == null ? served : this.model.signature();
    WarmUp.requireFitting(settings.warmUp(), graph);
    this.padding = PaddingRule.declared(settings.batching().padding(), graph);
    this.batching = BatchingRule.of(settings, graph, padding, this.model);
    this.pipeline = openPipeline();
    this.preparation = new Preparation(order, this.model, graph, around, limitNanos);
  }

  /**
   * Warms up and measures.
   *
   * @param known from an earlier load; what it lacks is measured
   */
  void prepare(ExecutionTimes known) throws ModelLoadException {
    prepared = preparation.run(mostRows(), lengths(), known);
  }

  /** The shortest execution measured of a version that is prepared; 0 where none was. */
  long shortestNanos() {
    return Objects.requireNonNull(prepared).table().snapshot().entries().stream()
        .mapToLong(ExecutionTimes.Entry::medianNanos)
        .min()
        .orElse(0);
  }

  /** An execution of the fewest rows that has the machine to itself; 0 if it fails. */
  long sampleNanos() throws ModelLoadException {
    return preparation.sampleNanos(mostRows());
  }

  private int mostRows() {
    return pipeline != null && batching.separateRows() ? 1 : batching.maxRows();
  }

  /** Opens the queue of a version that is prepared. */
  ServedVersion serve(PastLoads past) throws ModelLoadException {
    Prepared ready = Objects.requireNonNull(prepared);
    past.keepNew(threads, ready.table().snapshot());
    VersionFacts facts = facts(around.backend(), around.lanes().count(), ready);
    String name = facts.model();
    ModelQueue queue =
        around
            .lanes()
            .open(
                queueSettings(name, ready.padding()),
                ready.table(),
                model::run,
                listener(around.metrics(), name));
    holdings.add(() -> past.keep(threads, queue.executionTimes()));
    holdings.add(around.metrics().watch(Watched.QUEUE_DEPTH, name, queue::depthRows)::close);
    holdings.add(
        around
                .metrics()
                .watchExecutionTimes(name, Long.toString(facts.number()), queue::executionTimes)
            ::close);
    return new ServedVersion(facts, pipeline, sequencing(name), queue, counters, holdings::close);
  }

  private PaddingRule lengths() {
    if (!batching.mixing()) {
      return PaddingRule.of(Map.of(), graph);
    }
    return pipeline == null ? padding : PaddingRule.of(pipeline.padding(), graph);
  }

  private @Nullable StatefulModel stateful(LoadedModel loaded) throws ModelLoadException {
    SequenceSettings sequence = settings.sequence();
    if (sequence == null && settings.fixedInputs().isEmpty()) {
      return null;
    }
    if (settings.text() != null) {
      throw new ModelLoadException(
          "pipeline.text: beside a sequence or fixed_inputs (expected: one)");
    }
    return StatefulModel.of(
        loaded, sequence == null ? List.of() : sequence.states(), settings.fixedInputs());
  }

  private @Nullable Sequencing sequencing(String name) {
    SequenceSettings sequence = settings.sequence();
    return stateful == null || sequence == null
        ? null
        : new Sequencing(stateful, OpenSequences.of(name, sequence, around, holdings));
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

  private QueueSettings queueSettings(String name, Padding lengths) {
    return new QueueSettings(
        name,
        batching.maxRows(),
        batching.mixing(),
        model.steady(),
        lengths,
        settings.batching().maxQueueRows(),
        settings.batching().maxQueueBytes(),
        settings.batching().maxQueueNanos(),
        settings.batching().defaultPriority());
  }

  private BatchListener listener(Metrics metrics, String name) {
    return (rows, _, _, modelNanos) -> {
      counters.executed(rows, modelNanos);
      metrics.batch(name, rows);
    };
  }

  private VersionFacts facts(Backend backend, int lanes, Prepared prepared)
      throws ModelLoadException {
    Signature signature = pipeline == null ? served : pipeline.signature();
    return new VersionFacts(
        order.model().name(),
        order.version().number(),
        signature,
        pipeline == null ? Set.of() : pipeline.graphOutputs(),
        configuration(backend, signature, lanes),
        backend.platform(),
        properties(prepared),
        LabelFiles.read(order.model(), settings.labels(), signature),
        settings.batching().maxQueueRows(),
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

  private Map<String, String> properties(Prepared prepared) {
    Map<String, String> properties = new TreeMap<>(model.properties());
    if (pipeline != null) {
      properties.putAll(pipeline.properties());
    }
    properties.putAll(batching.properties());
    properties.put("threads", Integer.toString(threads));
    properties.put("warm_rows", prepared.rows().toString());
    if (!prepared.padding().edges().isEmpty()) {
      properties.put("padding_edges", prepared.padding().edges().toString());
    }
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
