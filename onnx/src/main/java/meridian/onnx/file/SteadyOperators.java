package meridian.onnx.file;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells whether the shapes of a graph's inputs say how long it runs, whatever the values: every
 * operator is one whose work and output shapes follow from the shapes of its inputs, or one that
 * takes a shape, axes or bounds as a value and gets a constant there. Left out are loops and
 * branches, look-ups by value, random numbers, texts, and what nobody has added yet.
 */
final class SteadyOperators {

  /** By element; products and windows; over an axis; over a sequence; number formats; places. */
  private static final Set<String> BY_SHAPE =
      Set.of(
          """
          Abs Acos Acosh Add And Asin Asinh Atan Atanh BitwiseAnd BitwiseNot BitwiseOr BitwiseXor
          Cast CastLike Ceil Celu Clip Cos Cosh Div Elu Equal Erf Exp Floor Gelu Greater
          GreaterOrEqual HardSigmoid HardSwish Identity IsInf IsNaN LeakyRelu Less LessOrEqual Log
          Max Mean Min Mish Mod Mul Neg Not Or PRelu Pow Reciprocal Relu Round Selu Sigmoid Sign Sin
          Sinh Softplus Softsign Sqrt Sub Sum Swish Tan Tanh ThresholdedRelu Where Xor

          AveragePool Conv ConvInteger ConvTranspose Einsum Gemm GlobalAveragePool GlobalLpPool
          GlobalMaxPool LpPool MatMul MatMulInteger MaxPool QLinearConv QLinearMatMul

          ArgMax ArgMin BatchNormalization GroupNormalization Hardmax InstanceNormalization LRN
          LayerNormalization LogSoftmax LpNormalization MeanVarianceNormalization RMSNormalization
          ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceProd
          ReduceSum ReduceSumSquare Softmax

          GRU LSTM RNN

          DequantizeLinear DynamicQuantizeLinear QuantizeLinear

          Concat Constant DepthToSpace Flatten Gather GatherElements GatherND Shape Size
          SpaceToDepth Transpose Trilu
          """
              .split("\\s+"));

  /** Their first input is data, the others say what becomes of its shape. */
  private static final Set<String> BY_CONSTANT =
      Set.of("Expand", "Pad", "Reshape", "Slice", "Split", "Squeeze", "Tile", "Unsqueeze");

  private final Set<String> constants = new HashSet<>();
  private final List<String> neededConstants = new ArrayList<>();
  private boolean steady = true;

  /** Notes a node, in the graph or in a graph of one of its attributes. */
  void node(String domain, String operator, List<String> inputs, List<String> outputs) {
    boolean standard = domain.isEmpty() || domain.equals("ai.onnx");
    boolean byConstant = BY_CONSTANT.contains(operator);
    steady &= standard && (byConstant || BY_SHAPE.contains(operator));
    if (byConstant) {
      inputs.stream().skip(1).filter(name -> !name.isEmpty()).forEach(neededConstants::add);
    }
    if (operator.equals("Constant")) {
      constants.addAll(outputs);
    }
  }

  /** Notes an initialiser. */
  void constant(String name) {
    constants.add(name);
  }

  boolean steady() {
    return steady && constants.containsAll(neededConstants);
  }
}
