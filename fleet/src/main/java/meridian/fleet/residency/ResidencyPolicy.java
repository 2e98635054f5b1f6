package meridian.fleet.residency;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.fleet.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Which regions may have a request. Closed where no rule speaks: what nobody allowed is forbidden.
 * Asking allocates nothing, since every ruling is made at the start: data of a class or
 * jurisdiction that no rule names is ruled like any other of that kind.
 */
public final class ResidencyPolicy {

  /** Stands for all names that no rule has. */
  private static final String OTHER = "";

  private final Map<String, Map<String, Ruling>> rulings = new HashMap<>();

  private ResidencyPolicy(Collection<ResidencyRule> rules) {
    for (String dataClass : names(rules.stream().map(ResidencyRule::dataClass))) {
      Map<String, Ruling> ofClass = new HashMap<>();
      for (String jurisdiction : names(rules.stream().map(ResidencyRule::jurisdiction))) {
        ofClass.put(jurisdiction, Ruling.of(new ResidencyClass(dataClass, jurisdiction), rules));
      }
      rulings.put(dataClass, ofClass);
    }
  }

  /**
   * @throws IllegalArgumentException if a rule names a region that does not exist
   */
  public static ResidencyPolicy of(List<ResidencyRule> rules, Topology topology) {
    for (int i = 0; i < rules.size(); i++) {
      for (String region : new TreeSet<>(rules.get(i).regions())) {
        if (topology.region(region) == null) {
          throw new IllegalArgumentException(
              "residency[%d].regions: \"%s\" (expected: some of %s)"
                  .formatted(i, region, topology.names()));
        }
      }
    }
    return new ResidencyPolicy(rules);
  }

  /** Everything may be everywhere. */
  public static ResidencyPolicy unrestricted(Topology topology) {
    return new ResidencyPolicy(
        List.of(
            new ResidencyRule(ResidencyRule.ANY, ResidencyRule.ANY, Set.copyOf(topology.names()))));
  }

  public boolean allows(ResidencyClass data, String region) {
    return ruling(data).regions().contains(region);
  }

  /** The regions that may have it; none where that is forbidden. */
  public Set<String> regions(ResidencyClass data) {
    return ruling(data).regions();
  }

  /** Why a region may not have a request; null where it may. */
  public @Nullable Problem refusal(ResidencyClass data, String region) {
    Set<String> allowed = regions(data);
    if (allowed.contains(region)) {
      return null;
    }
    return Problem.of(
        ErrorCode.RESIDENCY,
        allowed.isEmpty()
            ? "residency: %s is allowed in no region".formatted(data)
            : "residency: %s is not allowed in %s (expected: one of %s)"
                .formatted(data, region, new TreeSet<>(allowed)));
  }

  /**
   * How each class that rules name stands without some regions, in order of class and jurisdiction.
   * {@value ResidencyRule#ANY} stands for all that no rule names.
   */
  public List<Coverage> coverage(Set<String> dead) {
    return rulings.entrySet().stream()
        .flatMap(
            ofClass ->
                ofClass.getValue().entrySet().stream()
                    .map(
                        ruling ->
                            coverage(
                                shown(ofClass.getKey()),
                                shown(ruling.getKey()),
                                ruling.getValue(),
                                dead)))
        .sorted(
            Comparator.comparing((Coverage coverage) -> coverage.data().dataClass())
                .thenComparing(coverage -> coverage.data().jurisdiction()))
        .toList();
  }

  private static Coverage coverage(
      String dataClass, String jurisdiction, Ruling ruling, Set<String> dead) {
    Set<String> left = new HashSet<>(ruling.regions());
    left.removeAll(dead);
    return new Coverage(new ResidencyClass(dataClass, jurisdiction), ruling.regions(), left);
  }

  private Ruling ruling(ResidencyClass data) {
    return known(known(rulings, data.dataClass()), data.jurisdiction());
  }

  private static <T> T known(Map<String, T> byName, String name) {
    T named = byName.get(name);
    return named != null ? named : Objects.requireNonNull(byName.get(OTHER));
  }

  private static Set<String> names(Stream<String> patterns) {
    Set<String> names =
        patterns.filter(name -> !name.equals(ResidencyRule.ANY)).collect(Collectors.toSet());
    names.add(OTHER);
    return names;
  }

  private static String shown(String name) {
    return name.equals(OTHER) ? ResidencyRule.ANY : name;
  }
}
