package meridian.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import meridian.cli.config.ConfigException;
import meridian.cli.config.ConfigLoader;
import meridian.node.NodeSettings;
import meridian.serving.ServerSettings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The flags that a region server is configured with. */
final class ConfigOptions {

  private static final Path DEFAULT_FILE = Path.of("meridian.yaml");

  private final Map<String, String> decided = new LinkedHashMap<>();

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Configuration (default: meridian.yaml, where there is one).")
  private @Nullable Path file;

  @Option(
      names = "--models",
      paramLabel = "DIR",
      description = "Model repository (default: the sample models).")
  private @Nullable Path models;

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where inference is served (default: 0.0.0.0:8080).")
  private @Nullable String listen;

  @Option(
      names = "--admin",
      paramLabel = "HOST:PORT",
      description = "Where administration is served (default: 127.0.0.1:8081).")
  private @Nullable String admin;

  @Option(
      names = "--region",
      paramLabel = "NAME",
      description = "Name of this region, told in every answer.")
  private @Nullable String region;

  /** Has a command decide what the user does not, over file and environment. */
  void set(String key, String value) {
    decided.put(key, value);
  }

  /** Exits by {@link ParameterException} with the key that is wrong. */
  MeridianConfig load() {
    try {
      return loader().load(file(), System.getenv(), flags());
    } catch (ConfigException wrong) {
      throw new ParameterException(spec.commandLine(), wrong.getMessage());
    }
  }

  static ConfigLoader<MeridianConfig> loader() {
    return new ConfigLoader<>(
        MeridianConfig.class,
        new MeridianConfig(
            ServerSettings.defaults(), NodeSettings.defaults(Distribution.sampleModels())));
  }

  private @Nullable Path file() {
    return file == null && Files.exists(DEFAULT_FILE) ? DEFAULT_FILE : file;
  }

  private Map<String, String> flags() {
    Map<String, String> flags = new LinkedHashMap<>(decided);
    if (models != null) {
      flags.put("node.models", models.toString());
    }
    if (region != null) {
      flags.put("server.region", region);
    }
    address("--listen", listen, "server.inference", flags);
    address("--admin", admin, "server.administration", flags);
    return flags;
  }

  private void address(
      String option, @Nullable String address, String key, Map<String, String> flags) {
    if (address == null) {
      return;
    }
    int colon = address.lastIndexOf(':');
    if (colon < 1 || !address.substring(colon + 1).matches("\\d{1,5}")) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + address + " (expected: HOST:PORT)");
    }
    flags.put(key + ".host", address.substring(0, colon));
    flags.put(key + ".port", address.substring(colon + 1));
  }
}
