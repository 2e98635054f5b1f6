package meridian.serving.body;

import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;

/** The JDK's decompression, and the question whether anything came after its end. */
final class StrictInflater {

  private static final int BUFFER_BYTES = 8 << 10;
  private static final int GZIP_TRAILER_BYTES = 8;

  private StrictInflater() {}

  static DecodingStream gzip(CountingInput in) throws IOException {
    Gzip gzip = new Gzip(in);
    return new DecodingStream(gzip, () -> gzip.end() == in.size());
  }

  /** Reads the zlib format, and the bare deflate format that some clients send under its name. */
  static DecodingStream deflate(CountingInput in) {
    Inflater inflater = new Inflater(!in.startsLikeZlib());
    Deflate deflate = new Deflate(in, inflater);
    return new DecodingStream(deflate, () -> deflate.end() == in.size());
  }

  /** Knows where in the input the last member ended, which its superclass keeps to itself. */
  private static final class Gzip extends GZIPInputStream {
    private final CountingInput source;
    private long filled;

    Gzip(CountingInput source) throws IOException {
      super(source, BUFFER_BYTES);
      this.source = source;
    }

    @Override
    protected void fill() throws IOException {
      super.fill();
      filled = source.count();
    }

    long end() {
      return filled - inf.getRemaining() + GZIP_TRAILER_BYTES;
    }
  }

  private static final class Deflate extends InflaterInputStream {
    private final CountingInput source;

    Deflate(CountingInput source, Inflater inflater) {
      super((InputStream) source, inflater, BUFFER_BYTES);
      this.source = source;
    }

    long end() {
      return source.count() - inf.getRemaining();
    }

    @Override
    public void close() throws IOException {
      super.close();
      inf.end();
    }
  }
}
