package meridian.core.latency;

import java.util.Locale;

/** The five parts of a request's end-to-end time. */
public enum Stage {
  /** On the wire: name lookup, handshakes, transfer, round trips between regions. */
  NETWORK,
  /** Decoding, feature look-up, pre- and post-processing, encoding. */
  DATA,
  /** Waiting for a lane. */
  QUEUE,
  /** The forward pass. */
  MODEL,
  /** Everything else the server spends. */
  SERVICE;

  private final String label = name().toLowerCase(Locale.ROOT);

  /** The name used in headers, metrics, spans and reports. */
  public String label() {
    return label;
  }
}
