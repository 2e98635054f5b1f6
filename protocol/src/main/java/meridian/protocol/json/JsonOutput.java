package meridian.protocol.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import java.io.IOException;
import meridian.core.error.ProblemException;

/** Writes one JSON document into memory. */
public final class JsonOutput {

  private JsonOutput() {}

  /** Something that writes a document and may find that a value has no form in JSON. */
  @FunctionalInterface
  public interface Writing {
    void write(JsonGenerator out) throws IOException, ProblemException;
  }

  /** The document that {@code writing} writes, in UTF-8. */
  public static byte[] write(JsonFactory factory, Writing writing) throws ProblemException {
    try (ByteArrayBuilder bytes = new ByteArrayBuilder(factory._getBufferRecycler())) {
      try (JsonGenerator out = factory.createGenerator(bytes)) {
        writing.write(out);
      }
      return bytes.getClearAndRelease();
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
  }
}
