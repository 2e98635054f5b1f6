package meridian.node.warmup;

/** How far a load has come, in words, for those who wait for it. Written by one thread. */
public final class Progress {

  private volatile String text = "";

  /** Empty before there is anything to tell. */
  public String text() {
    return text;
  }

  void report(String words) {
    text = words;
  }
}
