package meridian.pipeline.text;

/**
 * The tokens of one text, special tokens included, without padding.
 *
 * @param cut true when the text has more
 */
record Encoding(long[] ids, long[] typeIds, boolean cut) {

  static final long[] NO_TYPE_IDS = {};

  int length() {
    return ids.length;
  }
}
