package meridian.batching;

/**
 * What became of the requests of a queue so far; each is counted in exactly one of the parts.
 *
 * @param dispatched handed to a lane, whatever the model made of it
 * @param rejected for a bound, a deadline that cannot be kept, too many rows, or a closed queue
 * @param expired deadline passed before a run began; never executed
 * @param cancelled before a run began; never executed
 * @param queued waiting now
 */
public record Accounting(
    long offered, long dispatched, long rejected, long expired, long cancelled, long queued) {

  /** True when {@code offered} is the sum of the others, as it always must be. */
  public boolean balances() {
    return offered == dispatched + rejected + expired + cancelled + queued;
  }
}
