package meridian.fleet.routing;

import java.nio.charset.StandardCharsets;

/**
 * Highest random weight hashing (Thaler and Ravishankar, 1998): every gateway picks the same of
 * several regions for a key, and when one goes only its keys move.
 */
final class Rendezvous {

  private static final long FNV_OFFSET = 0xcbf29ce484222325L;
  private static final long FNV_PRIME = 0x100000001b3L;

  private Rendezvous() {}

  /** FNV-1a: the same on every machine. */
  static long hash(String name) {
    long hash = FNV_OFFSET;
    for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
      hash = (hash ^ (each & 0xff)) * FNV_PRIME;
    }
    return hash;
  }

  /** How much a key is drawn to a region, unsigned. */
  static long weight(long key, long region) {
    return mix(key ^ mix(region));
  }

  /** Whether a share of all random numbers has this one, each region drawing anew. */
  static boolean isWithin(double share, long random, long region) {
    return (weight(random, region) >>> 11) * 0x1.0p-53 < share;
  }

  /** The finaliser of SplitMix64 (Steele, Lea and Flood, 2014). */
  private static long mix(long value) {
    long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}
