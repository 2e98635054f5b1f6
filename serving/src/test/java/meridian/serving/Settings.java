package meridian.serving;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** Settings of a server under test. */
final class Settings {

  private Settings() {}

  /**
   * @param parts in the place of those of their type, which must be the only one of it
   */
  static ServerSettings with(ServerSettings settings, Record... parts) {
    RecordComponent[] components = ServerSettings.class.getRecordComponents();
    Object[] values = new Object[components.length];
    try {
      for (int i = 0; i < components.length; i++) {
        values[i] = components[i].getAccessor().invoke(settings);
      }
      for (Record part : parts) {
        values[only(components, part.getClass())] = part;
      }
      return (ServerSettings) ServerSettings.class.getConstructors()[0].newInstance(values);
    } catch (ReflectiveOperationException e) {
      throw new LinkageError(e.getMessage(), e);
    }
  }

  private static int only(RecordComponent[] components, Class<?> type) {
    List<? extends Class<?>> types =
        Arrays.stream(components).map(RecordComponent::getType).toList();
    int place = types.indexOf(type);
    if (place < 0 || place != types.lastIndexOf(type)) {
      throw new AssertionError(type + " (expected: the type of one part)");
    }
    return place;
  }
}
