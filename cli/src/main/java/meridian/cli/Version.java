package meridian.cli;

import java.util.Objects;
import picocli.CommandLine.IVersionProvider;

/** The program's version, as the build wrote it into the jar. */
final class Version implements IVersionProvider {

  static String current() {
    return Objects.requireNonNullElse(
        Version.class.getPackage().getImplementationVersion(), "development");
  }

  @Override
  public String[] getVersion() {
    return new String[] {"meridian " + current()};
  }
}
