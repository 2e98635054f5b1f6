package meridian.node.config;

import java.util.List;
import java.util.Map;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.model.VersionPolicy;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.pipeline.text.TextSettings;
import org.jspecify.annotations.Nullable;

/**
 * What one source says about a model, null where it says nothing. The components are the keys of
 * {@code model.yaml}.
 */
record SettingsLayer(
    @Nullable String file,
    @Nullable VersionPolicy versions,
    @Nullable Batching batching,
    @Nullable Execution execution,
    @Nullable WarmUp warmup,
    @Nullable Pipeline pipeline,
    @Nullable Sequence sequence,
    @Nullable Map<String, Long> fixedInputs,
    @Nullable Map<String, String> labels,
    @Nullable Limits limits) {

  static final SettingsLayer EMPTY =
      new SettingsLayer(null, null, null, null, null, null, null, null, null, null);

  /** This layer, and where it is silent the one below. */
  SettingsLayer over(SettingsLayer below) {
    return new SettingsLayer(
        first(file, below.file),
        first(versions, below.versions),
        batchingOrEmpty().over(below.batchingOrEmpty()),
        executionOrEmpty().over(below.executionOrEmpty()),
        warmUpOrEmpty().over(below.warmUpOrEmpty()),
        first(pipeline, below.pipeline),
        first(sequence, below.sequence),
        first(fixedInputs, below.fixedInputs),
        first(labels, below.labels),
        limitsOrEmpty().over(below.limitsOrEmpty()));
  }

  Batching batchingOrEmpty() {
    return batching == null ? Batching.EMPTY : batching;
  }

  Execution executionOrEmpty() {
    return execution == null ? Execution.EMPTY : execution;
  }

  WarmUp warmUpOrEmpty() {
    return warmup == null ? WarmUp.EMPTY : warmup;
  }

  Limits limitsOrEmpty() {
    return limits == null ? Limits.EMPTY : limits;
  }

  private static <T> @Nullable T first(@Nullable T value, @Nullable T below) {
    return value != null ? value : below;
  }

  private static void requireAtLeast(String field, @Nullable Number value, long least) {
    if (value != null && value.longValue() < least) {
      throw new IllegalArgumentException(
          "%s: %s (expected: %d or more)".formatted(field, value, least));
    }
  }

  record Batching(
      @Nullable Integer maxRows,
      @Nullable Mixing mixing,
      @Nullable Padding padding,
      @Nullable Long maxQueueRows,
      @Nullable Long maxQueueBytes,
      @Nullable Long maxQueueMs,
      @Nullable Integer defaultPriority) {

    static final Batching EMPTY = new Batching(null, null, null, null, null, null, null);

    Batching {
      requireAtLeast("max_rows", maxRows, 1);
      requireAtLeast("max_queue_rows", maxQueueRows, 1);
      requireAtLeast("max_queue_bytes", maxQueueBytes, 1);
      requireAtLeast("max_queue_ms", maxQueueMs, 1);
      requireAtLeast("default_priority", defaultPriority, 1);
    }

    Batching over(Batching below) {
      return new Batching(
          first(maxRows, below.maxRows),
          first(mixing, below.mixing),
          first(padding, below.padding),
          first(maxQueueRows, below.maxQueueRows),
          first(maxQueueBytes, below.maxQueueBytes),
          first(maxQueueMs, below.maxQueueMs),
          first(defaultPriority, below.defaultPriority));
    }
  }

  /**
   * @param inputs the number that fills each up along its second dimension
   * @param outputs that are as long
   * @param edges ascending lengths
   */
  record Padding(
      @Nullable Map<String, Long> inputs,
      @Nullable List<String> outputs,
      @Nullable List<Integer> edges) {

    Padding {
      if (inputs == null || inputs.isEmpty()) {
        throw new IllegalArgumentException("inputs: none (expected: a number for each input)");
      }
      for (int i = 0; edges != null && i < edges.size(); i++) {
        requireAtLeast("edges[" + i + "]", edges.get(i), i == 0 ? 1 : edges.get(i - 1) + 1L);
      }
    }
  }

  record Execution(@Nullable List<ExecutionProvider> providers, @Nullable Threads threads) {

    static final Execution EMPTY = new Execution(null, null);

    Execution {
      if (providers != null && providers.isEmpty()) {
        throw new IllegalArgumentException("providers: [] (expected: one or more)");
      }
    }

    Execution over(Execution below) {
      return new Execution(first(providers, below.providers), first(threads, below.threads));
    }
  }

  /**
   * @param rows batch sizes to run before the version is ready
   * @param shapes by input, the shape of one row, or of the whole tensor when there are no rows
   */
  record WarmUp(@Nullable List<Integer> rows, @Nullable Map<String, List<Long>> shapes) {

    static final WarmUp EMPTY = new WarmUp(null, null);

    WarmUp {
      if (rows != null) {
        rows.forEach(count -> requireAtLeast("rows", count, 1));
      }
      if (shapes != null) {
        shapes.values().forEach(dims -> dims.forEach(dim -> requireAtLeast("shapes", dim, 0)));
      }
    }

    WarmUp over(WarmUp below) {
      return new WarmUp(first(rows, below.rows), first(shapes, below.shapes));
    }
  }

  record Pipeline(@Nullable TextSettings text) {}

  record Sequence(
      @Nullable List<State> states,
      @Nullable Long idleTimeoutMs,
      @Nullable Integer maxSequences,
      @Nullable Long maxStateBytes,
      @Nullable Integer maxWaiting) {

    Sequence {
      if (states == null || states.isEmpty()) {
        throw new IllegalArgumentException("states: none (expected: one or more)");
      }
      requireAtLeast("idle_timeout_ms", idleTimeoutMs, 1);
      requireAtLeast("max_sequences", maxSequences, 1);
      requireAtLeast("max_state_bytes", maxStateBytes, 1);
      requireAtLeast("max_waiting", maxWaiting, 1);
    }
  }

  /**
   * @param axis the dimension that counts rows; 0 where none is given
   * @param dataType as the graph is to have it
   * @param dims of one row, as the graph is to have them
   */
  record State(
      @Nullable String input,
      @Nullable String output,
      @Nullable Integer axis,
      @Nullable DataType dataType,
      @Nullable List<Long> dims) {

    State {
      if (input == null || output == null) {
        throw new IllegalArgumentException(
            "%s: missing (expected: a name of the graph)"
                .formatted(input == null ? "input" : "output"));
      }
      requireAtLeast("axis", axis, 0);
      if (dims != null) {
        dims.forEach(dim -> requireAtLeast("dims", dim, Shape.ANY));
      }
    }
  }

  record Limits(@Nullable Long defaultTimeoutMs, @Nullable Long maxRequestBytes) {

    static final Limits EMPTY = new Limits(null, null);

    Limits {
      requireAtLeast("default_timeout_ms", defaultTimeoutMs, 1);
      requireAtLeast("max_request_bytes", maxRequestBytes, 1);
    }

    Limits over(Limits below) {
      return new Limits(
          first(defaultTimeoutMs, below.defaultTimeoutMs),
          first(maxRequestBytes, below.maxRequestBytes));
    }
  }
}
