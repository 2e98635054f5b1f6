package meridian.serving.telemetry;

import java.util.Locale;

/** How a request came in. */
public enum Protocol {
  REST,
  GRPC,
  GRPC_STREAM;

  private final String label = name().toLowerCase(Locale.ROOT);

  public String label() {
    return label;
  }
}
