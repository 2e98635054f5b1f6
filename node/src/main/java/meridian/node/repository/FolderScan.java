package meridian.node.repository;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Stamps the files of a folder, and refuses what is not a plain file inside the model's folder. */
final class FolderScan extends SimpleFileVisitor<Path> {

  static final String LEAVES = "a link that leaves the model's folder";

  private static final int MAX_DEPTH = 16;
  private static final int MAX_FILES = 10_000;

  private final Path modelFolder;
  private final List<FileStamp> stamps = new ArrayList<>();

  private FolderScan(Path modelFolder) {
    this.modelFolder = modelFolder;
  }

  /**
   * All files below {@code folder}, through links as long as they stay in the model's folder.
   *
   * @param modelFolder a real path
   * @throws IOException with a message for the operator when something cannot be read or is refused
   */
  static Fingerprint deep(Path modelFolder, Path folder) throws IOException {
    FolderScan scan = new FolderScan(modelFolder);
    Files.walkFileTree(folder, EnumSet.of(FileVisitOption.FOLLOW_LINKS), MAX_DEPTH, scan);
    return new Fingerprint(scan.stamps);
  }

  /** One file of the model's folder, under the same rules. */
  static FileStamp single(Path modelFolder, Path file, BasicFileAttributes attributes)
      throws IOException {
    String path = relative(modelFolder, file);
    if (!file.toRealPath().startsWith(modelFolder)) {
      throw new IOException(path + ": " + LEAVES);
    }
    if (!attributes.isRegularFile()) {
      throw new IOException(path + ": neither a file nor a folder");
    }
    return new FileStamp(
        path, attributes.size(), attributes.lastModifiedTime().to(TimeUnit.NANOSECONDS));
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
    if (attributes.isDirectory()) {
      throw new IOException(
          relative(modelFolder, file) + ": nested deeper than " + MAX_DEPTH + " folders");
    }
    if (stamps.size() == MAX_FILES) {
      throw new IOException(
          "more than %d files (expected: at most %d)".formatted(MAX_FILES, MAX_FILES));
    }
    stamps.add(single(modelFolder, file, attributes));
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
    throw new IOException(relative(modelFolder, file) + ": " + IoReason.of(e), e);
  }

  private static String relative(Path modelFolder, Path file) {
    return modelFolder.relativize(file).toString().replace('\\', '/');
  }
}
