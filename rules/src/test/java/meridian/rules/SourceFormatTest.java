package meridian.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class SourceFormatTest {
  @Test
  void sources_everyModule_areFormatted() throws IOException {
    assertThat(SourceFormat.unformatted(Path.of("..").toAbsolutePath()))
        .as("files to format; this does it: mvn -q -N -Pformat validate")
        .isEmpty();
  }
}
