package meridian.fleet.topology;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The regions of a fleet, in a fixed order. */
public final class Topology {

  /** So that a set of regions is a number. */
  private static final int MOST = Long.SIZE;

  private final Map<String, Region> regions = new LinkedHashMap<>();

  /**
   * @throws IllegalArgumentException if there is none, more than {@value #MOST}, or two have one
   *     name
   */
  public Topology(Collection<Region> regions) {
    for (Region region : regions) {
      if (this.regions.put(region.name(), region) != null) {
        throw new IllegalArgumentException(
            "regions: \"%s\" twice (expected: a name of its own for each)"
                .formatted(region.name()));
      }
    }
    if (this.regions.size() > MOST) {
      throw new IllegalArgumentException(
          "regions: %d (expected: at most %d)".formatted(this.regions.size(), MOST));
    }
    if (this.regions.isEmpty()) {
      throw new IllegalArgumentException("regions: none (expected: one or more)");
    }
  }

  public List<Region> regions() {
    return List.copyOf(regions.values());
  }

  public @Nullable Region region(String name) {
    return regions.get(name);
  }

  public List<String> names() {
    return List.copyOf(regions.keySet());
  }
}
