package meridian.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import meridian.core.backend.ModelLoadException;
import org.junit.jupiter.api.Test;

class PbtxtConfigTest {

  private static final String GOOD =
      """
      name: "m"
      platform: "onnxruntime_onnx"
      max_batch_size: 8
      input [ { name: "x" data_type: TYPE_FP32 dims: [ 4 ] } ]
      output [ { name: "y" data_type: TYPE_FP32 dims: [ 3 ] } ]
      """;

  @Test
  void read_carriageReturnsAndByteOrderMark_areNoFault() throws ModelLoadException {
    TritonConfig config = PbtxtConfig.read("\uFEFF" + GOOD.replace("\n", "\r\n"));

    assertThat(config.message().getMaxBatchSize()).isEqualTo(8);
    assertThat(config.message().getInput(0).getDimsList()).containsExactly(4L);
    assertThat(config.unused()).isEmpty();
  }

  @Test
  void read_fieldsOfTritonWithoutMeaningHere_areNotedOnceAndTheRestIsRead()
      throws ModelLoadException {
    TritonConfig config =
        PbtxtConfig.read(
            """
            optimization { execution_accelerators { gpu_execution_accelerator : [ { name : "tensorrt"
              parameters { key: "precision_mode" value: "FP16" } } ] } }
            sequence_batching { direct { max_queue_delay_microseconds: 5 }
              state [ { input_name: "s" output_name: "t" use_growable_memory: true } ] }
            metric_tags [ { key: "a" value: "b" }, { key: "c" value: "d" } ]
            response_cache { enable: true }
            model_transaction_policy { decoupled: false }
            instance_group [ { count: 2 kind: KIND_GPU rate_limiter { priority: 1 } } ]
            """
                + GOOD);

    assertThat(config.unused())
        .containsExactlyInAnyOrder(
            "optimization",
            "direct",
            "use_growable_memory",
            "metric_tags",
            "response_cache",
            "model_transaction_policy",
            "rate_limiter");
    assertThat(config.message().getMaxBatchSize()).isEqualTo(8);
    assertThat(config.message().getInstanceGroup(0).getCount()).isEqualTo(2);
  }

  @Test
  void read_unknownField_isNamedWithLineAndTheNearest() {
    assertRefused(
        GOOD + "max_batchsize: 4\n",
        "config.pbtxt:6: max_batchsize: unknown field (expected: max_batch_size?)");
  }

  @Test
  void read_unknownNestedField_isNamedWithLine() {
    assertRefused(
        "name: \"m\"\ninput [ {\n name: \"x\"\n datatype: TYPE_FP32 } ]",
        "config.pbtxt:4: datatype: unknown field (expected: data_type?)");
  }

  @Test
  void read_unknownFieldBesideUnusedOnes_isStillRefused() {
    assertRefused("optimization { }\nfrobnicate: 1\n", "config.pbtxt:2: frobnicate: unknown field");
  }

  @Test
  void read_ensemble_isRefusedWithTheReason() {
    assertRefused(
        "ensemble_scheduling { step [ { model_name: \"a\" } ] }",
        "config.pbtxt:1: ensemble_scheduling: ensembles are not supported");
  }

  @Test
  void read_placeholderLeftIn_isNamedWithLineAndField() {
    assertRefused("name: \"m\"\nmax_batch_size: ${max}\n", "config.pbtxt:2: max_batch_size: ");
  }

  @Test
  void read_textForANumber_isNamedWithLineAndField() {
    assertRefused("name: \"m\"\n\nmax_batch_size: \"eight\"\n", "config.pbtxt:3: max_batch_size: ");
  }

  @Test
  void read_unknownEnumValue_isNamedWithLineAndField() {
    assertRefused("input [ {\n name: \"x\"\n data_type: FP32\n } ]", "config.pbtxt:3: data_type: ");
  }

  @Test
  void read_repeatedField_isNamedWithLineAndField() {
    assertRefused(
        "max_batch_size: 4\nname: \"m\"\nmax_batch_size: 8\n", "config.pbtxt:3: max_batch_size: ");
  }

  @Test
  void read_deepNesting_isRefused() {
    assertRefused("optimization " + "{ a ".repeat(10_000), "config.pbtxt:1: ");
  }

  private static void assertRefused(String text, String message) {
    assertThatThrownBy(() -> PbtxtConfig.read(text))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageStartingWith(message);
  }
}
