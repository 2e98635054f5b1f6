package meridian.pipeline.text;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import meridian.core.error.Outcome;
import meridian.core.infer.Parameters;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.core.tensor.TensorSpec;
import meridian.pipeline.Prepared;
import meridian.pipeline.text.TextSettings.GraphNames;
import meridian.pipeline.text.TextSettings.Normalize;
import meridian.pipeline.text.TextSettings.Overflow;
import meridian.pipeline.text.TextSettings.Pooling;
import meridian.pipeline.text.TextSettings.SpecialTokens;

/** The sample model's files, and short forms of what the tests pass around. */
final class Samples {

  static final String FP32 = "/all-minilm-l6-v2.onnx";
  static final String INT8 = "/all-minilm-l6-v2-q.onnx";

  static final Signature GRAPH =
      new Signature(
          List.of(
              TensorSpec.of("input_ids", DataType.INT64, -1, -1),
              TensorSpec.of("attention_mask", DataType.INT64, -1, -1),
              TensorSpec.of("token_type_ids", DataType.INT64, -1, -1)),
          List.of(TensorSpec.of("last_hidden_state", DataType.FP32, -1, -1, 384)),
          true);

  private Samples() {}

  static byte[] bytes(String resource) {
    try (InputStream stream =
        Objects.requireNonNull(Samples.class.getResourceAsStream(resource), resource)) {
      return stream.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JsonObject tokenizer() {
    String json = new String(bytes("/all-minilm-l6-v2-tokenizer.json"), StandardCharsets.UTF_8);
    return JsonParser.parseString(json).getAsJsonObject();
  }

  static Path write(Path folder, JsonObject tokenizer) {
    try {
      return Files.writeString(folder.resolve("tokenizer.json"), tokenizer.toString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static TextSettings limited(int maxTokens, Overflow overflow) {
    return settings(maxTokens, overflow, SpecialTokens.TEXT, Pooling.MEAN);
  }

  static TextSettings pooled(Pooling pooling) {
    return settings(null, Overflow.TRUNCATE, SpecialTokens.TEXT, pooling);
  }

  static TextSettings special(SpecialTokens specialTokens) {
    return settings(null, Overflow.TRUNCATE, specialTokens, Pooling.MEAN);
  }

  static TextSettings settings(
      Integer maxTokens, Overflow overflow, SpecialTokens specialTokens, Pooling pooling) {
    return new TextSettings(
        "text",
        "embedding",
        GraphNames.FOUND,
        maxTokens,
        null,
        overflow,
        1,
        specialTokens,
        pooling,
        Normalize.L2);
  }

  static List<NamedTensor> request(String... texts) {
    List<byte[]> elements =
        Arrays.stream(texts).map(text -> text.getBytes(StandardCharsets.UTF_8)).toList();
    return request(Tensor.ofStrings(Shape.of(texts.length), elements));
  }

  static List<NamedTensor> request(Tensor texts) {
    return List.of(new NamedTensor("text", texts));
  }

  static Prepared prepare(TextPipeline pipeline, String... texts) {
    return switch (pipeline.prepare(request(texts), Parameters.NONE)) {
      case Outcome.Ok<Prepared>(Prepared prepared) -> prepared;
      case Outcome.Failed<Prepared>(var problem) -> throw new AssertionError(problem.message());
    };
  }

  static long[] ids(TextPipeline pipeline, String text) {
    return tensor(prepare(pipeline, text).executions().getFirst(), "input_ids").toLongs();
  }

  static Tensor tensor(List<NamedTensor> tensors, String name) {
    return tensors.stream()
        .filter(tensor -> tensor.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no tensor " + name))
        .tensor();
  }
}
