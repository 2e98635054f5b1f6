package meridian.core.model;

/**
 * One line of the repository index.
 *
 * @param version empty for a model of which no version could be told
 * @param reason why it is not ready, or what was skipped; empty when there is nothing to say
 */
public record VersionStatus(String name, String version, ModelState state, String reason) {}
