package meridian.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RateSearchTest {

  private static final double PRECISION = 0.05;

  @ParameterizedTest
  @ValueSource(doubles = {1, 7, 49, 50, 51, 333, 4_321, 99_999})
  void search_sharpCapacity_isFoundFromBelowWithinThePrecision(double capacity) {
    RateSearch search = new RateSearch(50, PRECISION);
    List<RateSearch.Step> steps = run(search, step -> step.rate() <= capacity);
    assertThat(search.result()).isBetween(capacity / (1 + PRECISION), capacity);
    assertThat(steps.getLast()).isEqualTo(new RateSearch.Step(search.result(), true));
    assertThat(steps).hasSizeLessThan(20);
  }

  @Test
  void search_start_doublesUntilOneFails() {
    RateSearch search = new RateSearch(100, PRECISION);
    assertThat(run(search, step -> step.rate() < 500))
        .extracting(RateSearch.Step::rate)
        .startsWith(100.0, 200.0, 400.0, 800.0);
  }

  @Test
  void search_confirmationFails_stepsDownUntilOneHolds() {
    RateSearch search = new RateSearch(100, PRECISION);
    List<RateSearch.Step> steps =
        run(search, step -> step.rate() <= (step.confirming() ? 160 : 199));
    assertThat(search.result()).isBetween(0.9 * 160, 160.0);
    assertThat(steps.stream().filter(RateSearch.Step::confirming)).hasSizeBetween(2, 4);
  }

  @Test
  void search_nothingPasses_endsWithoutResult() {
    RateSearch search = new RateSearch(100, PRECISION);
    assertThat(run(search, _ -> false)).hasSizeLessThan(12);
    assertThat(search.result()).isZero();
  }

  @Test
  void search_confirmationNeverHolds_endsWithoutResult() {
    RateSearch search = new RateSearch(100, PRECISION);
    run(search, step -> !step.confirming() && step.rate() <= 300);
    assertThat(search.result()).isZero();
  }

  @Test
  void search_everythingPasses_ends() {
    RateSearch search = new RateSearch(100, PRECISION);
    assertThat(run(search, _ -> true)).hasSizeLessThan(20);
    assertThat(search.result()).isEqualTo(1_000_000);
  }

  @Test
  void tell_afterTheEnd_isRefused() {
    RateSearch search = new RateSearch(100, PRECISION);
    run(search, _ -> false);
    assertThatThrownBy(() -> search.tell(true)).isInstanceOf(IllegalStateException.class);
  }

  private static List<RateSearch.Step> run(RateSearch search, Predicate<RateSearch.Step> passes) {
    List<RateSearch.Step> steps = new ArrayList<>();
    for (Optional<RateSearch.Step> step = search.next(); step.isPresent(); step = search.next()) {
      steps.add(step.get());
      search.tell(passes.test(step.get()));
    }
    return steps;
  }
}
