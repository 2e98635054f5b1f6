package meridian.core.infer;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Parameters by name, in the order they came. */
public record Parameters(Map<String, Parameter> values) {

  public static final Parameters NONE = new Parameters(Map.of());

  public Parameters {
    values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
  }

  public @Nullable Parameter get(String name) {
    return values.get(name);
  }

  public boolean isEmpty() {
    return values.isEmpty();
  }

  public Parameters with(String name, Parameter value) {
    Map<String, Parameter> copy = new LinkedHashMap<>(values);
    copy.put(name, value);
    return new Parameters(copy);
  }
}
