package meridian.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class MainTest {

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @TempDir private Path folder;

  @Test
  void help_ofEveryCommand_hasAnExample() {
    assertThat(run("--help")).isZero();
    CommandLine.Help help = new CommandLine.Help(Main.commandLine().getCommandSpec());
    assertThat(help.subcommands()).isNotEmpty();
    help.subcommands()
        .forEach(
            (name, command) ->
                assertThat(command.commandSpec().usageMessage().footer())
                    .as(name)
                    .anyMatch(line -> line.contains("meridian " + name)));
  }

  @Test
  void wrongUse_isOneLineAndExitCodeTwo() {
    assertThat(run("bench", "m", "--rate", "x")).isEqualTo(Main.WRONG_USE);
    assertThat(err.toString()).contains("'x' is not a double").doesNotContain("\tat ");
    assertThat(run("serve", "--listen", "nowhere")).isEqualTo(Main.WRONG_USE);
    assertThat(err.toString()).contains("--listen: nowhere (expected: HOST:PORT)");
    assertThat(run("nonsense")).isEqualTo(Main.WRONG_USE);
  }

  @Test
  void failures_areOneLineAndExitCodeOne() throws Exception {
    assertThat(run("serve", "--models", "/no/such/folder")).isEqualTo(Main.FAILED);
    assertThat(run("infer", "m", "--body", "/no/such/file")).isEqualTo(Main.FAILED);
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      assertThat(
              run(
                  "serve",
                  "--models",
                  folder.toString(),
                  "--listen",
                  address,
                  "--admin",
                  "127.0.0.1:0"))
          .isEqualTo(Main.FAILED);
      assertThat(err.toString()).contains("cannot listen on " + address);
    }
    assertThat(err.toString())
        .contains("models: /no/such/folder (expected: a folder)")
        .contains("--body: cannot read /no/such/file")
        .doesNotContain("\tat ");
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
