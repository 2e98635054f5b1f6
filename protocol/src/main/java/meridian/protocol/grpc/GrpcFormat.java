package meridian.protocol.grpc;

/** Where a message carries its elements. */
public enum GrpcFormat {
  /** In {@code raw_input_contents} or {@code raw_output_contents}. */
  RAW,
  /** In the typed fields of each tensor. */
  CONTENTS
}
