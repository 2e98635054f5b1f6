package meridian.pipeline.text;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;

/** Token ids to the graph's input tensors: one padded batch, or each text by itself. */
final class TokenBatches {

  private final TextGraph graph;
  private final boolean separateRows;
  private final int maxTokens;
  private final int multiple;
  private final long padId;
  private final long[] padding;
  private final long[] ones;

  /**
   * @param multiple widths of batches are rounded up to a multiple of this, up to {@code maxTokens}
   * @param padId fills {@code input_ids} where a text has ended
   */
  TokenBatches(TextGraph graph, boolean separateRows, int maxTokens, int multiple, long padId) {
    this.graph = graph;
    this.separateRows = separateRows;
    this.maxTokens = maxTokens;
    this.multiple = multiple;
    this.padId = padId;
    int widest = (int) Math.max(maxTokens, graph.fixedTokens());
    padding = filled(widest, padId);
    ones = filled(widest, 1);
  }

  /** The inputs of each execution that the texts need, in their order. */
  List<List<NamedTensor>> executions(List<Encoding> texts) {
    if (texts.isEmpty()) {
      return List.of();
    }
    if (!separateRows) {
      return List.of(inputs(texts, width(longest(texts), multiple)));
    }
    List<List<NamedTensor>> executions = new ArrayList<>(texts.size());
    for (Encoding text : texts) {
      executions.add(inputs(List.of(text), width(text.length(), 1)));
    }
    return executions;
  }

  /** A graph without a mask takes padding for tokens. */
  Map<String, Long> padding() {
    if (separateRows || graph.attentionMask() == null || graph.fixedTokens() != Shape.ANY) {
      return Map.of();
    }
    Map<String, Long> values = new HashMap<>();
    values.put(graph.inputIds().name(), padId);
    values.put(graph.attentionMask().name(), 0L);
    if (graph.tokenTypeIds() != null) {
      values.put(graph.tokenTypeIds().name(), 0L);
    }
    return Map.copyOf(values);
  }

  private static int longest(List<Encoding> texts) {
    int longest = 0;
    for (Encoding text : texts) {
      longest = Math.max(longest, text.length());
    }
    return longest;
  }

  /** At least one token: graphs fail on none, as an empty text without special tokens has. */
  private int width(int tokens, int roundTo) {
    if (graph.fixedTokens() != Shape.ANY) {
      return (int) graph.fixedTokens();
    }
    int least = Math.max(tokens, 1);
    return Math.min(Math.ceilDiv(least, roundTo) * roundTo, maxTokens);
  }

  private List<NamedTensor> inputs(List<Encoding> texts, int width) {
    List<NamedTensor> inputs = new ArrayList<>(3);
    inputs.add(ids(graph.inputIds(), texts, width));
    if (graph.attentionMask() != null) {
      inputs.add(mask(graph.attentionMask(), texts, width));
    }
    if (graph.tokenTypeIds() != null) {
      inputs.add(typeIds(graph.tokenTypeIds(), texts, width));
    }
    return inputs;
  }

  private NamedTensor ids(TensorSpec spec, List<Encoding> texts, int width) {
    Tensor tensor = zeros(spec, texts.size(), width);
    for (int i = 0; i < texts.size(); i++) {
      Encoding text = texts.get(i);
      long start = (long) i * width;
      put(tensor, start, text.ids(), text.length());
      put(tensor, start + text.length(), padding, width - text.length());
    }
    return new NamedTensor(spec.name(), tensor);
  }

  private NamedTensor mask(TensorSpec spec, List<Encoding> texts, int width) {
    Tensor tensor = zeros(spec, texts.size(), width);
    for (int i = 0; i < texts.size(); i++) {
      put(tensor, (long) i * width, ones, texts.get(i).length());
    }
    return new NamedTensor(spec.name(), tensor);
  }

  private static NamedTensor typeIds(TensorSpec spec, List<Encoding> texts, int width) {
    Tensor tensor = zeros(spec, texts.size(), width);
    for (int i = 0; i < texts.size(); i++) {
      long[] typeIds = texts.get(i).typeIds();
      put(tensor, (long) i * width, typeIds, typeIds.length);
    }
    return new NamedTensor(spec.name(), tensor);
  }

  private static Tensor zeros(TensorSpec spec, int rows, int width) {
    Shape shape = Shape.of(rows, width);
    long bytes = shape.elementCount() * spec.type().byteSize();
    return new Tensor(spec.type(), shape, MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]));
  }

  private static void put(Tensor tensor, long index, long[] values, int count) {
    MemorySegment data = tensor.data();
    if (tensor.type() == DataType.INT64) {
      MemorySegment.copy(values, 0, data, Tensor.INT64, index * Long.BYTES, count);
      return;
    }
    for (int i = 0; i < count; i++) {
      data.set(Tensor.INT32, (index + i) * Integer.BYTES, (int) values[i]);
    }
  }

  private static long[] filled(int length, long value) {
    long[] values = new long[length];
    Arrays.fill(values, value);
    return values;
  }
}
