package meridian.pipeline.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.TensorSpec;
import meridian.pipeline.text.TextSettings.GraphNames;
import meridian.pipeline.text.TextSettings.Pooling;
import org.junit.jupiter.api.Test;

class TextGraphTest {

  private static final TensorSpec IDS = TensorSpec.of("input_ids", DataType.INT64, -1, -1);
  private static final TensorSpec MASK = TensorSpec.of("attention_mask", DataType.INT64, -1, -1);
  private static final TensorSpec STATES =
      TensorSpec.of("last_hidden_state", DataType.FP32, -1, -1, 8);

  @Test
  void find_usualNames_areFound() throws ModelLoadException {
    TextGraph graph = TextGraph.find(TextSettings.defaults(), Samples.GRAPH);
    assertThat(graph.inputIds().name()).isEqualTo("input_ids");
    assertThat(graph.attentionMask().name()).isEqualTo("attention_mask");
    assertThat(graph.tokenTypeIds().name()).isEqualTo("token_type_ids");
    assertThat(graph.vectorSize()).isEqualTo(384);
    assertThat(graph.takesOneRow()).isFalse();
  }

  @Test
  void find_declaredNames_areTaken() throws ModelLoadException {
    Signature graph =
        signature(
            List.of(
                TensorSpec.of("ids", DataType.INT64, -1, -1),
                TensorSpec.of("mask", DataType.INT64, -1, -1)),
            STATES,
            TensorSpec.of("other", DataType.FP32, -1, -1, 4));
    TextGraph found = TextGraph.find(names("ids", "mask", null, "other"), graph);
    assertThat(found.inputIds().name()).isEqualTo("ids");
    assertThat(found.attentionMask().name()).isEqualTo("mask");
    assertThat(found.tokenTypeIds()).isNull();
    assertThat(found.output().name()).isEqualTo("other");
  }

  @Test
  void find_onlyOutputOfAnotherName_isTaken() throws ModelLoadException {
    Signature graph =
        signature(List.of(IDS, MASK), TensorSpec.of("output_0", DataType.FP32, -1, -1, 8));
    assertThat(TextGraph.find(TextSettings.defaults(), graph).output().name())
        .isEqualTo("output_0");
  }

  @Test
  void find_graphWithoutMask_takesOneRow() throws ModelLoadException {
    TextGraph graph = TextGraph.find(TextSettings.defaults(), signature(List.of(IDS), STATES));
    assertThat(graph.takesOneRow()).isTrue();
  }

  @Test
  void find_graphThatPools_needsPoolingNone() throws ModelLoadException {
    Signature graph = signature(List.of(IDS, MASK), TensorSpec.of("logits", DataType.FP32, -1, 2));
    assertThat(TextGraph.find(Samples.pooled(Pooling.NONE), graph).givesTokenVectors()).isFalse();
    assertThatThrownBy(() -> TextGraph.find(TextSettings.defaults(), graph))
        .hasMessage(
            "pipeline.text: the graph's outputs hold \"logits\" as FP32 [-1,2]"
                + " (expected: FP32 of rank 3)");
  }

  @Test
  void find_graphThatDoesNotFit_saysWhatIsMissing() {
    TensorSpec two = TensorSpec.of("b", DataType.FP32, -1, -1, 8);
    TensorSpec half = TensorSpec.of("last_hidden_state", DataType.FP16, -1, -1, 8);
    TensorSpec pixels = TensorSpec.of("pixels", DataType.FP32, -1, 3);
    TensorSpec floats = TensorSpec.of("input_ids", DataType.FP32, -1, -1);
    TensorSpec four = TensorSpec.of("input_ids", DataType.INT64, 4, -1);
    Stream.of(
            new Unfit(signature(List.of(MASK), STATES), "inputs have no \"input_ids\""),
            new Unfit(
                signature(List.of(IDS), TensorSpec.of("a", DataType.FP32, -1, -1, 8), two),
                "outputs have no \"last_hidden_state\" (expected: one of [a, b])"),
            new Unfit(signature(List.of(IDS, MASK), half), "as FP16 [-1,-1,8] (expected: FP32"),
            new Unfit(
                signature(List.of(IDS, MASK, pixels), STATES), "input \"pixels\" has no source"),
            new Unfit(signature(List.of(floats, MASK), STATES), "as FP32 [-1,-1] (expected: INT64"),
            new Unfit(signature(List.of(four, MASK), STATES), "as INT64 [4,-1] (expected: INT64"))
        .forEach(
            unfit ->
                assertThatThrownBy(() -> TextGraph.find(TextSettings.defaults(), unfit.graph))
                    .isInstanceOf(ModelLoadException.class)
                    .hasMessageContaining(unfit.message));
  }

  @Test
  void find_declaredNameTheGraphLacks_isRefused() {
    assertThatThrownBy(() -> TextGraph.find(names(null, "mask", null, null), Samples.GRAPH))
        .hasMessage(
            "pipeline.text: the graph's inputs have no \"mask\""
                + " (expected: one of [input_ids, attention_mask, token_type_ids])");
  }

  private record Unfit(Signature graph, String message) {}

  private static Signature signature(List<TensorSpec> inputs, TensorSpec... outputs) {
    return new Signature(inputs, List.of(outputs), true);
  }

  private static TextSettings names(String ids, String mask, String typeIds, String output) {
    return new TextSettings(
        null,
        null,
        new GraphNames(ids, mask, typeIds, output),
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }
}
