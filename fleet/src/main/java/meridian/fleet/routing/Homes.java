package meridian.fleet.routing;

import java.util.Arrays;

/** A home for each set of regions that requests may go to. There are as many as rulings. */
final class Homes {

  private long[] sets = {};
  private Home[] homes = {};

  /**
   * @param permitted bit i for the i-th region
   */
  Home of(long permitted) {
    for (int i = 0; i < sets.length; i++) {
      if (sets[i] == permitted) {
        return homes[i];
      }
    }
    return add(permitted);
  }

  private Home add(long permitted) {
    Home home = new Home();
    sets = Arrays.copyOf(sets, sets.length + 1);
    homes = Arrays.copyOf(homes, homes.length + 1);
    sets[sets.length - 1] = permitted;
    homes[homes.length - 1] = home;
    return home;
  }
}
