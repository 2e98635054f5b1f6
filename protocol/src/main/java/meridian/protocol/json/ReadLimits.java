package meridian.protocol.json;

import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;

/** Bounds of what a parser reads, with messages that say what came and what was expected. */
final class ReadLimits extends StreamReadConstraints {

  private static final long serialVersionUID = 1L;

  /**
   * @param depth of arrays and objects
   * @param number longest, in characters
   * @param name longest of a field, in characters
   * @param string longest, in characters
   */
  ReadLimits(int depth, int number, int name, int string) {
    super(depth, DEFAULT_MAX_DOC_LEN, number, string, name, DEFAULT_MAX_TOKEN_COUNT);
  }

  /** Something that is larger than it may be. */
  static final class Exceeded extends StreamConstraintsException {

    private static final long serialVersionUID = 1L;

    private final String actual;
    private final String expected;

    private Exceeded(String actual, String expected) {
      super(actual);
      this.actual = actual;
      this.expected = expected;
    }

    String actual() {
      return actual;
    }

    String expected() {
      return expected;
    }
  }

  @Override
  public void validateNestingDepth(int depth) throws Exceeded {
    if (depth > _maxNestingDepth) {
      throw new Exceeded(
          "arrays and objects more than " + _maxNestingDepth + " deep",
          "at most " + _maxNestingDepth);
    }
  }

  @Override
  public void validateFPLength(int length) throws Exceeded {
    requireLength("a number", length, _maxNumLen);
  }

  @Override
  public void validateIntegerLength(int length) throws Exceeded {
    requireLength("a number", length, _maxNumLen);
  }

  @Override
  public void validateStringLength(int length) throws Exceeded {
    requireLength("a string", length, _maxStringLen);
  }

  @Override
  public void validateNameLength(int length) throws Exceeded {
    requireLength("a name", length, _maxNameLen);
  }

  private static void requireLength(String what, int length, int most) throws Exceeded {
    if (length > most) {
      throw new Exceeded(what + " of more than " + most + " characters", "at most " + most);
    }
  }
}
