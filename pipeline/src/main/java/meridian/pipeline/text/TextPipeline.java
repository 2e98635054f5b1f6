package meridian.pipeline.text;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import meridian.core.backend.ModelLoadException;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import meridian.pipeline.Pipeline;
import meridian.pipeline.Prepared;
import meridian.pipeline.text.TextSettings.Pooling;

/**
 * BYTES texts [-1] in, FP32 vectors [-1, size] out (or [-1, -1, size] where nothing pools the
 * vectors of the tokens).
 *
 * <p>A response to texts that were cut has the parameters {@value #TRUNCATED}, their number, and
 * {@value #TRUNCATED_ROWS}, their indices separated by commas.
 */
public final class TextPipeline implements Pipeline {

  public static final String TRUNCATED = "truncated";
  public static final String TRUNCATED_ROWS = "truncated_rows";

  private final Signature signature;
  private final TextGraph graph;
  private final TextReader reader;
  private final TextTokenizer tokenizer;
  private final TokenBatches batches;
  private final VectorPooling pooling;
  private final Map<String, String> properties;

  private TextPipeline(
      TextSettings settings,
      TextGraph graph,
      TextTokenizer tokenizer,
      TokenBatches batches,
      Map<String, String> properties) {
    this.signature = signature(settings, graph);
    this.graph = graph;
    this.reader = new TextReader(settings.maxTextBytes());
    this.tokenizer = tokenizer;
    this.batches = batches;
    this.pooling = new VectorPooling(settings.pooling(), settings.normalize());
    this.properties = Map.copyOf(properties);
  }

  /**
   * @param tokenizerJson in the format of Hugging Face's tokenizers
   * @param graph the signature of the graph that runs between the two halves
   * @param separateRows true for a graph in which the rows of a batch influence each other: each
   *     text is then executed by itself, without padding
   * @throws ModelLoadException if the file, the settings and the graph do not fit together
   */
  public static TextPipeline open(
      Path tokenizerJson, TextSettings settings, Signature graph, boolean separateRows)
      throws ModelLoadException {
    TextGraph parts = TextGraph.find(settings, graph);
    int maxTokens = maxTokens(settings, parts);
    boolean separate = separateRows || !graph.batched() || parts.takesOneRow();
    TokenizerFile file = TokenizerFile.read(tokenizerJson);
    TextTokenizer tokenizer =
        TextTokenizer.open(file, settings, maxTokens, parts.tokenTypeIds() != null);
    TokenBatches batches =
        new TokenBatches(parts, separate, maxTokens, settings.padToMultipleOf(), file.padId());
    return new TextPipeline(
        settings, parts, tokenizer, batches, describe(settings, file, maxTokens, separate));
  }

  @Override
  public Signature signature() {
    return signature;
  }

  @Override
  public Set<String> graphOutputs() {
    return Set.of(graph.output().name());
  }

  @Override
  public Map<String, Long> padding() {
    return batches.padding();
  }

  @Override
  public Outcome<Prepared> prepare(List<NamedTensor> inputs, Parameters parameters) {
    try {
      int index = indexOfTexts(inputs);
      String field = "inputs[" + index + "].data";
      return Outcome.ok(prepare(reader.read(inputs.get(index).tensor(), field), field));
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  @Override
  public Map<String, String> properties() {
    return properties;
  }

  @Override
  public void close() {
    tokenizer.close();
  }

  private int indexOfTexts(List<NamedTensor> inputs) throws ProblemException {
    String name = signature.inputs().getFirst().name();
    for (int i = 0; i < inputs.size(); i++) {
      if (inputs.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new ProblemException(
        Problem.invalid("inputs", '"' + name + "\" is missing", "BYTES of shape [-1]"));
  }

  private Prepared prepare(String[] texts, String field) throws ProblemException {
    List<Encoding> encodings = new ArrayList<>(texts.length);
    int[] lengths = new int[texts.length];
    for (int i = 0; i < texts.length; i++) {
      Encoding encoding = tokenizer.encode(texts[i], field, i);
      encodings.add(encoding);
      lengths[i] = encoding.length();
    }
    return new PreparedTexts(
        batches.executions(encodings),
        notes(encodings),
        lengths,
        graph,
        pooling,
        signature.outputs().getFirst().name());
  }

  private static Parameters notes(List<Encoding> encodings) {
    int cut = 0;
    StringJoiner rows = new StringJoiner(",");
    for (int i = 0; i < encodings.size(); i++) {
      if (encodings.get(i).cut()) {
        cut++;
        rows.add(Integer.toString(i));
      }
    }
    return cut == 0
        ? Parameters.NONE
        : Parameters.NONE
            .with(TRUNCATED, new Parameter.Int(cut))
            .with(TRUNCATED_ROWS, new Parameter.Text(rows.toString()));
  }

  private static int maxTokens(TextSettings settings, TextGraph graph) throws ModelLoadException {
    long room = graph.fixedTokens() == Shape.ANY ? Integer.MAX_VALUE : graph.fixedTokens();
    Integer declared = settings.maxTokens();
    if (declared == null) {
      return (int) Math.min(TextSettings.DEFAULT_MAX_TOKENS, room);
    }
    if (declared > room) {
      throw new ModelLoadException(
          "pipeline.text.max_tokens: %d (expected: at most the graph's %d)"
              .formatted(declared, room));
    }
    return declared;
  }

  private static Signature signature(TextSettings settings, TextGraph graph) {
    boolean perToken = settings.pooling() == Pooling.NONE && graph.givesTokenVectors();
    return new Signature(
        List.of(TensorSpec.of(settings.input(), DataType.BYTES, Shape.ANY)),
        List.of(
            perToken
                ? TensorSpec.of(
                    settings.output(), DataType.FP32, Shape.ANY, Shape.ANY, graph.vectorSize())
                : TensorSpec.of(settings.output(), DataType.FP32, Shape.ANY, graph.vectorSize())),
        true);
  }

  private static Map<String, String> describe(
      TextSettings settings, TokenizerFile file, int maxTokens, boolean separateRows) {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("text.tokenizer", file.modelType());
    properties.put("text.max_tokens", Integer.toString(maxTokens));
    properties.put("text.max_text_bytes", settings.maxTextBytes().toString());
    properties.put("text.overflow", lower(settings.overflow()));
    properties.put("text.special_tokens", lower(settings.specialTokens()));
    properties.put("text.execution", separateRows ? "row by row" : "padded batch");
    properties.put("text.pad_to_multiple_of", settings.padToMultipleOf().toString());
    properties.put("text.pooling", lower(settings.pooling()));
    properties.put("text.normalize", lower(settings.normalize()));
    for (String section : List.of("truncation", "padding")) {
      String overridden = file.declared(section);
      if (overridden != null) {
        properties.put("text.overridden." + section, overridden);
      }
    }
    return properties;
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
