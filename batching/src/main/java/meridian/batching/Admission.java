package meridian.batching;

import java.time.Duration;
import meridian.core.error.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Whether a request can be answered in time, and in time for those accepted before. What is
 * accepted is a promise: neither priority nor a tenant's share makes an accepted request late.
 */
final class Admission {

  /** How often a table that makes a model refuse everything is put to the test. */
  private static final long PROBE_NANOS = Duration.ofSeconds(1).toNanos();

  /** A probe may take this share of a lane at most. */
  private static final int PROBE_SHARE = 20;

  private final Outlook outlook;

  Admission(Outlook outlook) {
    this.outlook = outlook;
  }

  /**
   * Why the ticket would be late even if nothing else were to be done, or null. A lane that is free
   * has nothing better to do than what will more likely than not be in time; so a spell of slow
   * executions, which the 99th percentile remembers for long, does not have everything refused.
   */
  @Nullable Problem hopeless(Ticket ticket, boolean laneFree, long nowNanos) {
    if (!ticket.isLate(nowNanos + ticket.aloneNanos)) {
      return null;
    }
    return laneFree && (isLikelyInTime(ticket, nowNanos) || mayProbe(ticket, nowNanos))
        ? null
        : Refusals.hopeless(ticket, nowNanos);
  }

  private static boolean isLikelyInTime(Ticket ticket, long nowNanos) {
    long medianNanos = (long) Math.ceil(ticket.curve().medianNanos(ticket.slots()));
    return !ticket.isLate(nowNanos + medianNanos);
  }

  /**
   * Plans a ticket that was just added, or says why it cannot stay. A tenant that waits for more
   * than its share has to leave room for one full batch of others.
   *
   * @param allowed how many were late before it came, whatever happens
   */
  @Nullable Problem plan(Ticket ticket, BucketQueue line, int allowed, long nowNanos) {
    QueueSettings settings = ticket.queue().settings();
    long heldNanos = isBeyondShare(ticket) ? ticket.curve().q99Nanos(settings.maxBatchRows()) : 0;
    return outlook.isRelaxed(heldNanos, nowNanos)
            || fits(ticket, line, allowed, heldNanos, nowNanos)
        ? null
        : Refusals.noTimeLeft(settings, outlook.lateNanos(), Outlook.bounded(outlook.lateNanos()));
  }

  static boolean isBeyondShare(Ticket ticket) {
    return ticket.queue().tenants().isBeyondShare(ticket);
  }

  /**
   * Has the ticket join the batch before it, or begin one, or has the ticket behind it begin one:
   * the first of these that keeps everyone in time.
   */
  private boolean fits(
      Ticket ticket, BucketQueue line, int allowed, long heldNanos, long nowNanos) {
    int behind = line.indexOf(ticket) + 1;
    Ticket next = behind < line.size() ? line.get(behind) : null;
    boolean nextBegins = next != null && next.beginsBatch;
    boolean fits = outlook.late(heldNanos, nowNanos) <= allowed;
    for (int breaks = 1; !fits && breaks < 4; breaks++) {
      separate(ticket, (breaks & 1) != 0);
      separate(next, (breaks & 2) != 0);
      fits = (next != null || breaks == 1) && outlook.late(heldNanos, nowNanos) <= allowed;
    }
    if (!fits) {
      separate(next, nextBegins);
    }
    return fits;
  }

  private static void separate(@Nullable Ticket ticket, boolean separate) {
    if (ticket != null) {
      ticket.queue().separate(ticket, separate);
    }
  }

  private static boolean mayProbe(Ticket ticket, long nowNanos) {
    Curve curve = ticket.curve();
    if (!curve.hasBegun()) {
      curve.begin(nowNanos);
      return false;
    }
    return curve.sinceBegunNanos(nowNanos)
        >= Math.max(PROBE_NANOS, PROBE_SHARE * ticket.aloneNanos);
  }
}
