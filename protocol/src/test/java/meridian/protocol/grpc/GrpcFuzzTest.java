package meridian.protocol.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferRequest;
import meridian.core.time.Deadline;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferResponse;
import meridian.protocol.Limits;
import meridian.protocol.RandomTensors;
import org.junit.jupiter.api.Test;

/** Whatever message comes in, the codec answers with a value. */
class GrpcFuzzTest {

  private static final int ROUNDS = 60_000;

  private final Random random = new Random(12);
  private final InferGrpcCodec codec = new InferGrpcCodec(Limits.DEFAULT);

  @Test
  void messages_goodThenMutated_giveAValue() {
    List<byte[]> good = good();
    int taken = 0;
    int refused = 0;
    for (int i = 0; i < ROUNDS; i++) {
      byte[] wire = good.get(random.nextInt(good.size())).clone();
      for (int change = random.nextInt(4); change >= 0 && wire.length > 0; change--) {
        wire[random.nextInt(wire.length)] = (byte) random.nextInt(256);
      }
      switch (feed(wire)) {
        case 1 -> taken++;
        case -1 -> refused++;
        default -> {}
      }
    }
    assertThat(taken).as("messages taken").isGreaterThan(ROUNDS / 100);
    assertThat(refused).as("messages refused by the codec").isGreaterThan(ROUNDS / 100);
  }

  private List<byte[]> good() {
    RandomTensors tensors = new RandomTensors(6);
    List<byte[]> wires = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      InferRequest request = InferRequest.of("m", tensors.several());
      wires.add(codec.encodeRequest(request, GrpcFormat.values()[i % 2]).toByteArray());
    }
    return wires;
  }

  /** 1 when it was taken, −1 when the codec refused it, 0 when it is no message at all. */
  private int feed(byte[] wire) {
    try {
      ModelInferRequest message = ModelInferRequest.parseFrom(wire);
      codec.decodeResponse(ModelInferResponse.parseFrom(wire));
      Outcome<GrpcInfer> outcome =
          codec.decode(
              message, new GrpcCall(Deadline.NONE, new Cancellation(), 0, InferRequest.NO_TENANT));
      if (outcome instanceof Outcome.Failed<GrpcInfer>(Problem problem)) {
        assertThat(problem.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
        assertThat(problem.message()).contains(": ", " (expected: ");
        return -1;
      }
      return 1;
    } catch (InvalidProtocolBufferException _) {
      return 0;
    }
  }
}
