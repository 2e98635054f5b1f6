package meridian.node.config;

import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import org.jspecify.annotations.Nullable;

/**
 * What a configuration says about a tensor of the graph.
 *
 * @param path such as {@code input[0]}
 * @param type null, as {@code shape} then is, when only the name is given
 * @param shape with the batch dimension
 */
record DeclaredTensor(
    String path, String name, @Nullable DataType type, @Nullable Shape shape, boolean optional) {}
