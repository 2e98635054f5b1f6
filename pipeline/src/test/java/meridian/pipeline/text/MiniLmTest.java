package meridian.pipeline.text;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnxruntime.OrtException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import meridian.core.backend.ModelLoadException;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.pipeline.Prepared;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sample models: the same vectors as an independent tokenizer and the plain graph give. */
class MiniLmTest {

  private static final double SAME = 0.9999;

  private static final String[] TEXTS = {
    "Hello world",
    "",
    "The quick brown fox jumps over the lazy dog",
    "A man is eating food.",
    "Café crème à la carte — naïve façade",
    "機械学習は楽しい",
    "This is[SEP]a test",
    "😀👍🏽 !?",
    "Latency is measured from the intended start of a request, not from when it was sent. "
        .repeat(12),
  };

  @TempDir static Path folder;
  private static Path file;
  private static WordPieceReference reference;

  @BeforeAll
  static void write() {
    file = Samples.write(folder, Samples.tokenizer());
    reference = new WordPieceReference(Samples.tokenizer());
  }

  @Test
  void fp32_eachTextAlone_equalsThePlainGraph() throws Exception {
    try (OnnxGraph graph = new OnnxGraph(Samples.bytes(Samples.FP32));
        TextPipeline pipeline = open(false)) {
      for (String text : TEXTS) {
        assertSame(embed(pipeline, graph, text), graph, text);
      }
    }
  }

  @Test
  void fp32_paddedBatch_equalsThePlainGraphOnEachTextAlone() throws Exception {
    try (OnnxGraph graph = new OnnxGraph(Samples.bytes(Samples.FP32));
        TextPipeline pipeline = open(false)) {
      assertThat(Samples.prepare(pipeline, TEXTS).executions()).hasSize(1);
      assertSame(embed(pipeline, graph, TEXTS), graph, TEXTS);
    }
  }

  @Test
  void int8_separateRows_equalThePlainGraphOnEachTextAlone() throws Exception {
    try (OnnxGraph graph = new OnnxGraph(Samples.bytes(Samples.INT8));
        TextPipeline pipeline = open(true)) {
      assertThat(Samples.prepare(pipeline, TEXTS).executions()).hasSize(TEXTS.length);
      assertSame(embed(pipeline, graph, TEXTS), graph, TEXTS);
    }
  }

  private static TextPipeline open(boolean separateRows) throws ModelLoadException {
    return TextPipeline.open(file, TextSettings.defaults(), Samples.GRAPH, separateRows);
  }

  private static float[] embed(TextPipeline pipeline, OnnxGraph graph, String... texts)
      throws OrtException {
    Prepared prepared = Samples.prepare(pipeline, texts);
    List<List<NamedTensor>> outputs = new ArrayList<>();
    for (List<NamedTensor> inputs : prepared.executions()) {
      outputs.add(graph.run(inputs));
    }
    List<NamedTensor> answer = prepared.finish(outputs);
    Tensor embedding = Samples.tensor(answer, "embedding");
    assertThat(answer).hasSize(1);
    assertThat(embedding.shape()).isEqualTo(Shape.of(texts.length, 384));
    return embedding.toFloats();
  }

  private static void assertSame(float[] actual, OnnxGraph graph, String... texts)
      throws OrtException {
    for (int i = 0; i < texts.length; i++) {
      double[] vector = NaivePooling.mean(actual, i * 384, 1, 384);
      assertThat(NaivePooling.cosine(vector, graph.embed(reference.encode(texts[i]))))
          .as(texts[i])
          .isGreaterThanOrEqualTo(SAME);
    }
  }
}
