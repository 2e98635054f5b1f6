package meridian.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeadlineTest {

  @Test
  void isPast_atTheInstantItself_isTrue() {
    Deadline deadline = Deadline.after(100, 50);
    assertThat(deadline.isPast(149)).isFalse();
    assertThat(deadline.isPast(150)).isTrue();
    assertThat(deadline.remainingNanos(120)).isEqualTo(30);
  }

  @Test
  void isPast_whereTheClockWraps_comparesByDifference() {
    Deadline deadline = Deadline.after(Long.MAX_VALUE - 5, 10);
    assertThat(deadline.isPast(Long.MAX_VALUE)).isFalse();
    assertThat(deadline.isPast(Long.MIN_VALUE + 4)).isTrue();
  }

  @Test
  void after_longerThanAYear_doesNotWrapIntoThePast() {
    assertThat(Deadline.after(1L << 62, Long.MAX_VALUE).isPast(1L << 62)).isFalse();
  }

  @Test
  void earlier_withNone_isTheOther() {
    Deadline early = Deadline.at(1);
    Deadline late = Deadline.at(2);
    assertThat(Deadline.NONE.earlier(late)).isEqualTo(late);
    assertThat(late.earlier(Deadline.NONE)).isEqualTo(late);
    assertThat(late.earlier(early)).isEqualTo(early);
    assertThat(Deadline.NONE.isPast(Long.MAX_VALUE)).isFalse();
  }
}
