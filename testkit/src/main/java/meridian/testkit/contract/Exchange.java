package meridian.testkit.contract;

import static meridian.testkit.contract.Samples.named;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.RequestedOutput;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/** A request, and the one right answer to it. */
record Exchange(InferRequest request, List<NamedTensor> expected) {

  static Exchange random(Random random, int number) {
    String id = "request " + number;
    int rows = random.nextInt(1, 9);
    return switch (random.nextInt(4)) {
      case 0 -> linear(id, Samples.floats(random, rows, 4));
      case 1 -> add2(id, random, rows);
      case 2 -> gather(id, random.longs(rows, 0, 8).toArray());
      default -> strings(id, Samples.random(DataType.BYTES, Shape.of(rows, 2), random));
    };
  }

  void check(InferResult result) {
    assertThat(result).isInstanceOf(InferResponse.class);
    InferResponse response = (InferResponse) result;
    assertThat(response.id()).isEqualTo(request.id());
    assertThat(response.model()).isEqualTo(request.model());
    assertThat(response.outputs()).hasSameSizeAs(expected);
    for (int i = 0; i < expected.size(); i++) {
      NamedTensor output = response.outputs().get(i);
      assertThat(output.name()).isEqualTo(expected.get(i).name());
      assertThat(output.tensor().shape()).isEqualTo(expected.get(i).tensor().shape());
      assertThat(bytes(output.tensor())).isEqualTo(bytes(expected.get(i).tensor()));
    }
  }

  private static Exchange linear(String id, Tensor x) {
    Shape shape = Shape.of(x.shape().dim(0), 3);
    Tensor y = Tensor.ofFloats(shape, Expected.linear(x.toFloats()));
    return new Exchange(
        Requests.identified("linear", id, List.of(named("x", x)), List.of()),
        List.of(named("y", y)));
  }

  /** Asks for one output, the other, or both, in either order. */
  private static Exchange add2(String id, Random random, int rows) {
    List<NamedTensor> inputs = InferenceServiceContract.add2Inputs(random, rows);
    List<NamedTensor> expected = new ArrayList<>();
    expected.add(named("OUTPUT0", combined(inputs, 1)));
    expected.add(named("OUTPUT1", combined(inputs, -1)));
    if (random.nextBoolean()) {
      expected = expected.reversed();
    }
    if (random.nextBoolean()) {
      expected = expected.subList(0, 1);
    }
    List<RequestedOutput> asked =
        expected.stream().map(NamedTensor::name).map(RequestedOutput::of).toList();
    return new Exchange(Requests.identified("add2", id, inputs, asked), expected);
  }

  private static Exchange gather(String id, long... ids) {
    float[] rows = new float[4 * ids.length];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = 10 * ids[i / 4] + i % 4;
    }
    Tensor given = Tensor.ofLongs(Shape.of(ids.length), ids);
    return new Exchange(
        Requests.identified("gather", id, List.of(named("ids", given)), List.of()),
        List.of(named("rows", Tensor.ofFloats(Shape.of(ids.length, 4), rows))));
  }

  private static Exchange strings(String id, Tensor texts) {
    return new Exchange(
        Requests.identified("strings", id, List.of(named("INPUT0", texts)), List.of()),
        List.of(named("OUTPUT0", texts)));
  }

  private static Tensor combined(List<NamedTensor> inputs, float sign) {
    float[] left = inputs.getFirst().tensor().toFloats();
    float[] right = inputs.getLast().tensor().toFloats();
    float[] result = new float[left.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = left[i] + sign * right[i];
    }
    return Tensor.ofFloats(inputs.getFirst().tensor().shape(), result);
  }

  private static byte[] bytes(Tensor tensor) {
    MemorySegment data = tensor.data();
    return data.toArray(ValueLayout.JAVA_BYTE);
  }
}
