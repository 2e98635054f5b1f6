package meridian.core.tensor;

/**
 * What a model takes or gives under one name.
 *
 * @param shape {@link Shape#ANY} where the size varies
 * @param optional true for an input that a request may leave out
 */
public record TensorSpec(String name, DataType type, Shape shape, boolean optional) {

  public static TensorSpec of(String name, DataType type, long... dims) {
    return new TensorSpec(name, type, Shape.of(dims), false);
  }
}
