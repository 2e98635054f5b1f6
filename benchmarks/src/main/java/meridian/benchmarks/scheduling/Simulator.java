package meridian.benchmarks.scheduling;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Compares the scheduler with fixed-delay batching. Arguments: a file for the picture, and
 * optionally one of recorded arrivals, one instant in milliseconds per line.
 */
public final class Simulator {

  private static final int LANES = 2;
  private static final int MOST_ROWS = 32;
  private static final int REQUESTS = 60_000;
  private static final long DEADLINE = millis(50);
  private static final long NEVER = Long.MAX_VALUE;
  private static final double[] LOADS = {0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3};
  private static final Simulation.Service SERVICE = new Simulation.Service(5, 0.5, 0.05);
  private static final double CAPACITY = LANES * MOST_ROWS * 1e9 / SERVICE.nanos(MOST_ROWS);

  private final PrintStream out;

  private Simulator(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) throws IOException {
    PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
    new Simulator(out).run(args);
  }

  private void run(String[] args) throws IOException {
    out.printf(Locale.ROOT, "%d lanes, at most %d rows, %.0f rows/s%n", LANES, MOST_ROWS, CAPACITY);
    if (args.length > 1) {
      compare("recorded", recorded(Path.of(args[1])));
      return;
    }
    compare("1.5 x capacity, Poisson", bursts(1.5 * CAPACITY, 1));
    List<Choice> best = compare("1.5 x capacity, CV 4", bursts(1.5 * CAPACITY, 4));
    if (args.length == 1) {
      Files.writeString(Path.of(args[0]), new Picture(CAPACITY).draw(LOADS, curves(best)));
    }
  }

  private List<Choice> compare(String title, long[] arrivals) {
    out.printf(
        Locale.ROOT,
        "%n%s%n%-54s %9s %8s %8s %8s %6s%n",
        title,
        "",
        "in time/s",
        "P50 ms",
        "P99 ms",
        "refused",
        "batch");
    List<Choice> best = new ArrayList<>();
    for (List<Choice> family : families()) {
      Choice choice =
          family.stream()
              .max(Comparator.comparingDouble(each -> each.run(arrivals).goodput()))
              .orElseThrow();
      best.add(choice);
      Simulation.Result r = choice.run(arrivals);
      out.printf(
          Locale.ROOT,
          "%-54s %9.0f %8.1f %8.1f %7.1f%% %6.1f%n",
          choice.name,
          r.goodput(),
          r.p50Millis(),
          r.p99Millis(),
          100 * r.refused(),
          r.meanBatch());
    }
    return best;
  }

  private static List<Picture.Curve> curves(List<Choice> best) {
    List<Picture.Curve> curves = new ArrayList<>();
    for (Choice choice : best) {
      double[] goodput = new double[LOADS.length];
      for (int i = 0; i < LOADS.length; i++) {
        goodput[i] = choice.run(bursts(LOADS[i] * CAPACITY, 4)).goodput();
      }
      curves.add(new Picture.Curve(choice.name, goodput));
    }
    return curves;
  }

  /** Of each kind of policy all its settings. */
  private static List<List<Choice>> families() {
    List<Choice> fixed = new ArrayList<>();
    List<Choice> timed = new ArrayList<>();
    for (int size : new int[] {4, 8, 16, 32}) {
      for (long delay : new long[] {0, 1, 2, 5, 10, 20}) {
        fixed.add(fixed("Triton's rule", size, delay, 0, Integer.MAX_VALUE));
        for (long timeout : new long[] {5, 10, 15, 20, 25, 30, 40, 50}) {
          timed.add(fixed("Triton's rule", size, delay, timeout, Integer.MAX_VALUE));
        }
      }
    }
    List<Choice> torch = new ArrayList<>();
    for (int size : new int[] {1, 4, 8, 16, 32}) {
      torch.add(fixed("TorchServe's rule", size, 100, 0, 100));
    }
    Choice ours = new Choice("Meridian", () -> new DeadlineAware(LANES, MOST_ROWS, SERVICE));
    return List.of(
        List.of(ours),
        fixed,
        timed,
        torch,
        List.of(fixed("no batching", 1, 0, 0, Integer.MAX_VALUE)));
  }

  private static Choice fixed(String rule, int size, long delay, long timeout, int most) {
    String name =
        rule
            + ", size "
            + size
            + ", delay "
            + delay
            + " ms"
            + (timeout == 0 ? "" : ", timeout " + timeout + " ms");
    long timeoutNanos = timeout == 0 ? NEVER : millis(timeout);
    return new Choice(name, () -> new FixedDelay(size, millis(delay), timeoutNanos, most));
  }

  /** Arrivals with hyperexponential gaps of balanced means; exponential ones for a CV of 1. */
  private static long[] bursts(double perSecond, double variation) {
    Random random = new Random(5);
    double square = variation * variation;
    double often = (1 + Math.sqrt((square - 1) / (square + 1))) / 2;
    long[] arrivals = new long[REQUESTS];
    double seconds = 0;
    for (int i = 0; i < REQUESTS; i++) {
      double share = random.nextDouble() < often ? often : 1 - often;
      seconds -= Math.log(1 - random.nextDouble()) / (2 * share * perSecond);
      arrivals[i] = (long) (seconds * 1e9);
    }
    return arrivals;
  }

  private static long[] recorded(Path file) throws IOException {
    return Files.readAllLines(file).stream()
        .mapToLong(line -> (long) (Double.parseDouble(line.strip()) * 1e6))
        .sorted()
        .toArray();
  }

  private static long millis(long count) {
    return count * 1_000_000;
  }

  /** One policy with its settings. */
  private record Choice(String name, Supplier<Policy> policy) {
    Simulation.Result run(long[] arrivals) {
      return new Simulation(LANES, policy.get(), SERVICE).run(arrivals, DEADLINE);
    }
  }
}
