package meridian.node.repository;

import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What a scan of the repository found. */
public sealed interface Listing {

  /**
   * @param models by name
   * @param refused folders whose names are no model names, with the reason
   */
  record Found(NavigableMap<String, ModelSource> models, Map<String, String> refused)
      implements Listing {

    public Found {
      models = Collections.unmodifiableNavigableMap(new TreeMap<>(models));
      refused = Collections.unmodifiableMap(new TreeMap<>(refused));
    }
  }

  /** The repository itself is gone or cannot be read, which says nothing about its models. */
  record Unreadable(String reason) implements Listing {}
}
