package meridian.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import meridian.core.error.Problem;
import meridian.core.infer.RequestedOutput;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SignatureCheckTest {

  private static final Signature ADD =
      new Signature(
          List.of(
              TensorSpec.of("A", DataType.FP32, Shape.ANY, 2),
              TensorSpec.of("B", DataType.FP32, Shape.ANY, 2)),
          List.of(TensorSpec.of("SUM", DataType.FP32, Shape.ANY, 2)),
          true);

  @Test
  void fittingRequest_hasNoProblem() {
    assertThat(check(List.of(floats("B", 1, 2), floats("A", 1, 2)))).isNull();
  }

  @Test
  void eachFault_hasItsOwnMessage() {
    assertMessage(
        List.of(floats("A", 1, 2)), "inputs: \"B\" is missing (expected: FP32 of shape [-1,2])");
    assertMessage(
        List.of(floats("A", 1, 2), floats("B", 1, 2), floats("C", 1, 2)),
        "inputs[2].name: \"C\" is unknown (expected: one of [A, B])");
    assertMessage(
        List.of(floats("A", 1, 2), floats("A", 1, 2)),
        "inputs[1].name: \"A\" is repeated (expected: each name once)");
    assertMessage(
        List.of(floats("A", 2), floats("B", 1, 2)),
        "inputs[0].shape: rank 1 of [2] (expected: rank 2 for [-1,2] of \"A\")");
    assertMessage(
        List.of(floats("A", 1, 3), floats("B", 1, 2)),
        "inputs[0].shape: [1,3] (expected: [-1,2] for \"A\")");
    assertMessage(
        List.of(floats("A", 1, 2), floats("B", 2, 2)),
        "inputs[1].shape: 2 rows (expected: 1 rows as inputs[0] has)");
    assertMessage(
        List.of(new NamedTensor("A", Tensor.ofLongs(Shape.of(1, 2), 1, 2)), floats("B", 1, 2)),
        "inputs[0].datatype: INT64 (expected: FP32 for \"A\")");
  }

  @Test
  void outputs_unknownOrRepeated_areRefused() {
    List<NamedTensor> inputs = List.of(floats("A", 1, 2), floats("B", 1, 2));
    assertThat(message(SignatureCheck.check(ADD, inputs, List.of(RequestedOutput.of("X")))))
        .isEqualTo("outputs[0].name: \"X\" is unknown (expected: one of [SUM])");
    RequestedOutput sum = RequestedOutput.of("SUM");
    assertThat(message(SignatureCheck.check(ADD, inputs, List.of(sum, sum))))
        .isEqualTo("outputs[1].name: \"SUM\" is repeated (expected: each name once)");
  }

  private static void assertMessage(List<NamedTensor> inputs, String message) {
    assertThat(message(check(inputs))).isEqualTo(message);
  }

  private static @Nullable Problem check(List<NamedTensor> inputs) {
    return SignatureCheck.check(ADD, inputs, List.of());
  }

  private static String message(@Nullable Problem problem) {
    return problem == null ? "" : problem.message();
  }

  private static NamedTensor floats(String name, long... dims) {
    Shape shape = Shape.of(dims);
    return new NamedTensor(name, Tensor.ofFloats(shape, new float[(int) shape.elementCount()]));
  }
}
