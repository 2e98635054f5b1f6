package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import meridian.serving.ServerSettings.Observability;
import org.junit.jupiter.api.Test;

class AccessLogTest {

  @Test
  void request_oddId_isAValueAndNeverPartOfTheMessage() {
    try (Running running = Running.start(s -> Settings.with(s, new Observability(true, null, 1)))) {
      String odd = "a\\\"b\\n\\u001b[31m${jndi:x}";
      running.post(
          "/v2/models/text/infer",
          "{\"id\":\""
              + odd
              + "\",\"inputs\":[{\"name\":\"x\",\"shape\":[1],\"datatype\":\"BYTES\",\"data\":[\"payload\"]}]}");
      DepartureTest.await(() -> !RecordedLog.of("meridian.access").isEmpty());
      List<ILoggingEvent> events = List.copyOf(RecordedLog.of("meridian.access"));
      assertThat(events).hasSize(1);
      assertThat(events.getFirst().getFormattedMessage()).isEqualTo("request");
      Map<String, Object> values =
          events.getFirst().getKeyValuePairs().stream()
              .collect(Collectors.toMap(pair -> pair.key, pair -> String.valueOf(pair.value)));
      assertThat(values)
          .containsEntry("id", "a\"b\n\u001b[31m${jndi:x}")
          .containsEntry("model", "text")
          .containsEntry("protocol", "rest")
          .containsEntry("code", "ok")
          .containsEntry("model_micros", "3000")
          .containsEntry("client", "127.0.0.1");
      assertThat(values.toString()).doesNotContain("payload");
    }
  }
}
