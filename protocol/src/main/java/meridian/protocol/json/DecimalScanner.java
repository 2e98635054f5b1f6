package meridian.protocol.json;

/**
 * Reads ahead through an array of plain numbers. It judges nothing: whatever is not clearly a
 * number of up to 18 digits, with what has to stand before and behind it, it leaves to the parser.
 */
final class DecimalScanner {

  private static final int MOST_DIGITS = 18;
  private static final int MOST_EXPONENT = 1_000;

  private final byte[] bytes;
  private final int end;
  private int at;
  private int wholeStart;
  private boolean negative;
  private long digits;
  private int exponent;

  /**
   * @param end behind the last byte that may be read
   */
  DecimalScanner(byte[] bytes, int end) {
    this.bytes = bytes;
    this.end = end;
  }

  /**
   * Reads one element.
   *
   * @param from the end of the element before, or of the opening bracket
   * @param comma whether a comma has to come first
   * @param whole whether a point or an exponent is out of place
   * @return the end of the element, or −1 when it is left to the parser
   */
  int next(int from, boolean comma, boolean whole) {
    at = from;
    int c = afterSpace();
    if (comma) {
      if (c != ',') {
        return -1;
      }
      at++;
      c = afterSpace();
    }
    negative = c == '-';
    if (negative) {
      at++;
    }
    boolean number = readWhole() && (whole || (readFraction() && readExponent()));
    return number && isEnd() ? at : -1;
  }

  boolean negative() {
    return negative;
  }

  long digits() {
    return digits;
  }

  int exponent() {
    return exponent;
  }

  private boolean readWhole() {
    wholeStart = at;
    digits = 0;
    exponent = 0;
    readDigits();
    int length = at - wholeStart;
    boolean zeroInFront = length > 1 && bytes[wholeStart] == '0';
    return length > 0 && length <= MOST_DIGITS && !zeroInFront;
  }

  private boolean readFraction() {
    if (peek() != '.') {
      return true;
    }
    int wholeDigits = digits == 0 ? 0 : at - wholeStart;
    int start = ++at;
    readDigits();
    exponent = start - at;
    return at > start && wholeDigits + at - start <= MOST_DIGITS;
  }

  private boolean readExponent() {
    int c = peek();
    if (c != 'e' && c != 'E') {
      return true;
    }
    at++;
    c = peek();
    boolean down = c == '-';
    if (down || c == '+') {
      at++;
    }
    int start = at;
    int value = 0;
    for (c = peek(); isDigit(c) && value < MOST_EXPONENT; c = peek()) {
      value = value * 10 + (c - '0');
      at++;
    }
    exponent += down ? -value : value;
    return at > start && value < MOST_EXPONENT;
  }

  /** Overflows on more than 18 digits, which is found out afterwards. */
  private void readDigits() {
    int i = at;
    long value = digits;
    while (i < end && isDigit(bytes[i])) {
      value = value * 10 + (bytes[i] - '0');
      i++;
    }
    digits = value;
    at = i;
  }

  private static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  private int afterSpace() {
    int c = peek();
    while (isSpace(c)) {
      at++;
      c = peek();
    }
    return c;
  }

  private int peek() {
    return at < end ? bytes[at] : -1;
  }

  private static boolean isSpace(int c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
  }

  private boolean isEnd() {
    int c = peek();
    return c == ',' || c == ']' || isSpace(c);
  }
}
