package meridian.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import meridian.client.MeridianClient;
import meridian.client.Wire;
import meridian.core.error.Outcome;
import meridian.core.model.ModelDescription;
import meridian.core.model.VersionStatus;
import meridian.core.tensor.TensorSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "models",
    description = "List, show, load and unload a server's models.",
    footer = {"", "Example:", "  meridian models list --server http://127.0.0.1:8080"},
    synopsisSubcommandLabel = "list|show|load|unload")
final class ModelsCommand implements Runnable {

  @Spec private CommandSpec spec;

  @Override
  public void run() {
    spec.commandLine().usage(spec.commandLine().getOut());
  }

  @Command(
      name = "list",
      description = "Every version the server's repository knows, its state and why.",
      footer = {"", "Example:", "  meridian models list --json"})
  int list(
      @Mixin ServerOptions server,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws CommandException {
    try (MeridianClient client = server.connect(Wire.REST_JSON)) {
      List<VersionStatus> index = server.await(client.index());
      if (json) {
        out().println(Json.of(index));
      } else {
        printStatuses(index);
      }
      return 0;
    }
  }

  @Command(
      name = "show",
      description = "What a model takes and gives.",
      footer = {"", "Example:", "  meridian models show minilm"})
  int show(
      @Mixin ServerOptions server,
      @Parameters(paramLabel = "MODEL") String model,
      @Option(names = "--json", description = "Print JSON.") boolean json)
      throws CommandException {
    try (MeridianClient client = server.connect(Wire.REST_JSON)) {
      ModelDescription description = server.await(client.describe(model, null));
      if (json) {
        out().println(Json.of(description));
      } else {
        print(description);
      }
      return 0;
    }
  }

  @Command(
      name = "load",
      description = "Load a model, or load it again; what serves goes on serving until it is warm.",
      footer = {"", "Example:", "  meridian models load minilm"})
  int load(@Mixin ServerOptions server, @Parameters(paramLabel = "MODEL") String model)
      throws CommandException {
    return change(server, client -> client.load(model));
  }

  @Command(
      name = "unload",
      description = "Drain a model and close it.",
      footer = {"", "Example:", "  meridian models unload minilm"})
  int unload(@Mixin ServerOptions server, @Parameters(paramLabel = "MODEL") String model)
      throws CommandException {
    return change(server, client -> client.unload(model));
  }

  private int change(
      ServerOptions server,
      Function<MeridianClient, CompletionStage<Outcome<List<VersionStatus>>>> change)
      throws CommandException {
    try (MeridianClient client = server.connect(Wire.REST_JSON)) {
      printStatuses(server.await(change.apply(client)));
      return 0;
    }
  }

  private void printStatuses(List<VersionStatus> statuses) {
    out().printf("%-32s %8s  %-12s %s%n", "MODEL", "VERSION", "STATE", "REASON");
    for (VersionStatus status : statuses) {
      out()
          .printf(
              "%-32s %8s  %-12s %s%n",
              status.name(), status.version(), status.state(), status.reason());
    }
  }

  private void print(ModelDescription description) {
    PrintWriter out = out();
    out.printf(
        "%s  versions %s  %s%n",
        description.name(), description.versions(), description.platform());
    description.signature().inputs().forEach(spec -> print("input", spec));
    description.signature().outputs().forEach(spec -> print("output", spec));
    description.properties().entrySet().stream()
        .sorted(java.util.Map.Entry.comparingByKey())
        .forEach(entry -> out.printf("  %-20s %s%n", entry.getKey(), entry.getValue()));
  }

  private void print(String kind, TensorSpec spec) {
    out().printf("  %-6s %-20s %-6s %s%n", kind, spec.name(), spec.type(), spec.shape());
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }
}
