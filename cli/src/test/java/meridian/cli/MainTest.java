package meridian.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

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
    for (String server : new String[] {"ftp://x", "http://", "a b", "http://[", ""}) {
      assertThat(run("models", "list", "--server", server)).isEqualTo(Main.WRONG_USE);
      assertThat(err.toString())
          .contains(server + " (expected: http://HOST:PORT or HOST:PORT)")
          .doesNotContain("\tat ");
    }
    assertThat(run("bench", "m", "--in-flight", "4", "--rate", "9")).isEqualTo(Main.WRONG_USE);
    assertThat(err.toString()).contains("--in-flight: beside --rate (expected: one of them)");
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

  @Test
  void amounts_thatMakeNoSense_areWrongUse() {
    for (String millis : new String[] {"-5", "0"}) {
      assertThat(run("infer", "m", "--text", "x", "--timeout-ms", millis))
          .isEqualTo(Main.WRONG_USE);
      assertThat(run("bench", "m", "--timeout-ms", millis)).isEqualTo(Main.WRONG_USE);
      assertThat(err.toString())
          .contains("meridian infer: --timeout-ms: " + millis + " (expected: 1 or more)")
          .contains("meridian bench: --timeout-ms: " + millis + " (expected: 1 or more)");
    }
    assertThat(run("bench", "m", "--rows", "0")).isEqualTo(Main.WRONG_USE);
    assertThat(err.toString()).contains("--rows: 0 (expected: 1 or more)");
    assertThat(run("bench", "m", "--rate", "0")).isEqualTo(Main.WRONG_USE);
    assertThat(err.toString()).contains("--rate: 0.0 (expected: above 0)");
    assertThat(run("bench", "m", "--duration", "0s")).isEqualTo(Main.WRONG_USE);
    assertThat(err.toString()).contains("--duration: 0s (expected: above 0s)");
    assertThat(run("bench", "m", "--arrivals", "foo")).isEqualTo(Main.WRONG_USE);
    assertThat(err.toString()).contains("foo (expected: one of [poisson, constant])");
  }

  @Test
  void commands_whereNobodyListens_sayHowToGetAServer() throws Exception {
    String server;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      server = "http://127.0.0.1:" + closed.getLocalPort();
    }
    Path body = Files.writeString(folder.resolve("body.json"), "{\"inputs\":[]}");
    for (String[] command :
        new String[][] {
          {"infer", "m", "--text", "x"},
          {"infer", "m", "--body", body.toString()},
          {"bench", "m"},
          {"models", "list"},
          {"models", "load", "m"}
        }) {
      err.getBuffer().setLength(0);
      String[] complete = Arrays.copyOf(command, command.length + 2);
      complete[command.length] = "--server";
      complete[command.length + 1] = server;
      assertThat(run(complete)).isEqualTo(Main.FAILED);
      assertThat(err.toString())
          .contains(
              ": no server at %s (start one with \"meridian serve\", or name another with --server"
                      .formatted(server)
                  + " URL)")
          .hasLineCount(1);
    }
  }

  @Test
  void options_ofEveryCommand_nameTheirValueInCapitals() {
    assertValuesNamed(Main.commandLine().getCommandSpec());
  }

  private static void assertValuesNamed(CommandSpec command) {
    command
        .options()
        .forEach(
            option -> {
              if (option.arity().max() > 0) {
                assertThat(option.paramLabel())
                    .as(command.qualifiedName() + " " + option.longestName())
                    .matches("[A-Z]+(:[A-Z]+)?");
              }
            });
    command.subcommands().values().forEach(sub -> assertValuesNamed(sub.getCommandSpec()));
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}
