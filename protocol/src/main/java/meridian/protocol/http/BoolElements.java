package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import meridian.core.error.ProblemException;
import meridian.protocol.json.JsonInput;

final class BoolElements implements Elements {

  private final JsonInput in;
  private final byte[] data;
  private int at;

  BoolElements(JsonInput in, int count) {
    this.in = in;
    this.data = new byte[count];
  }

  @Override
  public void add(JsonToken token) throws IOException, ProblemException {
    data[at++] =
        switch (token) {
          case VALUE_TRUE -> 1;
          case VALUE_FALSE -> 0;
          default -> throw in.unexpected("true or false for BOOL");
        };
  }

  @Override
  public MemorySegment finish() {
    return MemorySegment.ofArray(data);
  }
}
