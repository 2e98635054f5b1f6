package meridian.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import org.junit.jupiter.api.Test;

class GraphClaimsTest {

  private static final Signature GRAPH =
      new Signature(
          List.of(
              TensorSpec.of("a", DataType.FP32, -1, 1000),
              TensorSpec.of("b", DataType.FP32, -1, -1)),
          List.of(TensorSpec.of("y", DataType.FP32, -1, 10)),
          true);

  @Test
  void fit_everyKindOfContradiction_isToldInOneError() {
    String config =
        """
        max_batch_size: 8
        input [ { name: "a" data_type: TYPE_FP16 dims: [ 1001 ] } ]
        output [ { name: "z" data_type: TYPE_FP32 dims: [ 10 ] },
                 { name: "y" data_type: TYPE_FP32 dims: [ 10, 1 ] } ]
        """;

    assertThatThrownBy(() -> claims(config).fit(GRAPH))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageContaining("input[0].data_type: FP16 for \"a\" (expected: FP32 as in the graph)")
        .hasMessageContaining(
            "input[0].dims: [-1,1001] for \"a\" (expected: [-1,1000] as in the graph)")
        .hasMessageContaining("input: \"b\" of the graph is missing (expected: FP32 [-1,-1])")
        .hasMessageContaining("output[0].name: \"z\" (expected: one of the graph's outputs [y])")
        .hasMessageContaining(
            "output[1].dims: [-1,10,1] for \"y\" (expected: [-1,10] as in the graph)");
  }

  @Test
  void fit_narrowerDims_narrowTheSignature() throws ModelLoadException {
    String config =
        """
        max_batch_size: 8
        input [ { name: "a" data_type: TYPE_FP32 dims: [ 1000 ] },
                { name: "b" data_type: TYPE_FP32 dims: [ 7 ] } ]
        """;

    Signature fitted = claims(config).fit(GRAPH);

    assertThat(fitted.input("b").orElseThrow().shape()).isEqualTo(Shape.of(-1, 7));
    assertThat(fitted.outputs()).isEqualTo(GRAPH.outputs());
    assertThat(fitted.batched()).isTrue();
  }

  @Test
  void fit_variableDimOfAFixedOne_isAContradiction() {
    String config = "max_batch_size: 8 input [ { name: \"a\" data_type: TYPE_FP32 dims: [ -1 ] } ]";

    assertThatThrownBy(() -> claims(config).fit(GRAPH))
        .hasMessageContaining("input[0].dims: [-1,-1] for \"a\" (expected: [-1,1000]");
  }

  @Test
  void fit_wholeShapesWithoutBatchSize_areNotBatched() throws ModelLoadException {
    String config =
        """
        input [ { name: "a" data_type: TYPE_FP32 dims: [ -1, 1000 ] },
                { name: "b" data_type: TYPE_FP32 dims: [ -1, -1 ] } ]
        output [ { name: "y" data_type: TYPE_FP32 dims: [ -1, 10 ] } ]
        """;

    assertThat(claims(config).fit(GRAPH).batched()).isFalse();
  }

  @Test
  void fit_nothingDeclared_isTheGraphsOwnSignature() throws ModelLoadException {
    assertThat(claims("name: \"m\"").fit(GRAPH)).isSameAs(GRAPH);
  }

  @Test
  void fit_onlyALabelFile_leavesTheRestToTheGraph() throws ModelLoadException {
    assertThat(claims("output [ { name: \"y\" label_filename: \"l.txt\" } ]").fit(GRAPH))
        .isEqualTo(GRAPH);
  }

  @Test
  void fit_batchSizeOnAGraphThatCannotBatch_isRefusedWithTheTensors() {
    Signature fixed =
        new Signature(
            List.of(TensorSpec.of("x", DataType.FP32, 1, 4)),
            List.of(TensorSpec.of("y", DataType.FP32, -1, 4)),
            false);

    assertThatThrownBy(() -> claims("max_batch_size: 8").fit(fixed))
        .hasMessageContaining("max_batch_size: 8 on a graph that cannot batch: \"x\" is [1,4]");
  }

  private static GraphClaims claims(String pbtxt) throws ModelLoadException {
    TritonSettings triton = new TritonSettings(PbtxtConfig.read(pbtxt), PbtxtConfig.FILE);
    return SettingsReader.claims(triton.layer(), triton);
  }
}
