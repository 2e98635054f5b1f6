package meridian.onnx.file;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A protobuf file read field by field, with what is of no interest skipped. Nested messages are
 * entered by their length and left at their end.
 */
final class MessageSource implements AutoCloseable {

  private static final int MAX_DEPTH = 100;

  private final InputStream stream;
  private final CodedInputStream input;
  private final long size;
  private int depth;
  private int tag;

  private MessageSource(InputStream stream, long size) {
    this.stream = stream;
    this.size = size;
    this.input = CodedInputStream.newInstance(stream);
    input.setSizeLimit(Integer.MAX_VALUE);
  }

  static MessageSource open(Path file, long size) throws IOException {
    return new MessageSource(Files.newInputStream(file), size);
  }

  /** Goes to the next field of the message; 0 at its end. */
  int nextField() throws IOException {
    tag = input.readTag();
    return WireFormat.getTagFieldNumber(tag);
  }

  boolean isBytes() {
    return WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
  }

  boolean isNumber() {
    return WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_VARINT;
  }

  long readNumber() throws IOException {
    return input.readInt64();
  }

  /** A text of at most {@code maxBytes}; a longer one is no name or path and so a fault. */
  String readText(int maxBytes) throws IOException {
    int length = length();
    if (length > maxBytes) {
      throw new InvalidProtocolBufferException(
          "text of " + length + " bytes (expected: at most " + maxBytes + ")");
    }
    return new String(input.readRawBytes(length), StandardCharsets.UTF_8);
  }

  void skip() throws IOException {
    if (isBytes()) {
      input.skipRawBytes(length());
    } else {
      input.skipField(tag);
    }
  }

  /** Enters the message that the field holds; give the result to {@link #leave}. */
  int enter() throws IOException {
    if (++depth > MAX_DEPTH) {
      throw new InvalidProtocolBufferException("more than " + MAX_DEPTH + " messages deep");
    }
    return input.pushLimit(length());
  }

  void leave(int outer) {
    depth--;
    input.popLimit(outer);
  }

  /** The length of the field; skipping alone would not notice that the file ends before it does. */
  private int length() throws IOException {
    int length = input.readRawVarint32();
    if (length < 0 || input.getTotalBytesRead() + (long) length > size) {
      throw new InvalidProtocolBufferException("field of " + length + " bytes runs past the end");
    }
    return length;
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}
