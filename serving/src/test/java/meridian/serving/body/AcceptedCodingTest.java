package meridian.serving.body;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AcceptedCodingTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "gzip | GZIP",
        "GZIP | GZIP",
        "gzip, deflate, br, zstd | ZSTD",
        "gzip, deflate, br | BR",
        "gzip;q=1.0, br;q=0.5 | GZIP",
        "* | ZSTD",
        "*, zstd;q=0 | BR",
        "zstd;q=0, * ;q=0.1 | BR",
        "identity | -",
        "gzip;q=0 | -",
        "gzip;q=x | -",
        "compress | -",
        ", ,; | -",
        "- | -",
      })
  void best_header_isTheHeaviest(String header, ContentCoding expected) {
    assertThat(AcceptedCoding.best(header)).isEqualTo(expected);
  }
}
