package meridian.client;

/** How tensors travel. */
public enum Wire {
  /** gRPC with raw tensor contents. */
  GRPC("grpc"),
  /** REST with the binary tensor extension. */
  REST_BINARY("rest-binary"),
  /** REST with tensors in JSON. */
  REST_JSON("rest-json");

  private final String label;

  Wire(String label) {
    this.label = label;
  }

  @Override
  public String toString() {
    return label;
  }
}
