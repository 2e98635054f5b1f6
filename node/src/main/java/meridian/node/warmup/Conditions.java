package meridian.node.warmup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import meridian.core.backend.Backend;
import meridian.node.config.ModelSettings.Execution;
import meridian.node.repository.FileStamp;
import meridian.node.repository.VersionSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Under what execution times are measured: files, engine and machine, in words. */
public final class Conditions {

  private static final Logger LOG = LoggerFactory.getLogger(Conditions.class);
  private static final Path PROCESSORS = Path.of("/proc/cpuinfo");
  private static final String PROCESSOR = "model name";
  private static final String MACHINE =
      "%s, %s, %d cores"
          .formatted(
              System.getProperty("os.arch"),
              processor(),
              Runtime.getRuntime().availableProcessors());

  private Conditions() {}

  public static String of(VersionSource version, Backend backend, Execution settings, int lanes) {
    return "files %08x; %s %s, %s; %d lanes; %s"
        .formatted(checksum(version), backend.name(), backend.release(), settings, lanes, MACHINE);
  }

  private static long checksum(VersionSource version) {
    CRC32C checksum = new CRC32C();
    for (FileStamp stamp : version.fingerprint().files()) {
      checksum.update(stamp.toString().getBytes(StandardCharsets.UTF_8));
    }
    return checksum.getValue();
  }

  /** As Linux names it; elsewhere the architecture has to do. */
  private static String processor() {
    try (Stream<String> lines = Files.lines(PROCESSORS)) {
      return lines
          .filter(line -> line.startsWith(PROCESSOR))
          .map(line -> line.substring(line.indexOf(':') + 1).strip())
          .findFirst()
          .orElse("a processor without a name");
    } catch (NoSuchFileException _) {
      return "a processor without a name";
    } catch (IOException e) {
      LOG.info("{}: not read: {}", PROCESSORS, e.toString());
      return "a processor without a name";
    }
  }
}
