package meridian.cli.config;

/**
 * A configuration that cannot be used; the message names the key, what came and what is expected.
 */
public final class ConfigException extends Exception {

  private static final long serialVersionUID = 1L;

  public ConfigException(String message) {
    super(message, null);
  }
}
