package meridian.cli.bench;

import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How long requests are: the size of their variable dimensions, drawn anew for each. */
public sealed interface Lengths {

  int next(RandomGenerator random);

  /** As {@link #parse} reads it. */
  String text();

  /**
   * Reads {@code 16}, {@code 8..128} or {@code lognormal:32:0.7:8:128}.
   *
   * @throws IllegalArgumentException if the text is none of them
   */
  static Lengths parse(String text) {
    Matcher number = Syntax.NUMBER.matcher(text);
    if (number.matches()) {
      return new Fixed(Integer.parseInt(text));
    }
    Matcher range = Syntax.RANGE.matcher(text);
    if (range.matches()) {
      return new Uniform(Integer.parseInt(range.group(1)), Integer.parseInt(range.group(2)));
    }
    Matcher skewed = Syntax.LOG_NORMAL.matcher(text);
    if (skewed.matches()) {
      return new LogNormal(
          Integer.parseInt(skewed.group(1)),
          Double.parseDouble(skewed.group(2)),
          Integer.parseInt(skewed.group(3)),
          Integer.parseInt(skewed.group(4)));
    }
    throw new IllegalArgumentException(
        text + " (expected: N, MIN..MAX or lognormal:MEDIAN:SIGMA:MIN:MAX)");
  }

  /** Always the same. */
  record Fixed(int length) implements Lengths {
    public Fixed {
      Syntax.requireAtLeast("length", length, 1);
    }

    @Override
    public int next(RandomGenerator random) {
      return length;
    }

    @Override
    public String text() {
      return Integer.toString(length);
    }
  }

  /** Every length from {@code least} to {@code most} equally often. */
  record Uniform(int least, int most) implements Lengths {
    public Uniform {
      Syntax.requireAtLeast("least", least, 1);
      Syntax.requireAtLeast("most", most, least);
    }

    @Override
    public int next(RandomGenerator random) {
      return random.nextInt(least, most + 1);
    }

    @Override
    public String text() {
      return least + ".." + most;
    }
  }

  /**
   * Many short, few long, as texts are. What would be outside the bounds is at the bound.
   *
   * @param sigma standard deviation of the logarithm
   */
  record LogNormal(int median, double sigma, int least, int most) implements Lengths {
    public LogNormal {
      Syntax.requireAtLeast("least", least, 1);
      Syntax.requireAtLeast("median", median, least);
      Syntax.requireAtLeast("most", most, median);
      if (!(sigma > 0 && sigma <= 10)) {
        throw new IllegalArgumentException("sigma: " + sigma + " (expected: above 0, at most 10)");
      }
    }

    @Override
    public int next(RandomGenerator random) {
      double length = median * Math.exp(sigma * random.nextGaussian());
      return (int) Math.clamp(Math.round(length), (long) least, (long) most);
    }

    @Override
    public String text() {
      return String.format(Locale.ROOT, "lognormal:%d:%s:%d:%d", median, sigma, least, most);
    }
  }

  /** What the forms have in common. */
  final class Syntax {
    private static final String N = "(\\d{1,8})";
    private static final Pattern NUMBER = Pattern.compile(N);
    private static final Pattern RANGE = Pattern.compile(N + "\\.\\." + N);
    private static final Pattern LOG_NORMAL =
        Pattern.compile("lognormal:" + N + ":(\\d{1,3}(?:\\.\\d{1,6})?):" + N + ":" + N);

    private Syntax() {}

    private static void requireAtLeast(String name, int value, int least) {
      if (value < least) {
        throw new IllegalArgumentException(
            name + ": " + value + " (expected: " + least + " or more)");
      }
    }
  }
}
