package meridian.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;
import meridian.cli.bench.JsonReport;
import meridian.cli.bench.LoadReport;
import meridian.cli.bench.html.HtmlReport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How {@code bench} tells what it measured. */
final class ReportOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(names = "--json", description = "Print the report as JSON.")
  private boolean json;

  @Option(
      names = "--html",
      paramLabel = "FILE",
      description = "Also write the report, with plots, as one HTML file.")
  private @Nullable Path html;

  /** Before the work, so that a report is not lost for want of a place. */
  void check() {
    if (html == null) {
      return;
    }
    Path folder = html.toAbsolutePath().getParent();
    if (folder == null || !Files.isWritable(folder) || Files.isDirectory(html)) {
      throw new ParameterException(
          spec.commandLine(), "--html: " + html + " (expected: a file in a folder that is there)");
    }
  }

  boolean isJson() {
    return json;
  }

  void print(Supplier<String> text, Supplier<ObjectNode> object) {
    spec.commandLine().getOut().println(json ? object.get().toPrettyString() : text.get());
  }

  void give(LoadReport report) throws CommandException {
    print(report::text, () -> JsonReport.of(report));
    if (html != null) {
      write(html, HtmlReport.of(report));
    }
  }

  private static void write(Path file, String page) throws CommandException {
    try {
      Files.writeString(file, page);
    } catch (IOException failed) {
      throw new CommandException(
          "--html: cannot write " + file + " (" + failed.getClass().getSimpleName() + ")");
    }
  }
}
