package meridian.serving.body;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyDecoderTest {

  private static final byte[] TEXT =
      "{\"inputs\":[1,2,3]}".repeat(2_000).getBytes(StandardCharsets.UTF_8);

  private final BodyDecoder decoder = new BodyDecoder(16 << 20, 250);

  @ParameterizedTest
  @EnumSource
  void decode_ownEncoding_givesTheSameBytes(ContentCoding coding) {
    assertThat(ok(decoder.decode(coding.token(), Unpooled.wrappedBuffer(encode(coding, TEXT)))))
        .isEqualTo(TEXT);
  }

  @ParameterizedTest
  @EnumSource
  void decode_emptyContent_isEmpty(ContentCoding coding) {
    assertThat(
            ok(decoder.decode(coding.token(), Unpooled.wrappedBuffer(encode(coding, new byte[0])))))
        .isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void decode_cutAnywhere_isCorrupt(ContentCoding coding) {
    byte[] encoded = encode(coding, noise(20_000));
    for (int length = 0; length < encoded.length; length += Math.max(1, encoded.length / 97)) {
      assertThat(
              failed(
                  decoder.decode(
                      coding.token(), Unpooled.wrappedBuffer(Arrays.copyOf(encoded, length)))))
          .as("cut to %d of %d", length, encoded.length)
          .returns(ErrorCode.INVALID_ARGUMENT, Problem::code);
    }
  }

  @ParameterizedTest
  @EnumSource
  void decode_trailingJunk_isCorrupt(ContentCoding coding) {
    for (byte[] content : List.of(TEXT, noise(8_192), noise(100_000))) {
      byte[] encoded = encode(coding, content);
      for (int junk : new int[] {1, 7, 8, 9, 30, 10_000}) {
        byte[] longer = Arrays.copyOf(encoded, encoded.length + junk);
        Arrays.fill(longer, encoded.length, longer.length, (byte) 'x');
        assertThat(failed(decoder.decode(coding.token(), Unpooled.wrappedBuffer(longer))))
            .as("%d bytes more", junk)
            .returns(ErrorCode.INVALID_ARGUMENT, Problem::code);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void decode_plainBody_isCorrupt(ContentCoding coding) {
    assertThat(failed(decoder.decode(coding.token(), Unpooled.wrappedBuffer(TEXT))).code())
        .isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void decode_twoGzipMembers_areJoined() {
    byte[] member = encode(ContentCoding.GZIP, TEXT);
    assertThat(ok(decoder.decode("gzip", Unpooled.wrappedBuffer(member, member))))
        .hasSize(2 * TEXT.length);
  }

  @Test
  void decode_bareDeflate_isRead() {
    java.util.zip.Deflater deflater = new java.util.zip.Deflater(6, true);
    deflater.setInput(TEXT);
    deflater.finish();
    byte[] encoded = new byte[TEXT.length];
    int size = deflater.deflate(encoded);
    deflater.end();
    assertThat(ok(decoder.decode("deflate", Unpooled.wrappedBuffer(encoded, 0, size))))
        .isEqualTo(TEXT);
  }

  @ParameterizedTest
  @EnumSource
  void decode_overTheLimit_isTooLarge(ContentCoding coding) {
    BodyDecoder small = new BodyDecoder(1_000, 250);
    byte[] fits = noise(1_000);
    assertThat(ok(small.decode(coding.token(), Unpooled.wrappedBuffer(encode(coding, fits)))))
        .isEqualTo(fits);
    assertThat(
            failed(
                small.decode(coding.token(), Unpooled.wrappedBuffer(encode(coding, noise(1_001))))))
        .isEqualTo(
            Problem.of(
                ErrorCode.TOO_LARGE,
                "body: more than 1000 bytes decompressed (expected: at most 1000)"));
  }

  @ParameterizedTest
  @EnumSource
  void decode_bomb_isTooLargeByItsRatio(ContentCoding coding) {
    byte[] encoded = encode(coding, new byte[8 << 20]);
    assertThat(failed(decoder.decode(coding.token(), Unpooled.wrappedBuffer(encoded))))
        .returns(ErrorCode.TOO_LARGE, Problem::code)
        .extracting(Problem::message)
        .asString()
        .contains("expected: at most 250 out of each");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gzip, gzip", "snappy", "gzip,br", "identity, gzip", "*"})
  void decode_otherCoding_namesTheSupported(String header) {
    assertThat(failed(decoder.decode(header, Unpooled.wrappedBuffer(TEXT))))
        .isEqualTo(
            Problem.of(
                ErrorCode.UNSUPPORTED_ENCODING,
                "Content-Encoding: \"" + header + "\" (expected: one of zstd, br, gzip, deflate)"));
  }

  @Test
  void compressed_severalParts_decodeToTheirSum() {
    byte[] encoded =
        bytes(
            BodyEncoder.compressed(
                ContentCoding.ZSTD,
                new byte[] {1, 2},
                List.of(MemorySegment.ofArray(noise(20_000)), MemorySegment.ofArray(TEXT))));
    assertThat(ok(decoder.decode("zstd", Unpooled.wrappedBuffer(encoded))))
        .hasSize(2 + 20_000 + TEXT.length)
        .startsWith(1, 2)
        .endsWith(TEXT);
  }

  private static byte[] encode(ContentCoding coding, byte[] content) {
    return bytes(BodyEncoder.compressed(coding, content, List.of()));
  }

  private static byte[] bytes(io.netty.buffer.ByteBuf buffer) {
    return io.netty.buffer.ByteBufUtil.getBytes(buffer);
  }

  private static byte[] noise(int size) {
    byte[] noise = new byte[size];
    new Random(size).nextBytes(noise);
    return noise;
  }

  private static byte[] ok(Outcome<MemorySegment> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Ok.class);
    return ((Outcome.Ok<MemorySegment>) outcome).value().toArray(ValueLayout.JAVA_BYTE);
  }

  private static Problem failed(Outcome<MemorySegment> outcome) {
    assertThat(outcome).isInstanceOf(Outcome.Failed.class);
    return ((Outcome.Failed<MemorySegment>) outcome).problem();
  }
}
