package meridian.batching;

import java.util.List;
import java.util.Map;
import java.util.Set;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;

/**
 * How requests of unlike length share an execution: their inputs are filled up along the first
 * dimension after the rows, to the longest of the batch, and outputs are cut to each request's own
 * length.
 *
 * @param fills by input, the element that fills it up, in the raw form of its type
 * @param outputs that are as long as the inputs
 * @param edges ascending; lengths above one and up to the next may share executions, lengths above
 *     the last are never filled up
 */
public record Padding(Map<String, byte[]> fills, Set<String> outputs, List<Integer> edges) {

  /** Only requests of like length share executions. */
  public static final Padding NONE = new Padding(Map.of(), Set.of(), List.of());

  static final int AXIS = 1;

  /** Stands for a request that is not filled up. */
  static final int NO_LENGTH = 0;

  public Padding {
    fills = Map.copyOf(fills);
    outputs = Set.copyOf(outputs);
    edges = List.copyOf(edges);
    int before = 0;
    for (int edge : edges) {
      if (edge <= before) {
        throw new IllegalArgumentException("edges: " + edges + " (expected: ascending, from 1)");
      }
      before = edge;
    }
  }

  /** The length that the inputs have in common, {@link #NO_LENGTH} when they are to stay alone. */
  int length(List<NamedTensor> inputs) {
    long length = NO_LENGTH;
    for (int i = 0; i < inputs.size(); i++) {
      NamedTensor input = inputs.get(i);
      if (fills.containsKey(input.name())) {
        Shape shape = input.tensor().shape();
        long own = shape.rank() > AXIS ? shape.dim(AXIS) : NO_LENGTH;
        if (own == NO_LENGTH || (length != NO_LENGTH && own != length)) {
          return NO_LENGTH;
        }
        length = own;
      }
    }
    return length > longest() ? NO_LENGTH : (int) length;
  }

  /** The first edge that is no shorter. */
  int edge(int length) {
    for (int edge : edges) {
      if (edge >= length) {
        return edge;
      }
    }
    throw new IllegalArgumentException("length: " + length + " (expected: at most " + longest());
  }

  private int longest() {
    return edges.isEmpty() ? NO_LENGTH : edges.getLast();
  }
}
