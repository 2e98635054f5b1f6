package meridian.serving.telemetry;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.instrumentation.jvm.JvmBufferPoolMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmClassLoadingMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmCompilationMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmGarbageCollectorMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmMemoryPoolAllocationMetrics;
import io.prometheus.metrics.instrumentation.jvm.JvmRuntimeInfoMetric;
import io.prometheus.metrics.instrumentation.jvm.JvmThreadsMetrics;
import io.prometheus.metrics.instrumentation.jvm.ProcessMetrics;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import meridian.core.error.ErrorCode;
import meridian.core.latency.ExecutionTimes;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.model.ModelState;
import org.jspecify.annotations.Nullable;

/**
 * Every metric of a server, by name, in a registry of its own. Histograms are native ones, with a
 * few classic buckets for readers of the text format.
 *
 * <p>A model or version that {@link #modelState} has not named is counted as {@value #UNKNOWN}, so
 * that strangers cannot make series by inventing names. Safe for use by many threads.
 */
public final class Metrics {

  /** The label of what no repository knows. */
  public static final String UNKNOWN = "unknown";

  static final String REQUEST_SECONDS = "meridian_request_seconds";
  static final String STAGE_SECONDS = "meridian_stage_seconds";
  static final String BATCH_SIZE = "meridian_batch_size";
  static final String REJECTED = "meridian_rejected_total";
  static final String MODEL_STATE = "meridian_model_state";
  static final String MODEL_LOAD_SECONDS = "meridian_model_load_seconds";
  static final String EXECUTION_SECONDS = "meridian_execution_seconds";
  static final String SEQUENCES_FORGOTTEN = "meridian_sequences_forgotten_total";

  private static final String OK = "ok";
  private static final double NANOS = 1e9;
  private static final double[] SECONDS = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10
  };
  private static final double[] LOAD_SECONDS = {0.1, 0.5, 1, 5, 10, 30, 60, 300};
  private static final double[] ROWS = {1, 2, 4, 8, 16, 32, 64, 128, 256};

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final ExpositionFormats formats = ExpositionFormats.init();
  private final KnownModels known = new KnownModels();
  private final Map<Watched, Watches> watches = new EnumMap<>(Watched.class);
  private final ExecutionTimesSeries executionTimes = new ExecutionTimesSeries();
  private final Map<String, StageSeries> stagesByModel = new ConcurrentHashMap<>();

  private final Histogram requests =
      histogram(
          REQUEST_SECONDS,
          "Time from the request's headers to its answer.",
          SECONDS,
          "model",
          "version",
          "protocol",
          "code");
  private final Histogram stages =
      histogram(STAGE_SECONDS, "The parts of that time.", SECONDS, "model", "stage");
  private final Histogram batches = histogram(BATCH_SIZE, "Rows of each execution.", ROWS, "model");
  private final Histogram loads =
      histogram(
          MODEL_LOAD_SECONDS, "Time from reading to warm of a version.", LOAD_SECONDS, "model");
  private final Counter rejected =
      Counter.builder()
          .name(REJECTED)
          .help("Requests refused before they reached the model.")
          .labelNames("model", "reason")
          .withoutExemplars()
          .register(registry);
  private final Counter sequencesForgotten =
      Counter.builder()
          .name(SEQUENCES_FORGOTTEN)
          .help("Sequences whose state was dropped before their end.")
          .labelNames("model")
          .withoutExemplars()
          .register(registry);
  private final Gauge states =
      Gauge.builder()
          .name(MODEL_STATE)
          .help("1 for the state a version is in.")
          .labelNames("model", "version", "state")
          .withoutExemplars()
          .register(registry);

  private Metrics() {
    for (Watched what : Watched.values()) {
      watches.put(what, gauge(what));
    }
    GaugeWithCallback.builder()
        .name(EXECUTION_SECONDS)
        .help("What an execution is expected to take, with inputs of the shapes used last.")
        .labelNames("model", "version", "rows", "quantile")
        .callback(executionTimes::show)
        .register(registry);
    registerJvm();
  }

  public static Metrics create() {
    return new Metrics();
  }

  /**
   * All that the library knows but native memory: that is off unless the VM tracks it, and only
   * asking starts the management of the whole VM, a fifth of a second at start.
   */
  private void registerJvm() {
    JvmThreadsMetrics.builder().register(registry);
    JvmBufferPoolMetrics.builder().register(registry);
    JvmClassLoadingMetrics.builder().register(registry);
    JvmCompilationMetrics.builder().register(registry);
    JvmGarbageCollectorMetrics.builder().register(registry);
    JvmMemoryPoolAllocationMetrics.builder().register(registry);
    JvmMemoryMetrics.builder().register(registry);
    JvmRuntimeInfoMetric.builder().register(registry);
    ProcessMetrics.builder().register(registry);
  }

  /**
   * Counts an answered request.
   *
   * @param version the one that answered or was asked for; null when neither is known
   * @param code null for a success
   */
  public void request(
      String model,
      @Nullable String version,
      Protocol protocol,
      @Nullable ErrorCode code,
      LatencyBreakdown latency) {
    String modelLabel = known.model(model);
    requests
        .labelValues(
            modelLabel,
            known.version(model, version),
            protocol.label(),
            code == null ? OK : code.label())
        .observe(latency.totalNanos() / NANOS);
    stagesByModel.computeIfAbsent(modelLabel, this::stageSeries).observe(latency);
  }

  /** Counts an execution. */
  public void batch(String model, int rows) {
    batches.labelValues(known.model(model)).observe(rows);
  }

  /** Counts a request that was refused before it reached the model. */
  public void rejected(String model, ErrorCode reason) {
    rejected.labelValues(known.model(model), reason.label()).inc();
  }

  /** Counts a sequence that was dropped before its end. */
  public void sequenceForgotten(String model) {
    sequencesForgotten.labelValues(known.model(model)).inc();
  }

  /** Makes the version known, and shows its state. */
  public void modelState(String name, String version, ModelState state) {
    known.add(name, version);
    removeStates(name, version, state.name());
    states.labelValues(name, version, state.name()).set(1);
  }

  public void modelLoaded(String name, String version, long nanos) {
    known.add(name, version);
    loads.labelValues(name).observe(nanos / NANOS);
  }

  /** Forgets a version, and with the last one of a model every series of it. */
  public void modelGone(String name, String version) {
    removeStates(name, version, "");
    requests.removeIf(labels -> labels.get(0).equals(name) && labels.get(1).equals(version));
    if (known.remove(name, version)) {
      stagesByModel.remove(name);
      requests.removeIf(labels -> labels.getFirst().equals(name));
      stages.removeIf(labels -> labels.getFirst().equals(name));
      batches.removeIf(labels -> labels.getFirst().equals(name));
      loads.removeIf(labels -> labels.getFirst().equals(name));
      rejected.removeIf(labels -> labels.getFirst().equals(name));
      sequencesForgotten.removeIf(labels -> labels.getFirst().equals(name));
    }
  }

  /** Shows how long executions of a version take until closed. */
  public Watch watchExecutionTimes(String model, String version, Supplier<ExecutionTimes> times) {
    return executionTimes.add(model, version, times);
  }

  /**
   * Shows a value until closed.
   *
   * @param label the model or area that it is of; empty where there is one of it
   */
  public Watch watch(Watched what, String label, LongSupplier value) {
    return Objects.requireNonNull(watches.get(what)).add(label, value);
  }

  /** All metrics in the format that an {@code Accept} header prefers; text when it is null. */
  public Exposition expose(@Nullable String accept) {
    ExpositionFormatWriter writer = formats.findWriter(accept);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    try {
      writer.write(body, registry.scrape());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Exposition(writer.getContentType(), body.toByteArray());
  }

  /** Stops the showing of a value. */
  public interface Watch extends AutoCloseable {
    @Override
    void close();
  }

  /** The body of a scrape. */
  public record Exposition(String contentType, byte[] body) {}

  private void removeStates(String name, String version, String except) {
    states.removeIf(
        labels ->
            labels.get(0).equals(name)
                && labels.get(1).equals(version)
                && !labels.get(2).equals(except));
  }

  private StageSeries stageSeries(String modelLabel) {
    return StageSeries.of(stage -> stages.labelValues(modelLabel, stage.label()));
  }

  private Histogram histogram(String name, String help, double[] bounds, String... labels) {
    return Histogram.builder()
        .name(name)
        .help(help)
        .labelNames(labels)
        .classicUpperBounds(bounds)
        .nativeMaxNumberOfBuckets(160)
        .withoutExemplars()
        .register(registry);
  }

  private Watches gauge(Watched what) {
    Watches values = new Watches();
    boolean labelled = what.labels().length > 0;
    GaugeWithCallback.builder()
        .name(what.metric())
        .help(what.help())
        .labelNames(what.labels())
        .callback(
            gauge ->
                values
                    .sums()
                    .forEach(
                        (label, sum) ->
                            gauge.call(sum, labelled ? new String[] {label} : new String[0])))
        .register(registry);
    return values;
  }
}
