package meridian.protocol.http;

import java.lang.foreign.MemorySegment;

/**
 * The body of a request or response for inference, after decompression. Tensors that come out of it
 * may be views of {@code bytes}.
 *
 * @param bytes fastest on the heap; JSON in other memory is copied
 * @param jsonLength bytes of JSON in front of the binary tensors, as the header {@link
 *     meridian.protocol.Headers#JSON_LENGTH} says; 0 when all of the body is one raw tensor; −1
 *     without that header
 */
public record HttpInferBody(MemorySegment bytes, long jsonLength) {

  public static HttpInferBody json(byte[] json) {
    return new HttpInferBody(MemorySegment.ofArray(json), -1);
  }
}
