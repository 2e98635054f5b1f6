package meridian.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import meridian.core.time.NanoClock;
import meridian.lab.wan.Direction;
import meridian.lab.wan.LinkSettings;
import meridian.lab.wan.Relay;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class LabCommandTest {

  @Test
  void console_everyCommand_changesTheLink() throws IOException {
    try (Relay relay = relay()) {
      StringWriter text = new StringWriter();
      LinkConsole console = new LinkConsole(relay, new PrintWriter(text));
      for (String line :
          new String[] {"rtt 215ms", "jitter 2ms", "bandwidth 1MiB", "loss 0.01", "resets 0.3"}) {
        assertThat(console.obey(line)).isTrue();
      }
      assertThat(relay.settings())
          .isEqualTo(
              new LinkSettings(
                  Duration.ofMillis(215), Duration.ofMillis(2), 1 << 20, 0.01, 0.3, Set.of()));
      console.obey("close back");
      assertThat(relay.settings().closed()).containsExactly(Direction.BACK);
      console.obey("open");
      assertThat(relay.settings().closed()).isEmpty();
      assertThat(text.toString())
          .endsWith(
              "rtt 215ms, jitter 2ms, bandwidth 1048576B/s, loss 0.01, resets 0.3, closed nothing;"
                  + " 0 connections\n");
      assertThat(console.obey("quit")).isFalse();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rtt fast|rtt: fast (expected: a duration such as 250ms, 10s, 5m)",
        "loss 1|loss: 1.0 (expected: 0 up to, not including, 1)",
        "loss much|loss: much (expected: a share such as 0.01)",
        "close door|close: door (expected: there, back or both)",
        "fly|fly: unknown (expected: rtt, jitter"
      })
  void console_badLine_isToldAndChangesNothing(String line, String message) throws IOException {
    try (Relay relay = relay()) {
      StringWriter text = new StringWriter();
      assertThat(new LinkConsole(relay, new PrintWriter(text)).obey(line)).isTrue();
      assertThat(text.toString()).contains(message);
      assertThat(relay.settings()).isEqualTo(LinkSettings.NONE);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--to 127.0.0.1|127.0.0.1 (expected: host:port, such as 127.0.0.1:8080)",
        "--to 127.0.0.1:99999|127.0.0.1:99999 (expected: host:port",
        "--to 127.0.0.1:1 --between MNL-XXX|link: MNL-XXX (expected: two of [AMS,",
        "--to 127.0.0.1:1 --between MNL|link: MNL (expected: two cities, such as MNL-AMS)",
        "--to 127.0.0.1:1 --loss 2|link: loss: 2.0 (expected: 0 up to, not including, 1)",
        "--rtt 5ms|Missing required option: '--to=ADDR'"
      })
  void relay_badOption_isWrongUse(String options, String message) {
    CommandLine line = Main.commandLine("lab");
    StringWriter err = new StringWriter();
    line.setErr(new PrintWriter(err));

    assertThat(line.execute(("lab relay " + options).split(" "))).isEqualTo(Main.WRONG_USE);
    assertThat(err.toString()).contains(message);
  }

  private static Relay relay() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return Relay.start(any, any, LinkSettings.NONE, 1, NanoClock.SYSTEM);
  }
}
