package meridian.node;

import java.nio.file.Path;
import meridian.node.config.NodeDefaults;
import meridian.node.lifecycle.LifecycleSettings;

/**
 * What a node is to be.
 *
 * @param models the repository
 * @param lanes threads that execute batches, shared by all models
 * @param lifecycle when models come and go
 * @param defaults of models that say nothing else
 */
public record NodeSettings(
    Path models, int lanes, LifecycleSettings lifecycle, NodeDefaults defaults) {

  public NodeSettings {
    if (lanes < 1) {
      throw new IllegalArgumentException("lanes: " + lanes + " (expected: 1 or more)");
    }
  }

  /** A lane for each core that the container gives, one thread in each execution. */
  public static NodeSettings defaults(Path models) {
    return new NodeSettings(
        models,
        Runtime.getRuntime().availableProcessors(),
        LifecycleSettings.STANDARD,
        NodeDefaults.STANDARD);
  }

  public NodeSettings withLanes(int count) {
    return new NodeSettings(models, count, lifecycle, defaults);
  }

  public NodeSettings withLifecycle(LifecycleSettings other) {
    return new NodeSettings(models, lanes, other, defaults);
  }

  public NodeSettings withDefaults(NodeDefaults other) {
    return new NodeSettings(models, lanes, lifecycle, other);
  }
}
