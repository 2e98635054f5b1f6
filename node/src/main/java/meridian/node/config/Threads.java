package meridian.node.config;

/**
 * How many threads run one execution, the lane's own among them.
 *
 * @param count 0 to have what suits the model measured when it is loaded
 */
public record Threads(int count) {

  public static final Threads AUTO = new Threads(0);

  /** Far above any machine's cores, and below what a machine cannot start. */
  private static final int MOST = 1_024;

  static final String EXPECTED = "auto, or 1 to " + MOST;

  private static final String MEASURED = "auto";

  public Threads {
    if (count < 0 || count > MOST) {
      throw refusal(Integer.toString(count));
    }
  }

  /**
   * @param text {@code auto} or a number
   * @throws IllegalArgumentException if it is neither
   */
  public static Threads parse(String text) {
    if (text.equals(MEASURED)) {
      return AUTO;
    }
    try {
      return of(Integer.parseInt(text));
    } catch (NumberFormatException _) {
      throw refusal(text);
    }
  }

  /**
   * @throws IllegalArgumentException if the count is not positive
   */
  public static Threads of(int count) {
    if (count < 1) {
      throw refusal(Integer.toString(count));
    }
    return new Threads(count);
  }

  public boolean isMeasured() {
    return count == 0;
  }

  @Override
  public String toString() {
    return isMeasured() ? MEASURED : Integer.toString(count);
  }

  private static IllegalArgumentException refusal(String came) {
    return new IllegalArgumentException("%s (expected: %s)".formatted(came, EXPECTED));
  }
}
