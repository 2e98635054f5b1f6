package meridian.fleet.residency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import meridian.core.error.ErrorCode;
import meridian.fleet.topology.Region;
import meridian.fleet.topology.Topology;
import org.junit.jupiter.api.Test;

class ResidencyPolicyTest {

  private static final Topology WORLD =
      new Topology(
          List.of(
              new Region("manila", "ph"),
              new Region("kuala-lumpur", "my"),
              new Region("amsterdam", "eu")));

  private static final ResidencyPolicy POLICY =
      ResidencyPolicy.of(
          List.of(
              new ResidencyRule("*", "*", Set.of("manila", "kuala-lumpur", "amsterdam")),
              new ResidencyRule("*", "eu", Set.of("amsterdam")),
              new ResidencyRule("medical", "*", Set.of("amsterdam", "manila")),
              new ResidencyRule("medical", "ph", Set.of("manila")),
              new ResidencyRule("secret", "eu", Set.of())),
          WORLD);

  private static final ResidencyClass MEDICAL_PH = new ResidencyClass("medical", "ph");

  @Test
  void regions_dataThatNoExactRuleNames_isUnderTheGeneralOne() {
    assertThat(POLICY.regions(new ResidencyClass("public", "us")))
        .containsExactlyInAnyOrder("manila", "kuala-lumpur", "amsterdam");
  }

  @Test
  void regions_moreExactRule_decidesAlone() {
    assertThat(POLICY.regions(MEDICAL_PH)).containsExactly("manila");
  }

  @Test
  void regions_rulesThatNameEquallyMuch_allHaveToAllow() {
    assertThat(POLICY.regions(new ResidencyClass("medical", "eu"))).containsExactly("amsterdam");
  }

  @Test
  void refusal_regionThatMayNot_saysWhoMay() {
    assertThat(POLICY.refusal(MEDICAL_PH, "manila")).isNull();
    assertThat(POLICY.refusal(MEDICAL_PH, "amsterdam"))
        .satisfies(
            problem -> {
              assertThat(problem.code()).isEqualTo(ErrorCode.RESIDENCY);
              assertThat(problem.message())
                  .isEqualTo(
                      "residency: medical data of ph is not allowed in amsterdam (expected: one of"
                          + " [manila])");
            });
    assertThat(POLICY.refusal(new ResidencyClass("secret", "eu"), "amsterdam").message())
        .isEqualTo("residency: secret data of eu is allowed in no region");
  }

  @Test
  void allows_noRules_nothing() {
    ResidencyPolicy none = ResidencyPolicy.of(List.of(), WORLD);

    assertThat(none.regions(MEDICAL_PH)).isEmpty();
    assertThat(none.allows(MEDICAL_PH, "manila")).isFalse();
  }

  @Test
  void unrestricted_everyRegion_isAllowed() {
    assertThat(ResidencyPolicy.unrestricted(WORLD).regions(MEDICAL_PH))
        .containsExactlyInAnyOrderElementsOf(WORLD.names());
  }

  @Test
  void of_regionThatDoesNotExist_isRefusedWithItsPlace() {
    List<ResidencyRule> rules = List.of(new ResidencyRule("*", "*", Set.of("atlantis")));
    assertThatThrownBy(() -> ResidencyPolicy.of(rules, WORLD))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "residency[0].regions: \"atlantis\" (expected: some of [manila, kuala-lumpur,"
                + " amsterdam])");
  }

  @Test
  void rule_nameOfOtherForm_isRefused() {
    assertThatThrownBy(() -> new ResidencyRule("**", "*", Set.of()))
        .hasMessageStartingWith("data_class: \"**\" (expected: *, or 1 to 64 letters");
    assertThatThrownBy(() -> new ResidencyRule("*", "", Set.of()))
        .hasMessageStartingWith("jurisdiction: \"\"");
  }

  @Test
  void coverage_oneRegionDead_namesWhatIsLostAndWhatHasNoSecond() {
    List<Coverage> coverage = POLICY.coverage(Set.of("manila"));

    assertThat(coverage)
        .filteredOn(Coverage::isLost)
        .extracting(Coverage::data)
        .extracting(ResidencyClass::toString)
        .containsExactly("medical data of ph", "secret data of eu");
    assertThat(coverage)
        .filteredOn(Coverage::hasNoSecond)
        .extracting(Coverage::data)
        .extracting(ResidencyClass::toString)
        .containsExactly("* data of eu", "medical data of *", "medical data of eu");
  }

  /**
   * One million decisions under a thousand policies, each beside a reading of the rules by hand.
   */
  @Test
  void allows_randomPolicies_neverMoreThanTheRulesSay() {
    SplittableRandom random = new SplittableRandom(4);
    for (int round = 0; round < 1_000; round++) {
      List<ResidencyRule> rules = rules(random);
      ResidencyPolicy policy = ResidencyPolicy.of(rules, WORLD);
      for (int i = 0; i < 1_000; i++) {
        ResidencyClass data =
            new ResidencyClass("class" + random.nextInt(4), "law" + random.nextInt(4));
        String region = WORLD.names().get(random.nextInt(3));
        assertThat(policy.allows(data, region))
            .as("%s in %s under %s", data, region, rules)
            .isEqualTo(allowedByHand(rules, data, region));
      }
    }
  }

  private static List<ResidencyRule> rules(SplittableRandom random) {
    List<ResidencyRule> rules = new ArrayList<>();
    for (int i = random.nextInt(6); i > 0; i--) {
      Set<String> regions = new HashSet<>(WORLD.names());
      regions.removeIf(_ -> random.nextInt(3) == 0);
      rules.add(
          new ResidencyRule(
              random.nextBoolean() ? "*" : "class" + random.nextInt(3),
              random.nextBoolean() ? "*" : "law" + random.nextInt(3),
              regions));
    }
    return rules;
  }

  private static boolean allowedByHand(
      List<ResidencyRule> rules, ResidencyClass data, String region) {
    boolean[] spoken = new boolean[3];
    boolean[] denied = new boolean[3];
    for (ResidencyRule rule : rules) {
      boolean classNamed = rule.dataClass().equals(data.dataClass());
      boolean lawNamed = rule.jurisdiction().equals(data.jurisdiction());
      if ((classNamed || rule.dataClass().equals("*"))
          && (lawNamed || rule.jurisdiction().equals("*"))) {
        int names = (classNamed ? 1 : 0) + (lawNamed ? 1 : 0);
        spoken[names] = true;
        denied[names] |= !rule.regions().contains(region);
      }
    }
    int most = spoken[2] ? 2 : spoken[1] ? 1 : 0;
    return spoken[most] && !denied[most];
  }

  @Test
  void allows_asked_allocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    ResidencyClass unnamed = new ResidencyClass("public", "us");
    int allowed = 0;
    for (int i = 0; i < 10_000; i++) {
      allowed += POLICY.allows(unnamed, "manila") ? 1 : 0;
    }
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 10_000; i++) {
      allowed += POLICY.allows(i % 2 == 0 ? MEDICAL_PH : unnamed, "manila") ? 1 : 0;
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(10_000);
    assertThat(allowed).isEqualTo(20_000);
  }
}
