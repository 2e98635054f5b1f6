package meridian.cli;

import java.io.PrintWriter;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import meridian.cli.config.Units;
import meridian.lab.wan.Direction;
import meridian.lab.wan.LinkSettings;
import meridian.lab.wan.Relay;

/** Changes a link as lines of text say. */
final class LinkConsole {

  private static final String COMMANDS =
      "rtt, jitter, bandwidth, loss, resets, close, open, reset or quit";

  private final Relay relay;
  private final PrintWriter out;

  LinkConsole(Relay relay, PrintWriter out) {
    this.relay = relay;
    this.out = out;
  }

  /** Does what a line says, or says what is wrong with it; false to quit. */
  boolean obey(String line) {
    String[] words = line.strip().split("\\s+", 2);
    if (words[0].equals("quit")) {
      return false;
    }
    try {
      obey(words[0], words.length > 1 ? words[1] : "");
      show();
    } catch (IllegalArgumentException e) {
      out.println(words[0] + ": " + e.getMessage());
      out.flush();
    }
    return true;
  }

  void show() {
    LinkSettings link = relay.settings();
    out.printf(
        Locale.ROOT,
        "rtt %s, jitter %s, bandwidth %s, loss %s, resets %s, closed %s; %d connections%n",
        Units.format(link.rtt()),
        Units.format(link.jitter()),
        link.bytesPerSecond() == 0 ? "unbounded" : link.bytesPerSecond() + "B/s",
        link.loss(),
        link.resets(),
        link.closed().isEmpty() ? "nothing" : link.closed().toString().toLowerCase(Locale.ROOT),
        relay.connections());
    out.flush();
  }

  private void obey(String command, String value) {
    LinkSettings link = relay.settings();
    switch (command) {
      case "" -> {}
      case "rtt" -> relay.change(link.withRtt(Units.duration(value)));
      case "jitter" -> relay.change(link.withJitter(Units.duration(value)));
      case "bandwidth" -> relay.change(link.withBytesPerSecond(Units.bytes(value)));
      case "loss" -> relay.change(link.withLoss(share(value)));
      case "resets" -> relay.change(link.withResets(share(value)));
      case "close" -> relay.change(link.withClosed(ways(value)));
      case "open" -> relay.change(link.withClosed(Set.of()));
      case "reset" -> relay.resetAll();
      default -> throw new IllegalArgumentException("unknown (expected: " + COMMANDS + ")");
    }
  }

  private static double share(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException(text + " (expected: a share such as 0.01)");
    }
  }

  private static Set<Direction> ways(String text) {
    return switch (text) {
      case "there" -> Set.of(Direction.THERE);
      case "back" -> Set.of(Direction.BACK);
      case "both" -> EnumSet.allOf(Direction.class);
      default -> throw new IllegalArgumentException(text + " (expected: there, back or both)");
    };
  }
}
