package meridian.core.model;

import java.util.List;

/** Which of the versions in the repository are served. */
public sealed interface VersionPolicy {

  /** The {@code count} highest. */
  record Latest(int count) implements VersionPolicy {
    public Latest {
      if (count < 1) {
        throw new IllegalArgumentException("count: " + count + " (expected: 1 or more)");
      }
    }
  }

  record All() implements VersionPolicy {}

  /** Those named, as far as they are there. */
  record Specific(List<Long> versions) implements VersionPolicy {
    public Specific {
      versions = List.copyOf(versions);
    }
  }

  /** The highest version alone. */
  static VersionPolicy latest() {
    return new Latest(1);
  }

  /** The versions to serve out of {@code available}, in descending order. */
  default List<Long> select(List<Long> available) {
    List<Long> descending = available.stream().sorted((a, b) -> Long.compare(b, a)).toList();
    return switch (this) {
      case Latest(int count) -> descending.stream().limit(count).toList();
      case All() -> descending;
      case Specific(List<Long> versions) -> descending.stream().filter(versions::contains).toList();
    };
  }
}
