package meridian.node.config;

import java.util.List;
import java.util.Map;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.backend.Backend.ExecutionSettings;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.model.VersionPolicy;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.pipeline.text.TextSettings;
import org.jspecify.annotations.Nullable;

/**
 * How a model is to be served, before its graph has been seen.
 *
 * @param file the model file's name in a version folder
 * @param text the text pipeline in front of the graph, if there is one
 * @param sequence how state is kept between requests; null for a model without
 * @param fixedInputs by name, the number that fills an input which nobody sends
 * @param labels label file by output name, relative to the model's folder
 * @param parameters as the configuration has them, for the config endpoint
 * @param unused fields of the configuration that have no meaning here
 */
public record ModelSettings(
    String file,
    VersionPolicy versions,
    Batching batching,
    Execution execution,
    WarmUpSettings warmUp,
    @Nullable TextSettings text,
    @Nullable SequenceSettings sequence,
    Map<String, Long> fixedInputs,
    Map<String, String> labels,
    Limits limits,
    Map<String, String> parameters,
    List<String> unused,
    GraphClaims claims) {

  public ModelSettings {
    fixedInputs = Map.copyOf(fixedInputs);
    labels = Map.copyOf(labels);
    parameters = Map.copyOf(parameters);
    unused = List.copyOf(unused);
  }

  /**
   * The signature to serve: the graph's, narrowed to what the configuration declares.
   *
   * @throws ModelLoadException with every contradiction between the two at once
   */
  public Signature fit(Signature graph) throws ModelLoadException {
    return claims.fit(graph);
  }

  /**
   * @param maxRows the most rows of one execution
   * @param mixing whether requests may share one
   * @param padding of requests of unlike length that do
   * @param maxQueueNanos the most lane time, as predicted, of what waits
   */
  public record Batching(
      int maxRows,
      Mixing mixing,
      PaddingSettings padding,
      long maxQueueRows,
      long maxQueueBytes,
      long maxQueueNanos,
      int defaultPriority) {}

  /**
   * @param inputs that may be filled up along their second dimension, with the number to do it with
   * @param outputs that are as long as the inputs
   * @param edges lengths to which requests may be filled up; empty to have them measured
   */
  public record PaddingSettings(
      Map<String, Long> inputs, List<String> outputs, List<Integer> edges) {

    public static final PaddingSettings NONE = new PaddingSettings(Map.of(), List.of(), List.of());

    public PaddingSettings {
      inputs = Map.copyOf(inputs);
      outputs = List.copyOf(outputs);
      edges = List.copyOf(edges);
    }
  }

  /**
   * @param providers in order of preference
   * @param threads inside one execution
   */
  public record Execution(List<ExecutionProvider> providers, Threads threads) {
    public Execution {
      providers = List.copyOf(providers);
    }

    /** With a number of threads in the place of what is to be measured. */
    public ExecutionSettings with(int count) {
      return new ExecutionSettings(providers, count);
    }
  }

  /**
   * @param rows batch sizes to run; empty for the powers of two up to the most rows
   * @param shapes by input, the shape of one row, or of the whole tensor when there are no rows
   */
  public record WarmUpSettings(List<Integer> rows, Map<String, List<Long>> shapes) {
    public WarmUpSettings {
      rows = List.copyOf(rows);
      shapes = Map.copyOf(shapes);
    }

    /** True when an operator asked for it, so that its failure is a failure of the model. */
    public boolean isDeclared() {
      return !rows.isEmpty() || !shapes.isEmpty();
    }
  }

  /**
   * @param idleNanos after which a sequence that nobody uses is forgotten
   * @param maxSequences the most that are open
   * @param maxStateBytes the most that their states take together
   * @param maxWaiting the most requests of one that wait for their turn
   */
  public record SequenceSettings(
      List<StateSettings> states,
      long idleNanos,
      int maxSequences,
      long maxStateBytes,
      int maxWaiting) {

    public SequenceSettings {
      states = List.copyOf(states);
    }
  }

  /**
   * @param input of the graph that takes the state
   * @param output of the graph that gives the next
   * @param axis the dimension of both that counts rows
   * @param type as declared; null where it is not
   * @param row the shape without the rows, as declared; null where it is not
   */
  public record StateSettings(
      String input, String output, int axis, @Nullable DataType type, @Nullable Shape row) {}

  /**
   * @param defaultTimeoutNanos for requests without a deadline; 0 for none
   * @param maxRequestBytes the most input bytes of one request
   */
  public record Limits(long defaultTimeoutNanos, long maxRequestBytes) {}
}
