package meridian.lab.wan;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a link does to the bytes that go through it.
 *
 * @param rtt of a byte there and one back; half of it each
 * @param jitter what is added to each way at the mean, exponentially distributed; nothing overtakes
 * @param bytesPerSecond of each way; 0 without a bound
 * @param loss share of chunks that are lost once, and come a retransmission later: 200 ms and a
 *     round trip, with all that follow them, as TCP has it
 * @param resets share of connections that are reset after their first bytes
 * @param closed ways that nothing comes through; what is sent meanwhile comes when they open
 */
public record LinkSettings(
    Duration rtt,
    Duration jitter,
    long bytesPerSecond,
    double loss,
    double resets,
    Set<Direction> closed) {

  /** No link at all: nothing is added. */
  public static final LinkSettings NONE =
      new LinkSettings(Duration.ZERO, Duration.ZERO, 0, 0, 0, Set.of());

  public LinkSettings {
    closed = Set.copyOf(closed);
    require("rtt", !rtt.isNegative(), rtt, "0 or more");
    require("jitter", !jitter.isNegative(), jitter, "0 or more");
    require("bandwidth", bytesPerSecond >= 0, bytesPerSecond, "0 or more bytes a second");
    require("loss", loss >= 0 && loss < 1, loss, "0 up to, not including, 1");
    require("resets", resets >= 0 && resets <= 1, resets, "0 to 1");
  }

  public LinkSettings withRtt(Duration other) {
    return new LinkSettings(other, jitter, bytesPerSecond, loss, resets, closed);
  }

  public LinkSettings withJitter(Duration other) {
    return new LinkSettings(rtt, other, bytesPerSecond, loss, resets, closed);
  }

  public LinkSettings withBytesPerSecond(long other) {
    return new LinkSettings(rtt, jitter, other, loss, resets, closed);
  }

  public LinkSettings withLoss(double other) {
    return new LinkSettings(rtt, jitter, bytesPerSecond, other, resets, closed);
  }

  public LinkSettings withResets(double other) {
    return new LinkSettings(rtt, jitter, bytesPerSecond, loss, other, closed);
  }

  /** Nothing comes through either way. */
  public LinkSettings blackhole() {
    return withClosed(EnumSet.allOf(Direction.class));
  }

  public LinkSettings withClosed(Set<Direction> other) {
    return new LinkSettings(rtt, jitter, bytesPerSecond, loss, resets, other);
  }

  private static void require(String field, boolean holds, Object actual, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(
          "%s: %s (expected: %s)".formatted(field, actual, expected));
    }
  }
}
