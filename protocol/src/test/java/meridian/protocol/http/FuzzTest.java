package meridian.protocol.http;

import static meridian.protocol.http.Requests.body;
import static meridian.protocol.http.Requests.call;
import static meridian.protocol.http.Requests.codec;
import static meridian.protocol.http.Requests.value;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.Parameter;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.TensorSpec;
import meridian.protocol.RandomTensors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Whatever comes in, the codec answers with a value, and takes memory in proportion to the body.
 */
class FuzzTest {

  private static final int ROUNDS = 40_000;
  private static final long FIXED_BYTES = 1 << 20;
  private static final long PER_BODY_BYTE = 64;
  private static final Set<ErrorCode> CLIENT =
      Set.of(ErrorCode.INVALID_ARGUMENT, ErrorCode.TOO_LARGE, ErrorCode.NOT_REPRESENTABLE);
  private static final String[] PIECES = {
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "\\u0000",
    "\\ud800",
    "null",
    "true",
    "NaN",
    "-Infinity",
    "-",
    "1e999",
    "-0",
    "18446744073709551616",
    "4611686018427387904",
    "1.5",
    "0.1e-400",
    "\"data\":",
    "\"shape\":[2,2],",
    "\"datatype\":\"FP16\",",
    "\"parameters\":{\"binary_data_size\":4},",
    "\"parameters\":{\"content_encoding\":\"base64\"},",
    "\u00e9",
    "[[",
    "]]",
    " \n",
    "\"inputs\":[]"
  };

  private final Random random = new Random(11);
  private final InferHttpCodec codec = codec(TensorSpec.of("x", DataType.FP32, -1, 2));
  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** The first refusal loads classes, which no body is to be charged with. */
  @BeforeEach
  void loadClasses() {
    assertThat(codec.decode(HttpInferBody.json(new byte[] {-1}), call()))
        .isInstanceOf(Outcome.Failed.class);
  }

  @Test
  void bodies_random_giveAValue() {
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = new byte[random.nextInt(64)];
      random.nextBytes(bytes);
      feed(bytes, random.nextInt(-1, 70));
    }
  }

  @Test
  void bodies_ofJsonPieces_giveAValue() {
    for (int i = 0; i < ROUNDS; i++) {
      StringBuilder text = new StringBuilder("{\"inputs\":[{\"name\":\"x\",");
      int pieces = random.nextInt(12);
      for (int p = 0; p < pieces; p++) {
        text.append(PIECES[random.nextInt(PIECES.length)]);
      }
      feed(text.toString().getBytes(StandardCharsets.UTF_8), -1);
    }
  }

  @Test
  void bodies_goodThenMutated_giveAValue() {
    List<HttpInferBody> good = good();
    for (int i = 0; i < ROUNDS; i++) {
      HttpInferBody body = good.get(random.nextInt(good.size()));
      byte[] mutated = mutate(body.bytes().toArray(ValueLayout.JAVA_BYTE));
      feed(mutated, body.jsonLength() + (random.nextInt(4) == 0 ? random.nextInt(-3, 4) : 0));
    }
  }

  private List<HttpInferBody> good() {
    RandomTensors tensors = new RandomTensors(5);
    List<HttpInferBody> bodies = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      InferRequest request = InferRequest.of("m", tensors.several());
      bodies.add(body(codec.encodeRequest(request, i % 2 == 0)));
      InferResponse response = Requests.response(tensors.several().toArray(NamedTensor[]::new));
      bodies.add(body(value(codec.encode(response, ResponseFormat.BINARY))));
    }
    return bodies;
  }

  private byte[] mutate(byte[] bytes) {
    byte[] mutated = bytes;
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes; i++) {
      mutated = change(mutated);
    }
    return mutated;
  }

  private byte[] change(byte[] bytes) {
    int at = random.nextInt(bytes.length + 1);
    byte[] piece =
        switch (random.nextInt(4)) {
          case 0 -> new byte[] {(byte) random.nextInt(256)};
          case 1 -> PIECES[random.nextInt(PIECES.length)].getBytes(StandardCharsets.UTF_8);
          default -> new byte[0];
        };
    int cut =
        Math.min(
            bytes.length - at, random.nextInt(3) == 0 ? random.nextInt(20) : random.nextInt(2));
    byte[] changed = new byte[bytes.length - cut + piece.length];
    System.arraycopy(bytes, 0, changed, 0, at);
    System.arraycopy(piece, 0, changed, at, piece.length);
    System.arraycopy(bytes, at + cut, changed, at + piece.length, bytes.length - at - cut);
    return changed;
  }

  private void feed(byte[] bytes, long jsonLength) {
    HttpInferBody body = new HttpInferBody(MemorySegment.ofArray(bytes), Math.max(-1, jsonLength));
    long before = threads.getCurrentThreadAllocatedBytes();
    Outcome<HttpInfer> outcome = codec.decode(body, call());
    long taken = threads.getCurrentThreadAllocatedBytes() - before;
    assertThat(taken).isLessThan(FIXED_BYTES + PER_BODY_BYTE * bytes.length);
    switch (outcome) {
      case Outcome.Ok<HttpInfer>(HttpInfer infer) -> echo(infer);
      case Outcome.Failed<HttpInfer>(Problem problem) -> {
        assertThat(problem.code()).isIn(CLIENT);
        assertThat(problem.message()).contains(": ", " (expected: ");
      }
    }
    if (codec.decodeResponse(body) instanceof Outcome.Failed<InferResponse>(Problem problem)) {
      assertThat(problem.code()).isEqualTo(ErrorCode.INTERNAL);
    }
  }

  /** What was taken can be given back, or is not representable. */
  private void echo(HttpInfer infer) {
    InferRequest request = infer.request();
    InferResponse response =
        new InferResponse(
            "m", "1", request.id(), request.parameters(), request.inputs(), LatencyBreakdown.ZERO);
    if (codec.encode(response, infer.format())
        instanceof Outcome.Failed<HttpInferReply>(Problem problem)) {
      assertThat(problem.code()).isEqualTo(ErrorCode.NOT_REPRESENTABLE);
    }
    for (Parameter parameter : request.parameters().values().values()) {
      assertThat(parameter).isNotNull();
    }
  }
}
