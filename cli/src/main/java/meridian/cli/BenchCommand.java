package meridian.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import meridian.cli.bench.LoadReport;
import meridian.cli.bench.LoadShape;
import meridian.cli.bench.LoadTest;
import meridian.cli.bench.MaxRate;
import meridian.cli.bench.Plan;
import meridian.cli.config.Units;
import meridian.client.MeridianClient;
import meridian.client.Wire;
import meridian.core.infer.InferRequest;
import meridian.core.model.ModelDescription;
import meridian.core.time.NanoClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "bench",
    description = {
      "Load a model at a fixed rate and report latencies from the intended start of each request."
          + " Requests are sent when they are due, answered or not (open loop), so that a slow"
          + " server cannot slow its own test. With --in-flight each answer sends the next request"
          + " instead."
    },
    footer = {
      "",
      "Examples:",
      "  meridian bench minilm --rate 50 --duration 20s --html report.html",
      "  meridian bench minilm --find-max --budget 50ms",
      "  meridian bench minilm-tokens --rate 80 --length lognormal:32:0.7:8:128",
      "  meridian bench add --in-flight 64 --limit add/1/model.onnx --limit-batch 32"
    })
final class BenchCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ServerOptions server;
  @Mixin private LoadOptions load;
  @Mixin private WorkOptions work;
  @Mixin private SearchOptions search;
  @Mixin private LimitOptions limit;
  @Mixin private ReportOptions report;

  @Parameters(index = "0", paramLabel = "MODEL", description = "The model's name.")
  private String model;

  @Option(
      names = "--wire",
      paramLabel = "WIRE",
      defaultValue = "grpc",
      converter = WireConverter.class,
      description = "grpc, rest-binary or rest-json (default: ${DEFAULT-VALUE}).")
  private Wire wire;

  @Override
  public Integer call() throws CommandException, InterruptedException {
    load.check();
    report.check();
    work.check();
    limit.check(load);
    search.check(load, limit);
    try (MeridianClient client = server.connect(wire, load.bounds())) {
      ModelDescription description = server.await(client.describe(model, null));
      return search.isGiven() ? findMax(client, description) : measure(client, description);
    }
  }

  private int measure(MeridianClient client, ModelDescription description)
      throws CommandException, InterruptedException {
    LoadTest test = new LoadTest(load.duration(), load.slice(), load.warmUp(), NanoClock.SYSTEM);
    LoadTest.Target target = target(client, load.shape(), work.requests(description));
    LoadTest.Result result;
    try (LimitRun inProcess = LimitRun.open(limit, load, work, description)) {
      result = test.run(target, inProcess.target(), (share, _) -> progress(share));
    }
    report.give(
        LoadReport.of(
            plan(load.shape().text()),
            result,
            List.of(),
            Runtime.getRuntime().availableProcessors()));
    return result.server().answered() == 0 ? Main.FAILED : 0;
  }

  private int findMax(MeridianClient client, ModelDescription description)
      throws CommandException, InterruptedException {
    Supplier<InferRequest> requests = work.requests(description);
    MaxRate.Found found =
        new MaxRate(
                rate -> target(client, load.open(rate), requests),
                search.settings(load),
                NanoClock.SYSTEM)
            .find(this::tell);
    MaxRate.Trial best = found.best();
    if (best == null) {
      throw new CommandException(
          "no rate keeps P99 within %s (expected: a longer --budget or a faster server)"
              .formatted(Units.format(search.budget())));
    }
    Plan plan = plan("highest rate " + load.open(best.rate()).text());
    report.give(
        LoadReport.of(
            plan.at(best.rate()),
            new LoadTest.Result(best.measured(), null),
            found.trials(),
            Runtime.getRuntime().availableProcessors()));
    return 0;
  }

  private LoadTest.Target target(
      MeridianClient client, LoadShape shape, Supplier<InferRequest> requests) {
    return limit.withProcess(
        new LoadTest.Target(shape.of(client, requests), OptionalLong::empty, client::waited));
  }

  private Plan plan(String shape) {
    String title =
        "%s over %s for %s: %s, %s"
            .formatted(model, wire, Units.format(load.duration()), shape, work.text());
    return new Plan(
        title,
        load.isClosed() ? null : load.rate(),
        search.budget(),
        work.rows(),
        limit.plan(work.rows()));
  }

  private void tell(MaxRate.Trial trial) {
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        Locale.ROOT,
        "trial at %.1f/s: P99 %s ms, %.2f %% without an answer: %s%n",
        trial.rate(),
        Units.millis(trial.measured().total().nanosAt(99)),
        100 * trial.measured().failedShare(),
        (trial.passed() ? "passed" : "failed") + (trial.confirming() ? ", decides" : ""));
    err.flush();
  }

  private void progress(double share) {
    if (!report.isJson() && Terminals.isInteractive()) {
      PrintWriter err = spec.commandLine().getErr();
      err.printf(Locale.ROOT, "\r%3.0f %%", share * 100);
      err.print(share >= 1 ? "\r     \r" : "");
      err.flush();
    }
  }
}
