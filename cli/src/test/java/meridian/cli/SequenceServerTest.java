package meridian.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import meridian.client.MeridianClient;
import meridian.client.Wire;
import meridian.core.error.ErrorCode;
import meridian.core.infer.InferFailure;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.testkit.graph.ModelFolder;
import meridian.testkit.graph.StateGraphs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sequences over sockets, on a model that adds what it is given. */
class SequenceServerTest {

  private static final int SEQUENCES = 24;
  private static final int STEPS = 20;

  private static RegionServer server;

  @BeforeAll
  static void start(@TempDir Path root) throws Exception {
    ModelFolder.write(root, "sum", 1, StateGraphs.accumulator());
    Files.writeString(
        root.resolve("sum/model.yaml"),
        """
        sequence: {states: [{input: state, output: next, axis: 1}]}
        fixed_inputs: {scale: 1}
        """);
    server = TestServers.start(root);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @EnumSource
  void infer_manySequencesSideBySide_answerAsEachAlone(Wire wire) {
    try (MeridianClient client = MeridianClient.connect(server.inference(), wire)) {
      Map<Integer, Float> sums = new HashMap<>();
      for (int step = 0; step < STEPS; step++) {
        List<CompletionStage<InferResult>> results = new ArrayList<>();
        for (int i = 0; i < SEQUENCES; i++) {
          float x = 1 + i * step;
          sums.merge(i, x, Float::sum);
          results.add(client.infer(request(id(wire, i), x, step == 0, step == STEPS - 1)));
        }
        for (int i = 0; i < SEQUENCES; i++) {
          assertThat(sum(results.get(i))).isEqualTo(sums.get(i));
        }
      }
      InferFailure ended = failure(client.infer(request(id(wire, 0), 1, false, false)));
      assertThat(ended.problem().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(ended.problem().message()).startsWith("parameters.sequence_id: ");
    }
  }

  @ParameterizedTest
  @EnumSource
  void infer_withoutASequence_isToldWhatIsMissing(Wire wire) {
    try (MeridianClient client = MeridianClient.connect(server.inference(), wire)) {
      InferRequest plain = request(new Parameter.Int(1), 1, true, false);
      InferFailure refused = failure(client.infer(plain.withParameters(Parameters.NONE)));
      assertThat(refused.problem().code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(refused.problem().message()).startsWith("parameters.sequence_id: missing");
    }
  }

  /** Whole numbers and texts by turns. */
  private static Parameter id(Wire wire, int number) {
    return number % 2 == 0
        ? new Parameter.Int(1 + number + 100L * wire.ordinal())
        : new Parameter.Text(wire + "-" + number);
  }

  private static InferRequest request(Parameter id, float x, boolean start, boolean end) {
    return InferRequest.of("sum", List.of(new NamedTensor("x", Tensor.ofFloats(Shape.of(1, 1), x))))
        .withParameters(
            Parameters.NONE
                .with("sequence_id", id)
                .with("sequence_start", new Parameter.Bool(start))
                .with("sequence_end", new Parameter.Bool(end)));
  }

  private static float sum(CompletionStage<InferResult> stage) {
    InferResult result = join(stage);
    assertThat(result).isInstanceOf(InferResponse.class);
    return ((InferResponse) result).outputs().getFirst().tensor().toFloats()[0];
  }

  private static InferFailure failure(CompletionStage<InferResult> stage) {
    InferResult result = join(stage);
    assertThat(result).isInstanceOf(InferFailure.class);
    return (InferFailure) result;
  }

  private static InferResult join(CompletionStage<InferResult> stage) {
    return stage.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
  }
}
