package meridian.node.repository;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import meridian.core.model.ModelVersion;

/** Sorts what lies in a model's folder into versions, files beside them, and the rest. */
final class ModelScan {

  private final String name;
  private final Path folder;
  private final List<FileStamp> beside = new ArrayList<>();
  private final List<String> skipped = new ArrayList<>();
  private final TreeMap<Long, Path> versionFolders = new TreeMap<>();

  ModelScan(String name, Path realFolder) {
    this.name = name;
    this.folder = realFolder;
  }

  ModelSource scan() throws IOException {
    for (Path entry : Repository.children(folder)) {
      String entryName = entry.getFileName().toString();
      try {
        sort(entryName, entry, Files.readAttributes(entry, BasicFileAttributes.class));
      } catch (IOException e) {
        if (!hasLeft(entryName, e)) {
          throw new IOException(entryName + ": " + IoReason.of(e), e);
        }
      }
    }
    Fingerprint shared = new Fingerprint(beside);
    TreeMap<Long, VersionSource> versions = new TreeMap<>();
    versionFolders.forEach(
        (number, path) -> {
          VersionSource version = version(number, path, shared);
          if (version.fault() == null && version.fingerprint().equals(shared)) {
            skipped.add(number + ": an empty folder");
          } else {
            versions.put(number, version);
          }
        });
    return new ModelSource(name, folder, versions, skipped, null);
  }

  /** Hidden files come and go while others write theirs, and say nothing about the model. */
  private static boolean hasLeft(String entryName, IOException e) {
    return e instanceof NoSuchFileException && Repository.isHidden(entryName);
  }

  private void sort(String entryName, Path entry, BasicFileAttributes attributes)
      throws IOException {
    OptionalLong number = ModelVersion.parse(entryName);
    if (!attributes.isDirectory()) {
      sortFile(entryName, entry, attributes, number.isPresent());
    } else if (number.isPresent()) {
      versionFolders.put(number.getAsLong(), entry);
    } else {
      skipped.add(entryName + ": no version (expected: " + ModelVersion.RULE + ")");
    }
  }

  private void sortFile(
      String entryName, Path entry, BasicFileAttributes attributes, boolean namedLikeVersion)
      throws IOException {
    if (namedLikeVersion) {
      skipped.add(entryName + ": a file (expected: a folder)");
    } else if (!Repository.isHidden(entryName)) {
      beside.add(FolderScan.single(folder, entry, attributes));
    }
  }

  private VersionSource version(long number, Path path, Fingerprint shared) {
    try {
      return new VersionSource(number, path, FolderScan.deep(folder, path).plus(shared), null);
    } catch (IOException e) {
      return new VersionSource(number, path, shared, IoReason.of(e));
    }
  }
}
