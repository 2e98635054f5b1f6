package meridian.node.config;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Optional;

/** Finds what somebody probably meant to write. */
public final class NearestName {

  private NearestName() {}

  /** The name with the fewest edits to {@code typo}, however many. */
  public static String of(Collection<String> names, String typo) {
    return Collections.min(names, Comparator.comparingInt(name -> edits(name, typo)));
  }

  /** The name with the fewest edits to {@code typo}, if they are few or only complete it. */
  static Optional<String> among(Collection<String> names, String typo) {
    int allowed = Math.max(2, typo.length() / 3);
    return names.stream()
        .filter(name -> edits(name, typo) <= allowed || isStart(typo, name))
        .min(
            Comparator.comparingInt((String name) -> edits(name, typo))
                .thenComparing(name -> name));
  }

  private static boolean isStart(String typo, String name) {
    return typo.length() > 2 && name.startsWith(typo);
  }

  /** Levenshtein's distance, in two rows of its table. */
  private static int edits(String from, String to) {
    int[] above = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      above[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int[] row = new int[to.length() + 1];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int replaced = above[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replaced, 1 + Math.min(above[j], row[j - 1]));
      }
      above = row;
    }
    return above[to.length()];
  }
}
