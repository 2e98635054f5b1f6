package meridian.cli;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import meridian.serving.MeridianServer;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

class DemoTest {

  private final StringWriter out = new StringWriter();
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();
  private final Logger server = (Logger) LoggerFactory.getLogger(MeridianServer.class);

  @TempDir private Path models;

  @BeforeEach
  void listen() {
    log.start();
    server.addAppender(log);
  }

  @AfterEach
  void hangUp() {
    server.detachAppender(log);
  }

  @Test
  void demo_withModels_invitesOnceAllAreReadyAndLeavesWithoutGrace() {
    for (String name : List.of("a", "b", "c")) {
      ModelFolder.write(models, name, 1, Graphs.linear());
    }
    assertThat(demo()).isZero();

    String loading = out.toString().substring(0, out.toString().indexOf("try it:"));
    for (String name : List.of("a", "b", "c")) {
      assertThat(
              loading.lines().filter(line -> line.startsWith("  " + name + " ")).toList().getLast())
          .contains("READY");
    }
    assertThat(log.list)
        .filteredOn(event -> event.getMessage().equals("leaving"))
        .singleElement()
        .satisfies(
            event ->
                assertThat(event.getKeyValuePairs())
                    .contains(new KeyValuePair("grace", Duration.ZERO)));
  }

  private int demo() {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .execute(
            "demo",
            "--duration",
            "500ms",
            "--models",
            models.toString(),
            "--listen",
            "127.0.0.1:0",
            "--admin",
            "127.0.0.1:0");
  }
}
