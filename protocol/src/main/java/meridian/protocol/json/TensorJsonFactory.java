package meridian.protocol.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.ContentReference;
import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import meridian.protocol.Limits;

/**
 * Makes parsers that take UTF-8 only, where Jackson would guess UTF-16 or UTF-32 from zero bytes.
 */
final class TensorJsonFactory extends JsonFactory {

  private static final long serialVersionUID = 1L;
  private static final int MAX_NUMBER = 1_000;
  private static final int MAX_NAME = 4_096;

  TensorJsonFactory(Limits limits) {
    super(settings(limits));
  }

  private static JsonFactoryBuilder settings(Limits limits) {
    int longest = (int) Math.min(limits.maxBodyBytes(), Integer.MAX_VALUE);
    return new JsonFactoryBuilder()
        .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
        .enable(StreamReadFeature.USE_FAST_BIG_NUMBER_PARSER)
        .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8)
        .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
        .streamReadConstraints(new ReadLimits(limits.maxDepth(), MAX_NUMBER, MAX_NAME, longest));
  }

  TensorJsonParser parser(byte[] data, int offset, int length) {
    ContentReference source = _createContentReference(data, offset, length);
    return _createParser(data, offset, length, _createContext(source, true));
  }

  @Override
  protected TensorJsonParser _createParser(byte[] data, int offset, int len, IOContext context) {
    return new TensorJsonParser(
        context,
        _parserFeatures,
        _byteSymbolCanonicalizer.makeChildOrPlaceholder(_factoryFeatures),
        data,
        offset,
        len);
  }
}
