package meridian.cli;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
    name = "serve",
    description = "Serve models over REST and gRPC on one port until told to stop.",
    footer = {
      "",
      "Examples:",
      "  meridian serve",
      "  meridian serve --models models --listen 0.0.0.0:9000 --region manila"
    })
final class ServeCommand implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @Mixin private ConfigOptions options;

  @Option(names = "--json-logs", description = "Log one JSON object per line.")
  private boolean jsonLogs;

  @Override
  public Integer call() throws CommandException, InterruptedException {
    Logs.configure(jsonLogs);
    RegionServer server = Starting.regionServer(options);
    CountDownLatch stopped = stopOnSignal(server);
    PrintWriter out = spec.commandLine().getOut();
    out.println("inference       " + server.inference());
    out.println("administration  " + server.administration());
    out.flush();
    stopped.await();
    return 0;
  }

  /**
   * SIGTERM and SIGINT end the program with the status of a signal unless told otherwise, so the
   * hook halts with success itself once everything has stopped in order.
   */
  private static CountDownLatch stopOnSignal(RegionServer server) {
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .name("stop")
                .unstarted(
                    () -> {
                      server.close();
                      stopped.countDown();
                      Runtime.getRuntime().halt(0);
                    }));
    return stopped;
  }
}
