package meridian.serving.body;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.BooleanSupplier;

/**
 * A decompressor.
 *
 * @param clean once {@code decoded} has ended: whether the input ended there too
 */
record DecodingStream(InputStream decoded, BooleanSupplier clean) implements AutoCloseable {

  private static final int BUFFER_BYTES = 8 << 10;

  /** RFC 9659: what a decoder of the content coding has to support, and may refuse to exceed. */
  private static final int ZSTD_WINDOW_LOG = 23;

  static DecodingStream of(ContentCoding coding, CountingInput in) throws IOException {
    return switch (coding) {
      case GZIP -> StrictInflater.gzip(in);
      case DEFLATE -> StrictInflater.deflate(in);
      case BR -> {
        Brotli4jLoader.ensureAvailability();
        yield new DecodingStream(
            new BrotliInputStream(in, BUFFER_BYTES), () -> in.available() == 0);
      }
      case ZSTD ->
          new DecodingStream(
              new ZstdInputStreamNoFinalizer(in).setLongMax(ZSTD_WINDOW_LOG),
              () -> in.available() == 0);
    };
  }

  @Override
  public void close() throws IOException {
    decoded.close();
  }
}
