package meridian.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

class LogsTest {

  private final LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();

  @Test
  void json_event_isOneFlatObjectOnALine() throws Exception {
    LoggingEvent event = event("two\nlines {}", null, "x");
    event.addKeyValuePair(new KeyValuePair("count", 3));
    event.addKeyValuePair(new KeyValuePair("grace", Duration.ZERO));
    event.addKeyValuePair(new KeyValuePair("on", true));
    event.addKeyValuePair(new KeyValuePair("level", "high"));
    String line = new String(new JsonLines().encode(event), StandardCharsets.UTF_8);

    assertThat(line).endsWith("}\n").containsOnlyOnce("\n");
    assertThat(new JsonMapper().readTree(line))
        .isEqualTo(
            new JsonMapper()
                .readTree(
                    """
                    {"timestamp":"2026-03-01T08:30:00.123456Z","level":"WARN","logger":"a.B",\
                    "thread":"main","message":"two\\nlines x","count":3,"grace":"PT0S","on":true,\
                    "level_":"high"}\
                    """));
  }

  @Test
  void json_error_isInFieldsOfItsOwn() throws Exception {
    LoggingEvent event = event("failed", new IllegalStateException("why"));

    JsonNode line = new JsonMapper().readTree(new JsonLines().encode(event));

    assertThat(line.path("error").asText()).isEqualTo("java.lang.IllegalStateException");
    assertThat(line.path("error_message").asText()).isEqualTo("why");
    assertThat(line.path("error_stack").asText())
        .startsWith("java.lang.IllegalStateException: why")
        .contains("at " + LogsTest.class.getName());
  }

  @Test
  void text_lines_endWithTheLastWord() {
    assertThat(text(event("listening", null)))
        .endsWith(" WARN  B  listening" + System.lineSeparator());
    LoggingEvent event = event("listening", null);
    event.addKeyValuePair(new KeyValuePair("port", 8080));
    assertThat(text(event)).endsWith(" B  listening port=\"8080\"" + System.lineSeparator());
  }

  private String text(ILoggingEvent event) {
    OutputStreamAppender<ILoggingEvent> console =
        (OutputStreamAppender<ILoggingEvent>)
            context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("console");
    return new String(console.getEncoder().encode(event), StandardCharsets.UTF_8);
  }

  private LoggingEvent event(String message, @Nullable Throwable thrown, Object... arguments) {
    LoggingEvent event =
        new LoggingEvent("", context.getLogger("a.B"), Level.WARN, message, thrown, arguments);
    event.setInstant(Instant.parse("2026-03-01T08:30:00.123456Z"));
    event.setThreadName("main");
    return event;
  }
}
