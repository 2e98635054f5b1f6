package meridian.node.lifecycle;

/** A version as the index shows it. */
record VersionView(long number, Phase phase, String reason) {}
