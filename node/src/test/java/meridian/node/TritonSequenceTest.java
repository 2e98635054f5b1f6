package meridian.node;

import static meridian.node.TestNode.join;
import static meridian.node.TestNode.only;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResult;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;
import meridian.node.FaultyBackend.Call;
import meridian.testkit.graph.ModelFolder;
import meridian.testkit.graph.StateGraphs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** States that a config.pbtxt declares. */
class TritonSequenceTest {

  private static final String STATE =
      """
      input_name: "state" output_name: "next" data_type: TYPE_FP32 dims: [ 2 ]
      initial_state: { data_type: TYPE_FP32 dims: [ 2 ] zero_data: true name: "zero" }\
      """;
  private static final String CONFIG =
      """
      platform: "onnxruntime_onnx"
      max_batch_size: 8
      input [ { name: "x" data_type: TYPE_FP32 dims: [ 1 ] } ]
      output [ { name: "sum" data_type: TYPE_FP32 dims: [ 1 ] } ]
      sequence_batching {
        max_sequence_idle_microseconds: 5000000
        oldest { max_candidate_sequences: 4 }
        state [ { %s } ]
      }
      """
          .formatted(STATE);

  @TempDir Path root;

  @Test
  void infer_statesOfConfigPbtxt_areKeptAndSequencesShareExecutions() throws IOException {
    try (TestNode node = start(CONFIG)) {
      assertThat(node.properties("m")).containsEntry("batching", "mixed");
      for (int i = 0; i < 8; i++) {
        node.infer(request(i, 1, true));
      }
      CountDownLatch gate = node.backend.holdRuns();
      int before = node.backend.count(Call.RUN);
      List<CompletionStage<InferResult>> results = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        results.add(node.node.infer(request(i, i, false)));
      }
      gate.countDown();
      for (int i = 0; i < 8; i++) {
        assertThat(only(join(results.get(i))).toFloats()[0]).isEqualTo(1f + i);
      }
      assertThat(node.backend.count(Call.RUN) - before).isLessThanOrEqualTo(3);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "zero_data: true|zero_data: false|config.pbtxt: sequence_batching.state[0].initial_state"
            + ".zero_data: false (expected: true, as all states begin here)",
        "input_name: \"state\"||config.pbtxt: sequence_batching.state[0].input_name: missing"
            + " (expected: a name of the graph)",
        "data_type: TYPE_FP32 dims: [ 2 ]|data_type: TYPE_FP16 dims: [ 2 ]|sequence.states[0]"
            + ".data_type: FP16 for \"state\" (expected: FP32 as in the graph)",
        "data_type: TYPE_FP32 dims: [ 2 ]|data_type: TYPE_FP32 dims: [ 3 ]|sequence.states[0]"
            + ".dims: [3] for \"state\" (expected: [2] as in the graph, without the rows)",
        "zero_data: true|data_file: \"f\"|config.pbtxt:9: data_file: states begin with zeros here",
        "oldest {|iterative_sequence: true oldest {|config.pbtxt:7: iterative_sequence: iteration"
            + " is not supported"
      })
  void load_sequenceBatchingThatMeansSomethingElse_isRefused(
      String part, String other, String reason) throws IOException {
    assertThat(CONFIG).contains(part);
    try (TestNode node = start(CONFIG.replace(part, other == null ? "" : other))) {
      assertThat(node.status("m", "1").reason()).startsWith(reason);
    }
  }

  private TestNode start(String config) throws IOException {
    ModelFolder.write(root, "m", 1, StateGraphs.rowsInFront());
    Files.writeString(root.resolve("m/config.pbtxt"), config);
    return TestNode.start(root);
  }

  private static InferRequest request(int sequence, float x, boolean start) {
    InferRequest plain = TestNode.request("m", "x", Tensor.ofFloats(Shape.of(1, 1), x));
    return plain.withParameters(
        Parameters.NONE
            .with("sequence_id", new Parameter.Int(sequence + 1))
            .with("sequence_start", new Parameter.Bool(start)));
  }
}
