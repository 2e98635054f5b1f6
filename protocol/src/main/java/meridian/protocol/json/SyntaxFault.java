package meridian.protocol.json;

import org.jspecify.annotations.Nullable;

/**
 * Where a text stops being JSON.
 *
 * @param path of the value that is broken
 * @param actual what stands there, and where that is
 */
record SyntaxFault(String path, String actual, String expected) {

  /**
   * The first fault, or null when the text begins with a whole document and nothing but space
   * follows. For texts that a parser has refused, since it reads them again.
   *
   * @param root the path of the document itself, empty for a whole body
   */
  static @Nullable SyntaxFault find(String root, byte[] bytes, int from, int length) {
    SyntaxScan scan = new SyntaxScan(bytes, from, from + length);
    String expected = scan.run();
    return expected == null
        ? null
        : new SyntaxFault(scan.path(root), scan.shown() + scan.place(), expected);
  }
}
