package meridian.cli.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Which priorities requests have, and how often each. */
public record Priorities(List<Share> shares) {

  /** Requests that leave their priority to the model. */
  public static final Priorities OF_THE_MODEL = new Priorities(List.of(new Share(0, 1)));

  private static final Pattern ONE = Pattern.compile("(\\d{1,8})");
  private static final Pattern WEIGHTED = Pattern.compile("(\\d{1,8}):(\\d{1,8})");

  public Priorities {
    shares = List.copyOf(shares);
    if (shares.isEmpty()) {
      throw new IllegalArgumentException("shares: none (expected: one or more)");
    }
  }

  /**
   * @param priority 1 is the highest; 0 leaves it to the model
   * @param weight how often it comes, in relation to the other weights
   */
  public record Share(int priority, int weight) {
    public Share {
      if (weight < 1) {
        throw new IllegalArgumentException("weight: " + weight + " (expected: 1 or more)");
      }
    }
  }

  /**
   * Reads a priority such as {@code 1}, or several with weights such as {@code 1:10,8:90}.
   *
   * @throws IllegalArgumentException if the text is neither
   */
  public static Priorities parse(String text) {
    if (ONE.matcher(text).matches()) {
      return new Priorities(List.of(new Share(priority(text), 1)));
    }
    List<Share> shares = new ArrayList<>();
    for (String part : text.split(",", -1)) {
      Matcher weighted = WEIGHTED.matcher(part);
      if (!weighted.matches()) {
        throw new IllegalArgumentException(
            text + " (expected: a priority or PRIORITY:WEIGHT,PRIORITY:WEIGHT,…)");
      }
      shares.add(new Share(priority(weighted.group(1)), Integer.parseInt(weighted.group(2))));
    }
    return new Priorities(shares);
  }

  private static int priority(String text) {
    int priority = Integer.parseInt(text);
    if (priority < 1) {
      throw new IllegalArgumentException("priority: " + text + " (expected: 1 or more)");
    }
    return priority;
  }

  int next(RandomGenerator random) {
    long total = shares.stream().mapToLong(Share::weight).sum();
    long left = random.nextLong(total);
    for (Share share : shares) {
      left -= share.weight();
      if (left < 0) {
        return share.priority();
      }
    }
    throw new IllegalStateException("left: " + left + " (expected: below the sum of all weights)");
  }

  /** As {@link #parse} reads it; empty for {@link #OF_THE_MODEL}. */
  public String text() {
    if (equals(OF_THE_MODEL)) {
      return "";
    }
    return shares.size() == 1
        ? Integer.toString(shares.getFirst().priority())
        : shares.stream()
            .map(share -> share.priority() + ":" + share.weight())
            .collect(Collectors.joining(","));
  }
}
