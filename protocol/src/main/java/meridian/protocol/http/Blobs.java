package meridian.protocol.http;

import java.lang.foreign.MemorySegment;
import meridian.core.error.ProblemException;
import meridian.protocol.json.JsonInput;

/** The binary tensors behind the JSON, taken in order. */
final class Blobs {

  private final MemorySegment bytes;
  private long at;
  private String last = "body";

  Blobs(MemorySegment bytes) {
    this.bytes = bytes;
  }

  /**
   * @param tensor the path of the tensor that the bytes belong to
   */
  MemorySegment take(String tensor, long size) throws ProblemException {
    long left = bytes.byteSize() - at;
    if (size > left) {
      throw JsonInput.invalid(
          tensor + ".parameters." + Json.BINARY_DATA_SIZE,
          size + " bytes",
          "at most the " + left + " bytes left behind the JSON");
    }
    MemorySegment blob = bytes.asSlice(at, size);
    at += size;
    last = tensor;
    return blob;
  }

  void requireEnd() throws ProblemException {
    if (at != bytes.byteSize()) {
      throw JsonInput.invalid(
          last,
          bytes.byteSize() + " bytes of binary data behind the JSON",
          at + " bytes, the sum of every " + Json.BINARY_DATA_SIZE);
    }
  }
}
