package meridian.protocol.grpc;

import static meridian.protocol.SameTensors.assertSameBits;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.infer.RequestedOutput;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.time.Deadline;
import meridian.proto.ModelInferRequest;
import meridian.proto.ModelInferResponse;
import meridian.protocol.Limits;
import meridian.protocol.RandomTensors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GrpcRoundTripTest {

  private static final int ROUNDS = 300;
  private static final Parameters PARAMETERS =
      Parameters.NONE
          .with("flag", new Parameter.Bool(true))
          .with("high", new Parameter.Unsigned(-1))
          .with("low", new Parameter.Int(Long.MIN_VALUE))
          .with("real", new Parameter.Real(1e300))
          .with("text", new Parameter.Text("é"));

  private final InferGrpcCodec codec = new InferGrpcCodec(Limits.DEFAULT);

  @ParameterizedTest
  @EnumSource(GrpcFormat.class)
  void request_randomTensors_comesBackBitByBit(GrpcFormat format) throws Exception {
    RandomTensors tensors = new RandomTensors(3);
    for (int i = 0; i < ROUNDS; i++) {
      List<NamedTensor> inputs = tensors.several();
      byte[] wire = codec.encodeRequest(request(inputs), format).toByteArray();
      GrpcInfer infer =
          codec
              .decode(
                  ModelInferRequest.parseFrom(wire),
                  new GrpcCall(Deadline.NONE, new Cancellation(), 0, InferRequest.NO_TENANT))
              .orElseThrow();
      assertSameBits(infer.request().inputs(), inputs);
      assertThat(infer.request().parameters()).isEqualTo(PARAMETERS);
      assertThat(infer.request().version()).isEqualTo("7");
      assertThat(infer.request().priority()).isEqualTo(2);
      assertThat(infer.request().outputs())
          .containsExactly(RequestedOutput.of("y"), new RequestedOutput("z", 5));
      assertThat(infer.format()).isEqualTo(expected(inputs, format));
    }
  }

  @Test
  void request_withoutContents_isAnsweredRaw() throws Exception {
    ModelInferRequest noRows =
        ModelInferRequest.newBuilder()
            .setModelName("m")
            .addInputs(
                ModelInferRequest.InferInputTensor.newBuilder()
                    .setName("x")
                    .setDatatype("FP32")
                    .addShape(0))
            .build();
    GrpcInfer infer =
        codec
            .decode(
                noRows, new GrpcCall(Deadline.NONE, new Cancellation(), 0, InferRequest.NO_TENANT))
            .orElseThrow();
    assertThat(infer.format()).isEqualTo(GrpcFormat.RAW);
  }

  @ParameterizedTest
  @EnumSource(GrpcFormat.class)
  void response_randomTensors_comesBackBitByBit(GrpcFormat format) throws Exception {
    RandomTensors tensors = new RandomTensors(4);
    for (int i = 0; i < ROUNDS; i++) {
      List<NamedTensor> outputs = tensors.several();
      InferResponse response =
          new InferResponse("m", "7", "id", PARAMETERS, outputs, LatencyBreakdown.ZERO);
      ModelInferResponse wire =
          ModelInferResponse.parseFrom(codec.encode(response, format).toByteArray());
      assertThat(wire.getRawOutputContentsCount() > 0)
          .isEqualTo(!outputs.isEmpty() && expected(outputs, format) == GrpcFormat.RAW);
      InferResponse read = codec.decodeResponse(wire).orElseThrow();
      assertSameBits(read.outputs(), outputs);
      assertThat(read).usingRecursiveComparison().ignoringFields("outputs").isEqualTo(response);
    }
  }

  private static GrpcFormat expected(List<NamedTensor> tensors, GrpcFormat format) {
    boolean rawOnly =
        tensors.stream()
            .map(named -> named.tensor().type())
            .anyMatch(type -> type == DataType.FP16 || type == DataType.BF16);
    return tensors.isEmpty() || rawOnly ? GrpcFormat.RAW : format;
  }

  private static InferRequest request(List<NamedTensor> inputs) {
    return new InferRequest(
        "m",
        "7",
        "id",
        PARAMETERS,
        inputs,
        List.of(RequestedOutput.of("y"), new RequestedOutput("z", 5)),
        Deadline.NONE,
        2,
        new Cancellation(),
        InferRequest.NO_TENANT);
  }
}
