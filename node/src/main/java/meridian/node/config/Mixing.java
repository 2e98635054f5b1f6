package meridian.node.config;

/** Whether requests of different callers may share an execution. */
public enum Mixing {
  /** As soon as a probe has shown that an answer does not depend on the rows beside it. */
  AUTO,
  /** Never: every answer is the one the request gets alone. */
  EXACT,
  /** Always: answers may differ by what the probe measured. */
  ALLOWED
}
