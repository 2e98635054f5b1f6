package meridian.node;

import static meridian.node.TestNode.join;
import static meridian.node.TestNode.only;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import meridian.core.backend.Backend;
import meridian.core.backend.Backend.ExecutionSettings;
import meridian.core.backend.LoadedModel;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameters;
import meridian.core.latency.Stage;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.onnx.OnnxRuntimeBackend;
import meridian.pipeline.Prepared;
import meridian.pipeline.text.TextPipeline;
import meridian.pipeline.text.TextSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sample models: whatever else is served, a text gets the vector it gets alone. */
class TextModelTest {

  private static final int SIZE = 384;
  private static final List<String> TEXTS =
      List.of(
          "Where is the nearest ferry terminal?",
          "ok",
          "A long sentence about nothing in particular, " + "and so on ".repeat(40),
          "Prices rose by 3.4 % in March.",
          "",
          "東京の天気",
          "The quick brown fox jumps over the lazy dog");

  @TempDir static Path root;
  private static TestNode node;

  @BeforeAll
  static void start() throws IOException {
    write("minilm", "/all-minilm-l6-v2.onnx");
    write("minilm-int8", "/all-minilm-l6-v2-q.onnx");
    node = TestNode.start(root);
    assertThat(node.node.ready()).as(node.node.index().toString()).isTrue();
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"minilm", "minilm-int8"})
  void infer_manyAtOnce_everyTextGetsItsOwnVector(String model) throws Exception {
    List<float[]> alone = alone(model);
    List<CompletionStage<InferResult>> results = new ArrayList<>();
    for (int i = 0; i < 3 * TEXTS.size(); i++) {
      results.add(node.node.infer(request(model, TEXTS.get(i % TEXTS.size()))));
      results.add(node.node.infer(request("minilm", TEXTS.getFirst())));
      results.add(node.node.infer(request("minilm-int8", TEXTS.getLast())));
    }
    for (int i = 0; i < 3 * TEXTS.size(); i++) {
      float[] vector = only(join(results.get(3 * i))).toFloats();
      assertThat(cosine(vector, alone.get(i % TEXTS.size()))).isGreaterThanOrEqualTo(0.9999);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"minilm", "minilm-int8"})
  void infer_severalTextsInOneRequest_rowsAreTheVectorsOfTheTexts(String model) throws Exception {
    List<float[]> alone = alone(model);

    InferResult result = node.infer(request(model, TEXTS.toArray(String[]::new)));

    Tensor vectors = only(result);
    assertThat(vectors.shape()).isEqualTo(Shape.of(TEXTS.size(), SIZE));
    float[] values = vectors.toFloats();
    for (int i = 0; i < TEXTS.size(); i++) {
      float[] vector = new float[SIZE];
      System.arraycopy(values, i * SIZE, vector, 0, SIZE);
      assertThat(cosine(vector, alone.get(i))).isGreaterThanOrEqualTo(0.9999);
    }
    for (Stage stage : List.of(Stage.DATA, Stage.MODEL)) {
      assertThat(result.latency().nanos(stage)).isPositive();
    }
  }

  @Test
  void infer_textsTooLargeForTheCallersThread_areAnsweredAlike() {
    String[] texts =
        IntStream.range(0, 30).mapToObj(i -> i + " " + "word ".repeat(40)).toArray(String[]::new);

    assertThat(only(node.infer(request("minilm", texts))).shape())
        .isEqualTo(Shape.of(texts.length, SIZE));
  }

  @Test
  void infer_noText_givesNoVector() {
    assertThat(only(node.infer(request("minilm"))).shape()).isEqualTo(Shape.of(0, SIZE));
  }

  @Test
  void infer_textThatIsCut_isReportedInTheResponse() {
    InferResponse response =
        (InferResponse) node.infer(request("minilm", "word ".repeat(700), "short"));

    assertThat(response.parameters().get(TextPipeline.TRUNCATED)).isNotNull();
  }

  @Test
  void infer_textThatIsNotUtf8_isRefused() {
    Tensor broken = Tensor.ofStrings(Shape.of(1), List.of(new byte[] {(byte) 0xFF}));

    assertThat(node.problem("minilm", "text", broken).code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
  }

  @Test
  void describe_sampleModels_tellWhetherRowsInfluenceEachOther() {
    assertThat(node.properties("minilm"))
        .containsEntry("batch_invariant", "true")
        .containsEntry("batching", "mixed");
    assertThat(node.properties("minilm-int8"))
        .containsEntry("batch_invariant", "false")
        .containsEntry("batching", "exact");
  }

  private static List<float[]> alone(String model) throws Exception {
    Path folder = root.resolve(model).resolve("1");
    List<float[]> vectors = new ArrayList<>();
    try (Backend backend = OnnxRuntimeBackend.open();
        LoadedModel graph =
            backend.load(folder.resolve("model.onnx"), new ExecutionSettings(List.of(), 1));
        TextPipeline pipeline =
            TextPipeline.open(
                folder.resolve("tokenizer.json"),
                TextSettings.defaults(),
                graph.signature(),
                true)) {
      for (String text : TEXTS) {
        List<NamedTensor> inputs = request(model, text).inputs();
        Prepared prepared =
            ((Outcome.Ok<Prepared>) pipeline.prepare(inputs, Parameters.NONE)).value();
        List<NamedTensor> outputs =
            graph.run(prepared.executions().getFirst(), pipeline.graphOutputs());
        vectors.add(prepared.finish(List.of(outputs)).getFirst().tensor().toFloats());
      }
    }
    return vectors;
  }

  private static InferRequest request(String model, String... texts) {
    List<byte[]> elements =
        List.of(texts).stream().map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    return TestNode.request(model, "text", Tensor.ofStrings(Shape.of(texts.length), elements));
  }

  private static double cosine(float[] a, float[] b) {
    double dot = 0;
    double aa = 0;
    double bb = 0;
    for (int i = 0; i < a.length; i++) {
      dot += (double) a[i] * b[i];
      aa += (double) a[i] * a[i];
      bb += (double) b[i] * b[i];
    }
    return dot / Math.sqrt(aa * bb);
  }

  private static void write(String model, String resource) throws IOException {
    Path folder = Files.createDirectories(root.resolve(model).resolve("1"));
    copy(resource, folder.resolve("model.onnx"));
    copy("/all-minilm-l6-v2-tokenizer.json", folder.resolve("tokenizer.json"));
    Files.writeString(folder.resolveSibling("model.yaml"), "pipeline: {text: {}}");
  }

  private static void copy(String resource, Path file) throws IOException {
    try (InputStream stream =
        Objects.requireNonNull(TextModelTest.class.getResourceAsStream(resource), resource)) {
      Files.copy(stream, file);
    }
  }
}
