package meridian.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import meridian.core.time.NanoClock;
import meridian.lab.wan.Relay;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "lab",
    description = "Links between regions on one machine.",
    footer = {"", "Example:", "  meridian lab relay --to 127.0.0.1:8080 --between MNL-AMS"},
    synopsisSubcommandLabel = "relay")
final class LabCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  @Command(
      name = "relay",
      description = {
        "Relay TCP as over a link between two cities. Each line of standard input changes the"
            + " link for what follows; an empty one prints it.",
        "  rtt TIME, jitter TIME, bandwidth SIZE (a second), loss SHARE, resets SHARE",
        "  close there|back|both, open, reset (every connection), quit"
      },
      footer = {
        "",
        "Examples:",
        "  meridian lab relay --to 127.0.0.1:8080 --between MNL-AMS --jitter 2ms",
        "  meridian lab relay --to 127.0.0.1:8080 --listen 127.0.0.1:9001 --rtt 40ms --loss 0.01"
      })
  int relay(
      @Option(
              names = "--listen",
              paramLabel = "ADDR",
              defaultValue = "127.0.0.1:0",
              converter = AddressConverter.class,
              description = "Where to accept connections (default: any free port).")
          InetSocketAddress listen,
      @Option(
              names = "--to",
              paramLabel = "ADDR",
              required = true,
              converter = AddressConverter.class,
              description = "The server behind the link.")
          InetSocketAddress to,
      @Mixin LinkOptions link,
      @Option(
              names = "--seed",
              paramLabel = "N",
              defaultValue = "1",
              description = "Of what happens by chance (default: ${DEFAULT-VALUE}).")
          long seed)
      throws CommandException, IOException, InterruptedException {
    try (Relay relay = start(listen, to, link, seed)) {
      LinkConsole console = new LinkConsole(relay, out());
      out()
          .printf(
              "relay on 127.0.0.1:%d to %s:%d%n", relay.port(), to.getHostString(), to.getPort());
      console.show();
      BufferedReader lines =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!console.obey(line)) {
          return 0;
        }
      }
      // Nobody is there to type, so a signal ends it.
      new CountDownLatch(1).await();
      return 0;
    }
  }

  private Relay start(InetSocketAddress listen, InetSocketAddress to, LinkOptions link, long seed)
      throws CommandException {
    try {
      return Relay.start(listen, to, link.settings(), seed, NanoClock.SYSTEM);
    } catch (IOException e) {
      throw new CommandException(
          "--listen: %s:%d: %s (expected: an address that is free)"
              .formatted(listen.getHostString(), listen.getPort(), e.getMessage()));
    }
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
