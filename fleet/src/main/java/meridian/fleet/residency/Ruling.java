package meridian.fleet.residency;

import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Where data of one class may be.
 *
 * @param regions that may have it
 */
record Ruling(Set<String> regions) {

  /** Of data that no rule speaks of. */
  static final Ruling CLOSED = new Ruling(Set.of());

  Ruling {
    regions = Set.copyOf(regions);
  }

  /**
   * The rules that name most of the class decide; where those are several, only regions that all of
   * them allow remain.
   */
  static Ruling of(ResidencyClass data, Collection<ResidencyRule> rules) {
    List<ResidencyRule> matching = rules.stream().filter(rule -> rule.matches(data)).toList();
    int most = matching.stream().mapToInt(ResidencyRule::named).max().orElse(-1);
    return matching.stream()
        .filter(rule -> rule.named() == most)
        .map(ResidencyRule::regions)
        .reduce(Ruling::common)
        .map(Ruling::new)
        .orElse(CLOSED);
  }

  private static Set<String> common(Set<String> one, Set<String> other) {
    Set<String> both = new HashSet<>(one);
    both.retainAll(other);
    return both;
  }
}
