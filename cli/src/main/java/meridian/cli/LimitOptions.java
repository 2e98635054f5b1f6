package meridian.cli;

import java.nio.file.Path;
import meridian.cli.bench.LoadTest;
import meridian.cli.bench.Plan;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What {@code bench} holds the server against. */
final class LimitOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--limit",
      paramLabel = "FILE",
      description =
          "Also run this model file in process, in turn with the server, and print the ratios.")
  private @Nullable Path file;

  @Option(
      names = "--limit-batch",
      paramLabel = "N",
      description =
          "Rows of a run in process, all of one length, with --in-flight: what the model costs at "
              + "its best, for throughput and processor time (default: --rows).")
  private @Nullable Integer batch;

  @Option(
      names = "--limit-threads",
      paramLabel = "N",
      defaultValue = "1",
      description = "Runs in process at once, with --in-flight (default: ${DEFAULT-VALUE}).")
  private int threads;

  @Option(
      names = "--server-pid",
      paramLabel = "PID",
      description = "The server's process, if it is on this machine: its processor time is told.")
  private @Nullable Long serverPid;

  void check(LoadOptions load) {
    Checks.requirePositive(spec, "--limit-batch", batch);
    Checks.requirePositive(spec, "--limit-threads", threads);
    if (batch != null && (file == null || !load.isClosed())) {
      throw wrong("--limit-batch", batch, "with --limit and --in-flight");
    }
    if (threads > 1 && (file == null || !load.isClosed())) {
      throw wrong("--limit-threads", threads, "with --limit and --in-flight");
    }
    if (serverPid != null && ProcessHandle.of(serverPid).isEmpty()) {
      throw wrong("--server-pid", serverPid, "a process of this machine");
    }
  }

  private ParameterException wrong(String option, Object value, String expected) {
    return new ParameterException(
        spec.commandLine(), option + ": " + value + " (expected: " + expected + ")");
  }

  boolean isGiven() {
    return file != null;
  }

  @Nullable Path file() {
    return file;
  }

  Plan.@Nullable Limit plan(int rows) {
    return file == null ? null : new Plan.Limit(batch == null ? rows : batch, threads);
  }

  LoadTest.Target withProcess(LoadTest.Target server) {
    return serverPid == null
        ? server
        : ProcessHandle.of(serverPid).map(server::withProcess).orElse(server);
  }
}
