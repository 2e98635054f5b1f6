package meridian.node.config;

import java.util.List;
import meridian.proto.ModelConfig;

/**
 * A model configuration in Triton's form.
 *
 * @param unused the fields it sets that have no meaning here
 */
record TritonConfig(ModelConfig message, List<String> unused) {

  static final TritonConfig EMPTY = new TritonConfig(ModelConfig.getDefaultInstance(), List.of());

  TritonConfig {
    unused = List.copyOf(unused);
  }
}
