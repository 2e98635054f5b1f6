package meridian.node.lifecycle;

import meridian.node.warmup.Progress;

/**
 * A version as the index shows it.
 *
 * @param progress of its load, while it is loading
 */
record VersionView(long number, Phase phase, String reason, Progress progress) {

  /** What there is to tell about its phase; empty for nothing. */
  String note() {
    return phase == Phase.LOADING ? progress.text() : reason;
  }
}
