package meridian.core.backend;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Rows;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;

/**
 * Measures whether the rows of a model are independent, as its signature has them, or whether an
 * answer depends on the strangers that share the execution, as it does where a graph quantises
 * whole tensors at run time. Random rows are executed alone, together, in another order and, with a
 * rule for it, padded to a common length; each row must come out the same every time.
 *
 * <p>The tolerance is relative to the largest value of the row: 1e-4 for FP32 and FP64, 5e-3 for
 * FP16, 4e-2 for BF16, and equality for everything else. MiniLM in FP32 deviates by 0 on x86-64,
 * its INT8 form with dynamic quantisation by 0.07 to 0.11; other orders of summation cost about
 * 1e-6.
 */
public final class InvarianceProbe {

  private static final int ROWS = 4;

  /** For dimensions that vary: some tokens; a small image; one of the usual size. */
  private static final int[] SIZES = {16, 64, 224};

  /** Below these stay whole numbers, so that look-ups in ever smaller tables succeed. */
  private static final int[] BOUNDS = {1000, 100, 8, 2};

  private final LoadedModel model;
  private final Set<String> outputs;
  private final Padding padding;

  private InvarianceProbe(LoadedModel model, Padding padding) {
    this.model = model;
    this.padding = padding;
    this.outputs =
        model.signature().outputs().stream()
            .map(TensorSpec::name)
            .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * How rows of unlike length are brought to one.
   *
   * @param values by input, the number that fills its second dimension up; none means that lengths
   *     are never mixed
   */
  public record Padding(Map<String, Long> values) {
    public static final Padding NONE = new Padding(Map.of());

    public Padding {
      values = Map.copyOf(values);
    }

    /** One element that holds the value, in the raw form of its type. */
    public static byte[] element(DataType type, long value) {
      byte[] element = new byte[type.byteSize()];
      Elements.setWhole(MemorySegment.ofArray(element), 0, type, value);
      return element;
    }
  }

  /** Measures with sizes of its own for the dimensions that vary. */
  public static Invariance measure(LoadedModel model, Padding padding, RandomGenerator random) {
    return measure(model, padding, Map.of(), random);
  }

  /**
   * Executes the model about ten times, on a few small rows.
   *
   * @param shapes by input, the shape of one row where an operator knows one that the model takes;
   *     only dimensions that vary are taken from it
   */
  public static Invariance measure(
      LoadedModel model, Padding padding, Map<String, List<Long>> shapes, RandomGenerator random) {
    if (!model.signature().batched()) {
      return Invariance.unknown("the first dimension does not count rows");
    }
    InvarianceProbe probe = new InvarianceProbe(model, padding);
    String failure = "";
    for (int size : SIZES) {
      for (int bound : BOUNDS) {
        try {
          return probe.compare(new ProbeInputs(size, bound, shapes, random));
        } catch (ExecutionException e) {
          failure = e.getMessage();
        }
      }
    }
    return Invariance.unknown("no random input that the model accepts: " + failure);
  }

  private Invariance compare(ProbeInputs inputs) throws ExecutionException {
    List<List<NamedTensor>> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      rows.add(inputs.row(model.signature(), i));
    }
    Deviations deviations = new Deviations();
    List<List<NamedTensor>> alone = eachAlone(rows);
    deviations.add("in a batch", alone, together(rows));
    deviations.add("in another order", alone.reversed(), together(rows.reversed()));
    if (!padding.values().isEmpty()) {
      List<List<NamedTensor>> cut = unlike(rows);
      deviations.add("padded", eachAlone(cut), together(padded(cut, inputs.size())));
    }
    return deviations.verdict();
  }

  private List<List<NamedTensor>> eachAlone(List<List<NamedTensor>> rows)
      throws ExecutionException {
    List<List<NamedTensor>> answers = new ArrayList<>();
    for (List<NamedTensor> row : rows) {
      answers.add(model.run(row, outputs));
    }
    return answers;
  }

  private List<NamedTensor> together(List<List<NamedTensor>> rows) throws ExecutionException {
    List<NamedTensor> batch = new ArrayList<>();
    for (int input = 0; input < rows.getFirst().size(); input++) {
      int position = input;
      batch.add(
          new NamedTensor(
              rows.getFirst().get(input).name(),
              Rows.concat(
                  rows.stream().map(row -> row.get(position).tensor()).toList(), Rows.HEAP)));
    }
    return model.run(batch, outputs);
  }

  /** Every second row at half its length. */
  private List<List<NamedTensor>> unlike(List<List<NamedTensor>> rows) {
    List<List<NamedTensor>> unlike = new ArrayList<>(rows);
    for (int i = 1; i < unlike.size(); i += 2) {
      unlike.set(
          i, eachPadded(unlike.get(i), (row, _) -> RowLength.cut(row, RowLength.of(row) / 2)));
    }
    return unlike;
  }

  private List<List<NamedTensor>> padded(List<List<NamedTensor>> rows, long length) {
    return rows.stream()
        .map(row -> eachPadded(row, (tensor, value) -> RowLength.fill(tensor, length, value)))
        .toList();
  }

  private List<NamedTensor> eachPadded(
      List<NamedTensor> row, BiFunction<Tensor, Long, Tensor> change) {
    List<NamedTensor> changed = new ArrayList<>();
    for (NamedTensor input : row) {
      Long value = padding.values().get(input.name());
      changed.add(
          value == null
              ? input
              : new NamedTensor(input.name(), change.apply(input.tensor(), value)));
    }
    return changed;
  }
}
