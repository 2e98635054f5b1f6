package meridian.fleet.residency;

/**
 * What decides where a request may go.
 *
 * @param dataClass such as {@code medical}
 * @param jurisdiction whose law the data is under
 */
public record ResidencyClass(String dataClass, String jurisdiction) {

  @Override
  public String toString() {
    return dataClass + " data of " + jurisdiction;
  }
}
