package meridian.node.warmup;

import java.util.function.BooleanSupplier;

/**
 * How far a load has come, in words, for those who wait for it; and whether anybody still does.
 * Written by one thread.
 */
public final class Progress {

  private final BooleanSupplier unwanted;
  private volatile String text = "";

  /**
   * @param unwanted true once nobody has a use for the version any more
   */
  public Progress(BooleanSupplier unwanted) {
    this.unwanted = unwanted;
  }

  /** Says whether to stop: no further run is of use. */
  public boolean isUnwanted() {
    return unwanted.getAsBoolean();
  }

  /** Empty before there is anything to tell. */
  public String text() {
    return text;
  }

  void report(String words) {
    text = words;
  }
}
