package meridian.core.infer;

/**
 * An output that the caller wants.
 *
 * @param classes the number of top classes to give instead of the tensor; 0 for the tensor itself
 */
public record RequestedOutput(String name, int classes) {

  public static RequestedOutput of(String name) {
    return new RequestedOutput(name, 0);
  }
}
