package meridian.protocol;

/** The name of every header, in lower case, as HTTP/2 and gRPC metadata carry them. */
public final class Headers {

  /** Bytes of JSON in front of the binary tensors; 0 when the whole body is one raw tensor. */
  public static final String JSON_LENGTH = "inference-header-content-length";

  /** Request: milliseconds from arrival within which an answer is of use. */
  public static final String TIMEOUT_MILLIS = "meridian-timeout-ms";

  /** Request: affinity key; same region, version and variant while possible. */
  public static final String SESSION = "meridian-session";

  /** Request: on whose behalf; tenants share a model's queue fairly. */
  public static final String TENANT = "meridian-tenant";

  /** Request: jurisdiction of the caller's data, from principals allowed to set it. */
  public static final String JURISDICTION = "meridian-jurisdiction";

  /** Request: class of the caller's data, from principals allowed to set it. */
  public static final String DATA_CLASS = "meridian-data-class";

  /** Request between regions: forwards so far, at most 1. */
  public static final String HOPS = "meridian-hops";

  /** Request between regions: the pinned generation; response: the one that answered. */
  public static final String GENERATION = "meridian-generation";

  /** Response of gRPC, a trailer: milliseconds after which to try again. */
  public static final String GRPC_PUSHBACK_MILLIS = "grpc-retry-pushback-ms";

  /** Response: a {@link ServerTiming}; a trailer in gRPC. */
  public static final String SERVER_TIMING = "server-timing";

  /** Response: the region that answered. */
  public static final String REGION = "meridian-region";

  /** Response: the version that answered. */
  public static final String MODEL_VERSION = "meridian-model-version";

  /** Response: whether the answer came from a cache. */
  public static final String CACHE = "meridian-cache";

  /** Response: id of the routing decision. */
  public static final String DECISION = "meridian-decision";

  /** Response from node to gateway: an ORCA-style load report. */
  public static final String LOAD_METRICS = "endpoint-load-metrics";

  private Headers() {}
}
