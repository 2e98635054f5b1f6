package meridian.serving.telemetry;

/** What is asked for whenever somebody looks at the metrics; several of one label add up. */
public enum Watched {
  QUEUE_DEPTH("meridian_queue_depth", "Rows that wait for a lane.", "model"),
  SEQUENCES("meridian_sequences", "Sequences that have begun and not ended.", "model"),
  SEQUENCE_STATE_BYTES("meridian_sequence_state_bytes", "Memory of their states.", "model"),
  LANES_BUSY("meridian_lanes_busy", "Lanes that execute a batch."),
  NATIVE_MEMORY_BYTES("meridian_native_memory_bytes", "Memory outside the heap.", "area");

  private final String metric;
  private final String help;
  private final String[] labels;

  Watched(String metric, String help, String... labels) {
    this.metric = metric;
    this.help = help;
    this.labels = labels;
  }

  String metric() {
    return metric;
  }

  String help() {
    return help;
  }

  /** One name, or none. */
  String[] labels() {
    return labels.clone();
  }
}
