package meridian.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.concurrent.Callable;
import meridian.cli.demo.Demo;
import meridian.cli.demo.Summary;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "demo",
    description = "Serve the sample models, send sample traffic and show a live table.",
    footer = {"", "Examples:", "  meridian demo", "  meridian demo --duration 20s --json"})
final class DemoCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ConfigOptions options;

  @Option(
      names = "--duration",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "End after this time with a summary (default: run until stopped).")
  private @Nullable Duration duration;

  @Option(names = "--json", description = "Print only the summary, as JSON.")
  private boolean json;

  @Override
  public Integer call() throws CommandException, InterruptedException {
    Checks.requirePositive(spec, "--duration", duration);
    options.set("server.shutdown.grace", "0s");
    PrintWriter out = spec.commandLine().getOut();
    try (RegionServer server = Starting.regionServer(options)) {
      Demo demo = new Demo(server.inference(), server.administration(), server.catalog());
      Summary summary =
          demo.run(duration, json ? Demo.silent() : Demo.screen(out, Terminals.isInteractive()));
      out.println(json ? summary.json().toPrettyString() : summary.text());
      out.flush();
      return summary.succeeded() ? 0 : Main.FAILED;
    }
  }
}
