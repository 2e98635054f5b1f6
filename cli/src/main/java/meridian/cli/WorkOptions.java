package meridian.cli;

import java.time.Duration;
import java.util.SplittableRandom;
import meridian.cli.bench.Lengths;
import meridian.cli.bench.Priorities;
import meridian.cli.bench.Requests;
import meridian.cli.bench.Samples;
import meridian.core.model.ModelDescription;
import meridian.core.time.NanoClock;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What {@code bench} asks for. */
final class WorkOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--rows",
      paramLabel = "N",
      defaultValue = "1",
      description = "Rows of a request (default: ${DEFAULT-VALUE}).")
  private int rows;

  @Option(
      names = "--length",
      paramLabel = "LENGTH",
      defaultValue = "16",
      converter = LengthsConverter.class,
      description =
          "Size of every other variable dimension, drawn for each request: a number, MIN..MAX "
              + "(uniform) or lognormal:MEDIAN:SIGMA:MIN:MAX (default: ${DEFAULT-VALUE}).")
  private Lengths lengths;

  @Option(
      names = "--timeout-ms",
      paramLabel = "MILLIS",
      description = "Deadline of each request in milliseconds (default: none).")
  private @Nullable Integer timeoutMillis;

  @Option(
      names = "--priority",
      paramLabel = "PRIORITY",
      converter = PrioritiesConverter.class,
      description =
          "Priority of each request, 1 the highest: a number, or several with weights such as "
              + "1:10,8:90 (default: the model's).")
  private @Nullable Priorities priorities;

  void check() {
    Checks.requirePositive(spec, "--rows", rows);
    Checks.requirePositive(spec, "--timeout-ms", timeoutMillis);
  }

  int rows() {
    return rows;
  }

  Requests requests(ModelDescription model) {
    return requests(model, rows);
  }

  Requests requests(ModelDescription model, int rowsEach) {
    SplittableRandom random = new SplittableRandom(LoadOptions.SEED);
    return new Requests(
        model.name(),
        new Samples(model.signature(), rowsEach, lengths, random.split()),
        timeoutMillis == null ? null : Duration.ofMillis(timeoutMillis),
        priorities == null ? Priorities.OF_THE_MODEL : priorities,
        random,
        NanoClock.SYSTEM);
  }

  /** For the title of a report. */
  String text() {
    return "%d row(s), length %s%s%s"
        .formatted(
            rows,
            lengths.text(),
            timeoutMillis == null ? "" : ", deadline " + timeoutMillis + " ms",
            priorities == null ? "" : ", priority " + priorities.text());
  }
}
