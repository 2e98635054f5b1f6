package meridian.core.tensor;

/** A tensor under the name its model knows it by. */
public record NamedTensor(String name, Tensor tensor) {}
