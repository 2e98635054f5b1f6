package meridian.core.latency;

/**
 * Where a request's time went: {@code total = network + data + queue + model + service}, all in
 * nanoseconds and never negative.
 */
public record LatencyBreakdown(
    long networkNanos, long dataNanos, long queueNanos, long modelNanos, long serviceNanos) {

  public static final LatencyBreakdown ZERO = new LatencyBreakdown(0, 0, 0, 0, 0);

  public LatencyBreakdown {
    if (networkNanos < 0 || dataNanos < 0 || queueNanos < 0 || modelNanos < 0 || serviceNanos < 0) {
      throw new IllegalArgumentException(
          "nanos: %d, %d, %d, %d, %d (expected: none negative)"
              .formatted(networkNanos, dataNanos, queueNanos, modelNanos, serviceNanos));
    }
  }

  public static LatencyBreakdown of(Stage stage, long nanos) {
    return ZERO.plus(stage, nanos);
  }

  public long nanos(Stage stage) {
    return switch (stage) {
      case NETWORK -> networkNanos;
      case DATA -> dataNanos;
      case QUEUE -> queueNanos;
      case MODEL -> modelNanos;
      case SERVICE -> serviceNanos;
    };
  }

  public LatencyBreakdown plus(Stage stage, long nanos) {
    return switch (stage) {
      case NETWORK ->
          new LatencyBreakdown(
              networkNanos + nanos, dataNanos, queueNanos, modelNanos, serviceNanos);
      case DATA ->
          new LatencyBreakdown(
              networkNanos, dataNanos + nanos, queueNanos, modelNanos, serviceNanos);
      case QUEUE ->
          new LatencyBreakdown(
              networkNanos, dataNanos, queueNanos + nanos, modelNanos, serviceNanos);
      case MODEL ->
          new LatencyBreakdown(
              networkNanos, dataNanos, queueNanos, modelNanos + nanos, serviceNanos);
      case SERVICE ->
          new LatencyBreakdown(
              networkNanos, dataNanos, queueNanos, modelNanos, serviceNanos + nanos);
    };
  }

  public LatencyBreakdown plus(LatencyBreakdown other) {
    return new LatencyBreakdown(
        networkNanos + other.networkNanos,
        dataNanos + other.dataNanos,
        queueNanos + other.queueNanos,
        modelNanos + other.modelNanos,
        serviceNanos + other.serviceNanos);
  }

  public long totalNanos() {
    return networkNanos + dataNanos + queueNanos + modelNanos + serviceNanos;
  }

  /** The same breakdown with what is missing to {@code totalNanos} counted as service. */
  public LatencyBreakdown filledTo(long totalNanos) {
    return plus(Stage.SERVICE, Math.max(0, totalNanos - totalNanos()));
  }

  /** The share of the total, 0 to 1; 0 when the total is 0. */
  public double share(Stage stage) {
    long total = totalNanos();
    return total == 0 ? 0 : (double) nanos(stage) / total;
  }

  /** The stage to improve first; the earlier one where two are equal. */
  public Stage largest() {
    Stage largest = Stage.NETWORK;
    for (Stage stage : Stage.values()) {
      if (nanos(stage) > nanos(largest)) {
        largest = stage;
      }
    }
    return largest;
  }
}
