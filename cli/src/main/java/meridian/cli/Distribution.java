package meridian.cli;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where the installed program keeps what comes with it. */
final class Distribution {

  /** Set by the launcher to the folder it stands in. */
  private static final String HOME = "meridian.home";

  private Distribution() {}

  /** The sample models: beside the program once installed, in the build's folder before. */
  static Path sampleModels() {
    Path home = Path.of(System.getProperty(HOME, ""));
    Path installed = home.resolve("models");
    return Files.isDirectory(installed) ? installed : home.resolve("samples/target/models");
  }
}
