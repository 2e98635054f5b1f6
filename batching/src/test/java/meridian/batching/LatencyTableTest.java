package meridian.batching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import meridian.core.latency.ExecutionTimes;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class LatencyTableTest {

  private static final Bucket BUCKET = Bucket.of(Requests.column(1));
  private static final Percentage CLOSE = Percentage.withPercentage(10);

  private final LatencyTable table = new LatencyTable();

  @Test
  void q99_nothingMeasured_isZero() {
    assertThat(table.q99Nanos(BUCKET, 1)).isZero();
    assertThat(table.medianNanos(BUCKET, 1)).isZero();
    assertThat(table.snapshot().entries()).isEmpty();
  }

  @Test
  void record_sameTimeAlways_isPredictedExactly() {
    record(4, 1_000_000, 50);
    assertThat(table.medianNanos(BUCKET, 4)).isEqualTo(1_000_000);
    assertThat(table.q99Nanos(BUCKET, 4)).isEqualTo(1_000_000);
  }

  @Test
  void record_logNormalTimes_quantilesLieWhereTheSamplesDo() {
    Random random = new Random(7);
    long[] samples = new long[5_000];
    for (int i = 0; i < samples.length; i++) {
      samples[i] = (long) (1_000_000 * Math.exp(0.3 * random.nextGaussian()));
      table.record(BUCKET, 8, samples[i]);
    }
    Arrays.sort(samples);
    assertThat(table.medianNanos(BUCKET, 8)).isCloseTo(samples[2_500], CLOSE);
    long q99 = table.q99Nanos(BUCKET, 8);
    double below = Arrays.stream(samples).filter(sample -> sample <= q99).count() / 5_000.0;
    assertThat(below).isBetween(0.97, 0.9999);
  }

  @Test
  void record_timesThatDouble_areFollowedWithinFiftyRuns() {
    record(1, 1_000_000, 1_000);
    record(1, 2_000_000, 50);
    assertThat(table.medianNanos(BUCKET, 1)).isCloseTo(2_000_000, CLOSE);
  }

  @Test
  void record_oneOutlier_movesThePredictionLittle() {
    record(1, 1_000_000, 200);
    table.record(BUCKET, 1, 1_000_000_000);
    assertThat(table.q99Nanos(BUCKET, 1)).isLessThan(1_200_000);
  }

  @Test
  void q99_interruptionsOfOneLength_areNotLongerForLargerSizes() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      int rows = 1 + random.nextInt(16);
      long interrupted = random.nextInt(20) == 0 ? 5_000_000 : 0;
      table.record(BUCKET, rows, 1_000_000L * rows + interrupted);
    }
    assertThat(table.q99Nanos(BUCKET, 16)).isBetween(20_500_000L, 22_500_000L);
  }

  @Test
  void q99_slownessOfTheWhole_growsWithTheSize() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      int rows = 1 + random.nextInt(16);
      table.record(BUCKET, rows, (random.nextInt(20) == 0 ? 2_000_000L : 1_000_000L) * rows);
    }
    assertThat(table.q99Nanos(BUCKET, 1)).isBetween(1_900_000L, 2_200_000L);
    assertThat(table.q99Nanos(BUCKET, 16)).isBetween(26_000_000L, 34_000_000L);
  }

  @Test
  void q99_unseenSizes_lieOnTheLineThroughTheOthers() {
    for (int i = 0; i < 20; i++) {
      table.record(BUCKET, 1, 3_000_000);
      table.record(BUCKET, 4, 6_000_000);
      table.record(BUCKET, 16, 18_000_000);
    }
    assertThat(table.q99Nanos(BUCKET, 8)).isCloseTo(10_000_000, within(1_000L));
    assertThat(table.q99Nanos(BUCKET, 200)).isCloseTo(202_000_000, within(10_000L));
  }

  @Test
  void q99_oneSizeSeen_growsInProportionAndNeverShrinks() {
    record(4, 8_000_000, 1);
    assertThat(table.q99Nanos(BUCKET, 8)).isEqualTo(16_000_000);
    assertThat(table.q99Nanos(BUCKET, 2)).isEqualTo(8_000_000);
  }

  @Test
  void q99_fallingTimes_giveALineThatIsNotNegative() {
    record(1, 9_000_000, 10);
    record(8, 1_000_000, 10);
    assertThat(table.q99Nanos(BUCKET, 100)).isPositive();
  }

  @Test
  void q99_sizeNotSeenForLong_followsTheLineAgain() {
    record(1, 1_000_000, 10);
    record(2, 2_000_000, 10);
    record(8, 500_000_000, 1);
    for (int i = 0; i < 1_000; i++) {
      table.record(BUCKET, 1 + i % 2, (1 + i % 2) * 1_000_000L);
    }
    assertThat(table.medianNanos(BUCKET, 8)).isCloseTo(8_000_000, CLOSE);
  }

  @Test
  void record_otherShape_isAnotherBucket() {
    record(1, 1_000_000, 5);
    Bucket wide = Bucket.of(Requests.wide(9, 0).inputs());
    assertThat(table.q99Nanos(wide, 1)).isZero();
    table.record(wide, 1, 5_000_000);
    assertThat(table.q99Nanos(wide, 1)).isEqualTo(5_000_000);
    assertThat(table.q99Nanos(BUCKET, 1)).isEqualTo(1_000_000);
  }

  @Test
  void record_moreBucketsThanKept_forgetsThoseUsedLongestAgo() {
    for (int width = 2; width < 2 + LatencyTable.MOST_BUCKETS; width++) {
      table.record(bucket(width), 1, width);
    }
    assertThat(table.q99Nanos(bucket(2), 1)).isEqualTo(2);
    table.record(BUCKET, 1, 1);
    assertThat(table.q99Nanos(bucket(2), 1)).isEqualTo(2);
    assertThat(table.q99Nanos(bucket(3), 1)).isZero();
    assertThat(table.snapshot().entries()).hasSize(LatencyTable.MOST_BUCKETS);
  }

  @Test
  void of_snapshot_predictsTheSame() {
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      int rows = 1 + 3 * random.nextInt(4);
      table.record(BUCKET, rows, 1_000_000L * rows + random.nextInt(200_000));
      table.record(bucket(7), rows, 3_000_000L * rows + random.nextInt(200_000));
    }
    LatencyTable restored = LatencyTable.of(table.snapshot());
    for (ExecutionTimes.Entry entry : table.snapshot().entries()) {
      Bucket bucket = Bucket.ofSpecs(entry.inputs());
      assertThat(restored.medianNanos(bucket, entry.rows())).isEqualTo(entry.medianNanos());
      assertThat(restored.q99Nanos(bucket, entry.rows()))
          .isCloseTo(entry.q99Nanos(), within(10L)); // rounded up twice
    }
    assertThat(restored.snapshot().entries()).hasSameSizeAs(table.snapshot().entries());
    assertThat(restored.q99Nanos(BUCKET, 6))
        .isCloseTo(table.q99Nanos(BUCKET, 6), Percentage.withPercentage(3));
  }

  @Test
  void entry_impossibleValues_throw() {
    assertThatThrownBy(() -> new ExecutionTimes.Entry(List.of(), 0, 1, 1, 1))
        .hasMessage("rows: 0 (expected: 1 or more)");
    assertThatThrownBy(() -> new ExecutionTimes.Entry(List.of(), 1, 2, 1, 1))
        .hasMessage("q99Nanos: 1 (expected: 2, the median, or more)");
    assertThatThrownBy(() -> table.record(BUCKET, 0, 1))
        .hasMessage("rows: 0 (expected: 1 or more)");
  }

  private void record(int rows, long nanos, int times) {
    for (int i = 0; i < times; i++) {
      table.record(BUCKET, rows, nanos);
    }
  }

  private static Bucket bucket(int width) {
    return Bucket.of(Requests.wide(width, 0).inputs());
  }
}
