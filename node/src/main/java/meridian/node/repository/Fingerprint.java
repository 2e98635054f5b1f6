package meridian.node.repository;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What a version is made of, as far as a listing tells: equal while nobody changes a file. */
public record Fingerprint(List<FileStamp> files) {

  private static final Comparator<FileStamp> ORDER = Comparator.comparing(FileStamp::path);

  public Fingerprint {
    files = files.stream().sorted(ORDER).toList();
  }

  public Fingerprint plus(Fingerprint other) {
    List<FileStamp> all = new ArrayList<>(files);
    all.addAll(other.files);
    return new Fingerprint(all);
  }
}
