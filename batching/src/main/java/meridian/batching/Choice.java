package meridian.batching;

/**
 * Which batch a free lane runs. Nobody late comes first. Then the queue that had the least lane
 * time, so that a model of long executions delays others by the one that runs and no more; where
 * this would make somebody late, the queue whose batch has to begin first. Of the queue's batches
 * the largest.
 */
final class Choice {

  private final Heap<WorkQueue> queues;
  private final Outlook outlook;

  Choice(Heap<WorkQueue> queues, Outlook outlook) {
    this.queues = queues;
    this.outlook = outlook;
  }

  /** The line whose candidate is to run. */
  BucketQueue next(WorkQueue fairest, int lane, long nowNanos) {
    BucketQueue line = fairest.firstLine();
    fairest.formLargestCandidate(line);
    if (outlook.isRelaxed(0, nowNanos)) {
      return line;
    }
    int late = leastLate(fairest, lane, nowNanos);
    WorkQueue urgent = late == 0 ? fairest : mostUrgent();
    if (urgent != fairest && leastLate(urgent, lane, nowNanos) < late) {
      return urgent.firstLine();
    }
    return line;
  }

  /** Makes the candidate of the first line the largest of those that leave fewest late. */
  private int leastLate(WorkQueue queue, int lane, long nowNanos) {
    BucketQueue line = queue.firstLine();
    queue.formLargestCandidate(line);
    int fewest = outlook.lateAfter(line, lane, nowNanos);
    int best = line.candidate.tickets();
    while (fewest > 0 && line.candidate.tickets() > 1) {
      line.candidate.shorten();
      int late = outlook.lateAfter(line, lane, nowNanos);
      if (late < fewest) {
        fewest = late;
        best = line.candidate.tickets();
      }
    }
    queue.formLargestCandidate(line);
    while (line.candidate.tickets() > best) {
      line.candidate.shorten();
    }
    return fewest;
  }

  /** The queue whose next batch, as planned, has to begin first. */
  private WorkQueue mostUrgent() {
    WorkQueue urgent = planned(0);
    for (int i = 1; i < queues.size(); i++) {
      WorkQueue other = planned(i);
      long difference = latestStart(other) - latestStart(urgent);
      if (difference < 0 || (difference == 0 && other.number() < urgent.number())) {
        urgent = other;
      }
    }
    return urgent;
  }

  private WorkQueue planned(int index) {
    WorkQueue queue = queues.element(index);
    queue.formPlanned(queue.firstLine(), 0);
    return queue;
  }

  private static long latestStart(WorkQueue queue) {
    return queue.firstLine().planned.latestStartNanos();
  }
}
