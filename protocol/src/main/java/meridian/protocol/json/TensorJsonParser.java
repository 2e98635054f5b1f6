package meridian.protocol.json;

import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.UTF8StreamJsonParser;
import com.fasterxml.jackson.core.sym.ByteQuadsCanonicalizer;

/**
 * Jackson's parser over an array, which can also read ahead through plain numbers without a token
 * for each.
 */
final class TensorJsonParser extends UTF8StreamJsonParser {

  private final DecimalScanner scanner;

  TensorJsonParser(
      IOContext context,
      int features,
      ByteQuadsCanonicalizer symbols,
      byte[] data,
      int offset,
      int length) {
    super(context, features, null, null, symbols, data, offset, offset + length, 0, false);
    this.scanner = new DecimalScanner(data, offset + length);
  }

  /**
   * Hands the next elements of the current array to {@code sink}, as long as they are plain numbers
   * that it takes. The next token is the one behind them. The current token has to be the start of
   * the array or a number in it.
   *
   * @return how many were taken, at most {@code most}
   */
  long ahead(long most, boolean whole, DecimalSink sink) {
    long taken = 0;
    while (taken < most) {
      int end = scanner.next(_inputPtr, _parsingContext.hasCurrentIndex(), whole);
      if (end < 0 || !sink.take(scanner.negative(), scanner.digits(), scanner.exponent())) {
        break;
      }
      _inputPtr = end;
      _parsingContext.expectComma();
      taken++;
    }
    return taken;
  }
}
