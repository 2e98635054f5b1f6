package meridian.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * Runs google-java-format over every source file below a folder. A program of one file without
 * dependencies, so that {@code mvn -Pformat} starts it from source on the JDK of the build.
 */
final class SourceFormat {
  private SourceFormat() {}

  /** Rewrites the files below {@code args[0]} in place. */
  public static void main(String[] args) throws IOException {
    System.exit(run(Path.of(args[0]), new PrintWriter(System.out, true, UTF_8), "--replace"));
  }

  /** The files below {@code root} that formatting would change. */
  static List<String> unformatted(Path root) throws IOException {
    StringWriter out = new StringWriter();
    run(root, new PrintWriter(out), "--dry-run");
    return out.toString().lines().toList();
  }

  private static int run(Path root, PrintWriter out, String mode) throws IOException {
    ToolProvider formatter = ToolProvider.findFirst("google-java-format").orElseThrow();
    List<String> sources = sources(root);
    if (sources.isEmpty()) {
      return 0;
    }
    String[] args = Stream.concat(Stream.of(mode), sources.stream()).toArray(String[]::new);
    int code = formatter.run(out, out, args);
    out.flush();
    return code;
  }

  private static List<String> sources(Path root) throws IOException {
    List<String> sources = new ArrayList<>();
    Files.walkFileTree(
        root.normalize(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return isSkipped(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".java")) {
              sources.add(file.toString());
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return sources;
  }

  private static boolean isSkipped(Path folder) {
    String name = folder.getFileName().toString();
    return name.equals("target") || name.equals("node_modules") || name.startsWith(".git");
  }
}
