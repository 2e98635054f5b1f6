package meridian.fleet.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyTest {

  private static final Region MANILA = new Region("manila", "ph");
  private static final Region AMSTERDAM = new Region("amsterdam", "eu");

  @Test
  void regions_keepTheirOrder() {
    Topology topology = new Topology(List.of(MANILA, AMSTERDAM));

    assertThat(topology.regions()).containsExactly(MANILA, AMSTERDAM);
    assertThat(topology.names()).containsExactly("manila", "amsterdam");
    assertThat(topology.region("amsterdam")).isEqualTo(AMSTERDAM);
    assertThat(topology.region("atlantis")).isNull();
  }

  @Test
  void topology_noneOrTwoOfOneName_isRefused() {
    assertThatThrownBy(() -> new Topology(List.of()))
        .hasMessage("regions: none (expected: one or more)");
    assertThatThrownBy(() -> new Topology(List.of(MANILA, new Region("manila", "eu"))))
        .hasMessage("regions: \"manila\" twice (expected: a name of its own for each)");
  }

  @Test
  void topology_moreThanASetHolds_isRefused() {
    List<Region> many = IntStream.range(0, 65).mapToObj(i -> new Region("r" + i, "law")).toList();
    assertThatThrownBy(() -> new Topology(many)).hasMessage("regions: 65 (expected: at most 64)");
    assertThat(new Topology(many.subList(0, 64)).names()).hasSize(64);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "-a", ".a", "a b", "a/b", "a\n", "ä", "*"})
  void region_nameOfOtherForm_isRefusedWithTheRule(String name) {
    assertThatThrownBy(() -> new Region(name, "ph"))
        .hasMessage("name: \"" + name + "\" (expected: " + Region.RULE + ")");
    assertThatThrownBy(() -> new Region("manila", name)).hasMessageStartingWith("jurisdiction: \"");
  }

  @Test
  void region_nameTooLong_isRefused() {
    assertThat(Region.isName("a".repeat(64))).isTrue();
    assertThat(Region.isName("a".repeat(65))).isFalse();
  }
}
