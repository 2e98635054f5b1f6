package meridian.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import meridian.client.MeridianClient;
import meridian.client.Wire;
import meridian.core.backend.Backend;
import meridian.core.backend.LoadedModel;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameters;
import meridian.core.model.Signature;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.onnx.OnnxRuntimeBackend;
import meridian.pipeline.text.TextPipeline;
import meridian.pipeline.text.TextSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * The sample models give the vectors that the plain graph gives in process for a text alone,
 * whatever else is being served at that moment.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SampleModelsTest {

  private static final Path SAMPLES = Path.of("../samples/target/models");
  private static final double SAME = 0.9999;
  private static final List<String> TEXTS =
      List.of(
          "Where is my order?",
          "",
          "a",
          "The delivery arrived two days late and the box was open, but the shop answered at once.",
          "Größe 42, bitte — naïve café 東京 😀",
          "[SEP] is plain text here, and so is [CLS].",
          "Cancel my subscription, please.",
          "one two three ".repeat(30));

  private RegionServer server;

  @BeforeAll
  void start() throws Exception {
    server = TestServers.start(SAMPLES);
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void minilm_underMixedLoad_givesThePlainGraphsVectors() throws Exception {
    assertSameAsPlainGraph("minilm");
  }

  @Test
  void minilmInt8_underMixedLoad_givesThePlainGraphsVectors() throws Exception {
    assertSameAsPlainGraph("minilm-int8");
  }

  private void assertSameAsPlainGraph(String model) throws Exception {
    List<CompletableFuture<InferResult>> answers = new ArrayList<>();
    try (MeridianClient grpc = MeridianClient.connect(server.inference(), Wire.GRPC);
        MeridianClient rest = MeridianClient.connect(server.inference(), Wire.REST_JSON)) {
      for (int round = 0; round < 4; round++) {
        for (String text : TEXTS) {
          answers.add(rest.infer(texts("minilm", List.of(text))).toCompletableFuture());
          answers.add(grpc.infer(texts("minilm-int8", List.of(text))).toCompletableFuture());
        }
        answers.add(grpc.infer(texts(model, TEXTS)).toCompletableFuture());
      }
      answers.forEach(CompletableFuture::join);
      assertCosines(model, answers);
    }
  }

  private static TextPipeline tokenPipeline(Signature graph) throws Exception {
    Path tokenizer = SAMPLES.resolve("minilm/1/tokenizer.json");
    return TextPipeline.open(tokenizer, TextSettings.defaults(), graph, true);
  }

  private void assertCosines(String model, List<CompletableFuture<InferResult>> answers)
      throws Exception {
    Path graph = SAMPLES.resolve(model).resolve("1/model.onnx");
    int compared = 0;
    try (Backend backend = OnnxRuntimeBackend.open();
        LoadedModel plain = backend.load(graph, Backend.ExecutionSettings.SINGLE_THREAD);
        TextPipeline tokens = tokenPipeline(plain.signature())) {
      List<float[]> expected = new ArrayList<>();
      for (String text : TEXTS) {
        expected.add(plainVector(plain, tokens, text));
      }
      int perRound = 2 * TEXTS.size() + 1;
      int single = model.equals("minilm") ? 0 : 1;
      for (int i = 0; i < answers.size(); i++) {
        float[] vectors = vectors(answers.get(i).join());
        if (i % perRound == perRound - 1) {
          for (int row = 0; row < TEXTS.size(); row++) {
            assertThat(cosine(vectors, row, expected.get(row))).isGreaterThanOrEqualTo(SAME);
          }
          compared++;
        } else if (i % perRound % 2 == single) {
          float[] own = expected.get(i % perRound / 2);
          assertThat(cosine(vectors, 0, own)).isGreaterThanOrEqualTo(SAME);
          compared++;
        }
      }
    }
    assertThat(compared).isEqualTo(4 * (TEXTS.size() + 1));
  }

  /** Mean over the tokens, in double precision. */
  private static float[] plainVector(LoadedModel plain, TextPipeline tokens, String text)
      throws Exception {
    List<NamedTensor> inputs =
        tokens
            .prepare(texts("minilm", List.of(text)).inputs(), Parameters.NONE)
            .orElseThrow()
            .executions()
            .getFirst();
    float[] hidden = plain.run(inputs, Set.of("last_hidden_state")).getFirst().tensor().toFloats();
    int count = (int) inputs.getFirst().tensor().elementCount();
    int width = hidden.length / count;
    float[] mean = new float[width];
    for (int j = 0; j < width; j++) {
      double sum = 0;
      for (int t = 0; t < count; t++) {
        sum += hidden[t * width + j];
      }
      mean[j] = (float) (sum / count);
    }
    return mean;
  }

  private static float[] vectors(InferResult result) {
    assertThat(result).isInstanceOf(InferResponse.class);
    return ((InferResponse) result).outputs().getFirst().tensor().toFloats();
  }

  private static double cosine(float[] vectors, int row, float[] expected) {
    double dot = 0;
    double a = 0;
    double b = 0;
    for (int i = 0; i < expected.length; i++) {
      float x = vectors[row * expected.length + i];
      dot += (double) x * expected[i];
      a += (double) x * x;
      b += (double) expected[i] * expected[i];
    }
    return dot / Math.sqrt(a * b);
  }

  private static InferRequest texts(String model, List<String> texts) {
    List<byte[]> elements =
        texts.stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    return InferRequest.of(
        model,
        List.of(new NamedTensor("text", Tensor.ofStrings(Shape.of(texts.size()), elements))));
  }
}
