package meridian.fleet.residency;

import java.util.Set;

/**
 * How a class of data stands when some regions are gone.
 *
 * @param regions that may have it
 * @param left those of them that live
 */
public record Coverage(ResidencyClass data, Set<String> regions, Set<String> left) {

  public Coverage {
    regions = Set.copyOf(regions);
    left = Set.copyOf(left);
  }

  /** Nobody may answer it. */
  public boolean isLost() {
    return left.isEmpty();
  }

  /** The next loss of a region may leave nobody. */
  public boolean hasNoSecond() {
    return left.size() == 1;
  }
}
