package meridian.node.repository;

/**
 * A file as a listing shows it. Whoever writes to the file changes the stamp.
 *
 * @param path relative to the model's folder, with forward slashes
 */
public record FileStamp(String path, long size, long modifiedNanos) {}
