package meridian.node.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import meridian.core.backend.ModelLoadException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonConfigTest {

  @Test
  void read_namesOfConfigPbtxt_areUnderstood() throws ModelLoadException {
    TritonConfig config =
        JsonConfig.read(
            """
            {"max_batch_size": 4, "versionPolicy": {"all": {}},
             "input": [{"name": "x", "data_type": "TYPE_INT64", "dims": [-1]}],
             "optimization": {"priority": "x"}, "response_cache": {"enable": true}}
            """);

    assertThat(config.message().getMaxBatchSize()).isEqualTo(4);
    assertThat(config.message().getVersionPolicy().hasAll()).isTrue();
    assertThat(config.message().getInput(0).getDims(0)).isEqualTo(-1);
    assertThat(config.unused()).containsExactlyInAnyOrder("optimization", "response_cache");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"max_batchsize\": 4}|parameters.config.max_batchsize: unknown field (expected: max_b",
        "{\"input\": [{\"nam\": \"x\"}]}|parameters.config.input[0].nam: unknown field (expected",
        "{\"max_batch_size\": \"many\"}|parameters.config: ",
        "[]|parameters.config: no JSON object",
        "{\"name\": |parameters.config:1: not well-formed at column 9 (expected: one JSON",
        "{\"name\": \"a\", \"name\": \"b\"}|parameters.config:1: not well-formed at column 21"
            + " (",
        "{} {}|parameters.config:1: not well-formed at column "
      })
  void read_fault_isNamedWithItsPath(String json, String message) {
    assertThatThrownBy(() -> JsonConfig.read(json))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void read_deepNesting_isRefused() {
    assertThatThrownBy(() -> JsonConfig.read("{\"a\":".repeat(2_000)))
        .isInstanceOf(ModelLoadException.class)
        .hasMessageStartingWith("parameters.config: nested too deeply (expected: one JSON object");
  }
}
