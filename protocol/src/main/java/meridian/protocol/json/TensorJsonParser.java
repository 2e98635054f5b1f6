package meridian.protocol.json;

import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.UTF8StreamJsonParser;
import com.fasterxml.jackson.core.sym.ByteQuadsCanonicalizer;

/** Jackson's parser over an array. */
final class TensorJsonParser extends UTF8StreamJsonParser {

  TensorJsonParser(
      IOContext context,
      int features,
      ByteQuadsCanonicalizer symbols,
      byte[] data,
      int offset,
      int length) {
    super(context, features, null, null, symbols, data, offset, offset + length, 0, false);
  }
}
