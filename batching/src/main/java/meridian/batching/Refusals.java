package meridian.batching;

import java.time.Duration;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;

/** Why work is not executed, in words. */
final class Refusals {

  private Refusals() {}

  static Problem tooManyRows(int rows, int most) {
    return Problem.invalid("inputs", rows + " rows", "at most " + most);
  }

  static Problem queueFull(
      QueueSettings settings, String unit, long queued, long more, long most, Duration retryAfter) {
    return Problem.retryLater(
        ErrorCode.OVERLOADED,
        "queue of \"%s\": %d %s waiting and %d more (expected: at most %d)"
            .formatted(settings.model(), queued, unit, more, most),
        retryAfter);
  }

  /**
   * @param lateNanos how much too late it, or one that was accepted before, would be
   */
  static Problem noTimeLeft(QueueSettings settings, long lateNanos, Duration retryAfter) {
    return Problem.retryLater(
        ErrorCode.OVERLOADED,
        "queue of \"%s\": with this request an answer would be %.3f ms late (expected: in time)"
            .formatted(settings.model(), lateNanos / 1e6),
        retryAfter);
  }

  static Problem hopeless(Ticket ticket, long nowNanos) {
    return Problem.of(
        ErrorCode.DEADLINE_EXCEEDED,
        "deadline: in %.3f ms (expected: %.3f ms or more, what the model takes without any wait)"
            .formatted(
                ticket.work().deadline().remainingNanos(nowNanos) / 1e6, ticket.aloneNanos / 1e6));
  }

  static Problem over(Ticket ticket, Tally.Event over, long nowNanos) {
    return over == Tally.Event.CANCELLED ? cancelled() : deadlinePassed(ticket, nowNanos);
  }

  static Problem deadlinePassed(Ticket ticket, long nowNanos) {
    double late = -ticket.work().deadline().remainingNanos(nowNanos) / 1e6;
    double waited = ticket.waitedNanos(nowNanos) / 1e6;
    return Problem.of(
        ErrorCode.DEADLINE_EXCEEDED,
        "deadline: passed %.3f ms ago, after %.3f ms in the queue (expected: in the future)"
            .formatted(late, waited));
  }

  static Problem cancelled() {
    return Problem.of(
        ErrorCode.CANCELLED, "request: cancelled before it ran (expected: a caller that waits)");
  }

  static Problem queueClosed(QueueSettings settings) {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "model \"%s\": no longer served here (expected: a version that is ready)"
            .formatted(settings.model()));
  }
}
