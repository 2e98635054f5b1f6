package meridian.node.sequence;

import meridian.core.infer.Parameter;

/**
 * What tells sequences of a version apart.
 *
 * @param tenant whose sequence it is; nobody goes on with a stranger's
 * @param value the caller's own, a whole number but 0 or a text
 */
public record SequenceId(String tenant, Parameter value) {}
