/**
 * Metadata, readiness, configuration, statistics and the repository: core to JSON and protobuf, and
 * back.
 */
@NullMarked
package meridian.protocol.control;

import org.jspecify.annotations.NullMarked;
