package meridian.node.repository;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A version folder.
 *
 * @param fingerprint of its files and of those that lie beside the version folders
 * @param fault why it cannot be read, such as a link that leaves the model's folder; null when it
 *     can
 */
public record VersionSource(
    long number, Path folder, Fingerprint fingerprint, @Nullable String fault) {}
