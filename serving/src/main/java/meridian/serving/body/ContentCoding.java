package meridian.serving.body;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.BrotliOutputStream;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** The codings of bodies, the one preferred for answers first. */
public enum ContentCoding {
  ZSTD("zstd"),
  BR("br"),
  GZIP("gzip"),
  DEFLATE("deflate");

  /** As a header lists them. */
  public static final String SUPPORTED =
      Arrays.stream(values()).map(ContentCoding::token).collect(Collectors.joining(", "));

  private static final int BUFFER_BYTES = 8 << 10;
  private static final int ZSTD_LEVEL = 1;
  private static final int BROTLI_QUALITY = 4;

  private final String token;

  ContentCoding(String token) {
    this.token = token;
  }

  /** The name in headers. */
  public String token() {
    return token;
  }

  /** The coding of that name in any case, or null. */
  static @Nullable ContentCoding named(String name) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "zstd" -> ZSTD;
      case "br" -> BR;
      case "gzip", "x-gzip" -> GZIP;
      case "deflate" -> DEFLATE;
      default -> null;
    };
  }

  /** Compresses with an eye on time: answers are made while somebody waits. */
  OutputStream compress(OutputStream out) throws IOException {
    return switch (this) {
      case ZSTD -> new ZstdOutputStreamNoFinalizer(out, ZSTD_LEVEL);
      case BR -> {
        Brotli4jLoader.ensureAvailability();
        yield new BrotliOutputStream(out, Encoder.Parameters.create(BROTLI_QUALITY), BUFFER_BYTES);
      }
      case GZIP -> new GZIPOutputStream(out, BUFFER_BYTES);
      case DEFLATE -> new DeflaterOutputStream(out);
    };
  }
}
