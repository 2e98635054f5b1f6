package meridian.protocol.http;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A message for the wire: JSON, then the blobs. Without blobs it is plain JSON; with them the
 * header {@link meridian.protocol.Headers#JSON_LENGTH} has to say {@code json.length}.
 *
 * @param blobs views of the tensors' own memory
 */
public record HttpInferReply(byte[] json, List<MemorySegment> blobs) {

  public HttpInferReply {
    blobs = List.copyOf(blobs);
  }

  public boolean isBinary() {
    return !blobs.isEmpty();
  }

  /** Bytes of JSON and blobs together. */
  public long byteSize() {
    long size = json.length;
    for (MemorySegment blob : blobs) {
      size += blob.byteSize();
    }
    return size;
  }
}
