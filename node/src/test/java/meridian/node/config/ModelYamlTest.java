package meridian.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.VersionPolicy;
import meridian.core.tensor.DataType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelYamlTest {

  @Test
  void read_everyKey_isUnderstood() throws ModelLoadException {
    SettingsLayer layer =
        ModelYaml.read(
            """
            file: graph.onnx
            versions: {latest: 2}
            batching:
              max_rows: 16
              mixing: exact
              padding: {inputs: {ids: 0, mask: 0}, outputs: [hidden], edges: [16, 64]}
              max_queue_rows: 100
              max_queue_bytes: 1000000
              max_queue_ms: 500
              default_priority: 3
            execution:
              providers: [tensorrt, {CUDA: {device_id: 1}}, cpu]
              threads: 2
            warmup:
              rows: [1, 16]
              shapes: {x: [4]}
            pipeline:
              text: {max_tokens: 128, pooling: cls}
            labels: {probabilities: labels.txt}
            limits: {default_timeout_ms: 250, max_request_bytes: 1024}
            sequence:
              states: [{input: h, output: hn, axis: 1, data_type: fp32, dims: [2, 64]}]
              idle_timeout_ms: 500
              max_sequences: 20
              max_state_bytes: 4096
              max_waiting: 5
            fixed_inputs: {sr: 16000}
            """);

    assertThat(layer.file()).isEqualTo("graph.onnx");
    assertThat(layer.versions()).isEqualTo(new VersionPolicy.Latest(2));
    assertThat(layer.batching())
        .isEqualTo(
            new SettingsLayer.Batching(
                16,
                Mixing.EXACT,
                new SettingsLayer.Padding(
                    Map.of("ids", 0L, "mask", 0L), List.of("hidden"), List.of(16, 64)),
                100L,
                1_000_000L,
                500L,
                3));
    assertThat(layer.execution())
        .isEqualTo(
            new SettingsLayer.Execution(
                List.of(
                    new ExecutionProvider("tensorrt", Map.of()),
                    new ExecutionProvider("cuda", Map.of("device_id", "1")),
                    ExecutionProvider.CPU),
                new Threads(2)));
    assertThat(layer.warmup())
        .isEqualTo(new SettingsLayer.WarmUp(List.of(1, 16), Map.of("x", List.of(4L))));
    assertThat(layer.pipeline().text().maxTokens()).isEqualTo(128);
    assertThat(layer.labels()).containsEntry("probabilities", "labels.txt");
    assertThat(layer.limits()).isEqualTo(new SettingsLayer.Limits(250L, 1024L));
    assertThat(layer.sequence())
        .isEqualTo(
            new SettingsLayer.Sequence(
                List.of(new SettingsLayer.State("h", "hn", 1, DataType.FP32, List.of(2L, 64L))),
                500L,
                20,
                4096L,
                5));
    assertThat(layer.fixedInputs()).isEqualTo(Map.of("sr", 16_000L));
  }

  @Test
  void read_onlyComments_saysNothing() throws ModelLoadException {
    assertThat(ModelYaml.read("# nothing\n")).isEqualTo(SettingsLayer.EMPTY);
  }

  @Test
  void read_threadsToBeMeasured_isUnderstood() throws ModelLoadException {
    assertThat(ModelYaml.read("execution: {threads: auto}").execution())
        .isEqualTo(new SettingsLayer.Execution(null, Threads.AUTO));
  }

  @Test
  void read_versionsInAllForms_areUnderstood() throws ModelLoadException {
    assertThat(ModelYaml.read("versions: all").versions()).isEqualTo(new VersionPolicy.All());
    assertThat(ModelYaml.read("versions: [1, 3]").versions())
        .isEqualTo(new VersionPolicy.Specific(List.of(1L, 3L)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "batching: {max_row: 8}|model.yaml:1: batching.max_row: unknown (expected: max_rows?)",
        "batching: {padding: {outputs: [y]}}|batching.padding.inputs: none (expected: a number",
        "batching: {padding: {inputs: {x: 0}, edges: [8, 8]}}|edges[1]: 8 (expected: 9 or more)",
        "batching: {padding: {inputs: {x: a}}}|batching.padding.inputs.x: a (expected: a whole"
            + " number)",
        "batchin: {}|model.yaml:1: batchin: unknown (expected: batching?)",
        "zzzzzzzz: 1|model.yaml:1: zzzzzzzz: unknown (expected: one of [batching, execution,",
        "batching: {max_rows: many}|batching.max_rows: many (expected: a whole number)",
        "batching: {max_rows: 0}|batching.max_rows: 0 (expected: 1 or more)",
        "batching: {mixing: often}|batching.mixing: often (expected: auto, exact, allowed)",
        "batching: {max_rows: 1.5}|batching.max_rows: 1.5 (expected: a whole number)",
        "batching: {max_rows: [1]}|batching.max_rows: a list (expected: a whole number)",
        "batching: 8|batching: 8 (expected: keys with values)",
        "[1]|a list (expected: keys with values)",
        "execution: {providers: cuda}|execution.providers: cuda (expected: a list)",
        "execution: {threads: 100000}|execution.threads: 100000 (expected: auto, or 1 to"
            + " 1024)",
        "execution: {threads: 0}|execution.threads: 0 (expected: auto, or 1 to 1024)",
        "execution: {threads: [2]}|execution.threads: [2] (expected: auto, or 1 to 1024)",
        "execution: {threads: many}|execution.threads: many (expected: auto, or 1 to 1024)",
        "versions: {last: 1}|versions: {\"last\":1} (expected: all, {latest: 1} or a list",
        "versions: [0]|versions: [0] (expected: all",
        "execution: {providers: []}|execution.providers: [] (expected: one or more)",
        "execution: {providers: [7]}|execution.providers[0]: 7 (expected: a name",
        "pipeline: {text: {max_tokens: 0}}|max_tokens: 0 (expected: 1 or more)",
        "sequence: {}|sequence.states: none (expected: one or more)",
        "sequence: {states: [{input: h}]}|output: missing (expected: a name of the graph)",
        "sequence: {states: [{input: h, output: g, axis: -1}]}|axis: -1 (expected: 0 or more)",
        "sequence: {states: [{input: h, output: g, dims: [-2]}]}|dims: -2 (expected: -1 or more)",
        "sequence: {states: [{input: h, output: g}], max_state_bytes: 0}|sequence.max_state_bytes:"
            + " 0 (expected: 1 or more)",
        "sequence: {states: [{input: h, output: g}], max_sequence: 1}|sequence.max_sequence:"
            + " unknown (expected: max_sequences?)",
        "fixed_inputs: {sr: fast}|fixed_inputs.sr: fast (expected: a whole number)",
        "file: [|model.yaml:"
      })
  void read_fault_isNamedWithFileLineAndKey(String yaml, String message) {
    assertThatThrownBy(() -> ModelYaml.read(yaml))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageStartingWith("model.yaml:")
        .hasMessageContaining(message);
  }

  @Test
  void read_deepNesting_isRefused() {
    assertThatThrownBy(() -> ModelYaml.read("labels: " + "[".repeat(2_000)))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageStartingWith("model.yaml:1: ");
  }

  @Test
  void read_repeatedKey_isRefusedWithItsLine() {
    assertThatThrownBy(() -> ModelYaml.read("file: a\nfile: b\n"))
        .hasMessageStartingWith("model.yaml:2: ")
        .hasMessageContaining("file");
  }

  @Test
  void read_faultBelow_isNamedWithItsLine() {
    assertThatThrownBy(() -> ModelYaml.read("file: a\nbatching:\n  max_rows: 4\n  mixin: auto\n"))
        .hasMessage("model.yaml:4: batching.mixin: unknown (expected: mixing?)");
  }
}
