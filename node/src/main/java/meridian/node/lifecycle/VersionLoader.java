package meridian.node.lifecycle;

import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import meridian.core.backend.ModelLoadException;
import meridian.core.latency.ExecutionTimes;
import meridian.node.config.Threads;
import meridian.node.repository.ModelFiles;
import meridian.node.repository.ModelSource;
import meridian.node.repository.VersionSource;
import meridian.node.version.ServedVersion;
import meridian.node.warmup.ExecutionTimesFile.Measured;
import meridian.node.warmup.ThreadChoice;

/** Makes a version that can serve out of one that lies in a folder. Takes its time. */
final class VersionLoader {

  private static final int ALONE = 1;

  private final Surroundings around;
  private final long warmUpLimitNanos;
  private final ThreadChoice choice;

  VersionLoader(Surroundings around, long warmUpLimitNanos) {
    this.around = around;
    this.warmUpLimitNanos = warmUpLimitNanos;
    this.choice =
        new ThreadChoice(around.lanes().count(), Runtime.getRuntime().availableProcessors());
  }

  /**
   * @param nanos from the reading of the file to the last warm-up
   */
  record Loaded(ServedVersion version, long nanos) {}

  /**
   * Loads, probes and warms. On failure everything taken has been given back.
   *
   * @throws ModelLoadException with the reason
   */
  Loaded load(LoadOrder order) throws ModelLoadException {
    long startNanos = around.clock().nanos();
    order.requireWanted();
    ServedVersion version = load(order, file(order), new PastLoads(order, around));
    return new Loaded(version, around.clock().nanos() - startNanos);
  }

  private ServedVersion load(LoadOrder order, Path file, PastLoads past) throws ModelLoadException {
    Measured known = past.known();
    Threads wanted = order.settings().execution().threads();
    if (wanted.isMeasured() && known.isNothing()) {
      return measure(order, file, past);
    }
    return load(
        order, file, wanted.isMeasured() ? known.threads() : wanted.count(), known.times(), past);
  }

  private ServedVersion load(
      LoadOrder order, Path file, int threads, ExecutionTimes known, PastLoads past)
      throws ModelLoadException {
    try (Attempt attempt = new Attempt(order, around, threads)) {
      VersionAssembly assembly = attempt.load(file, warmUpLimitNanos);
      assembly.prepare(known);
      return attempt.serve(assembly, past);
    }
  }

  /** On one thread, unless that turns out to be too few. */
  private ServedVersion measure(LoadOrder order, Path file, PastLoads past)
      throws ModelLoadException {
    int best;
    try (Attempt single = new Attempt(order, around, ALONE)) {
      VersionAssembly assembly = single.load(file, warmUpLimitNanos);
      assembly.prepare(ExecutionTimes.NONE);
      best =
          assembly.shortestNanos() < ThreadChoice.SHORT_NANOS
              ? ALONE
              : best(order, file, assembly.sampleNanos());
      if (best == ALONE) {
        return single.serve(assembly, past);
      }
    }
    return load(order, file, best, ExecutionTimes.NONE, past);
  }

  /** Each number of threads is loaded for itself, beside the version that runs on one. */
  private int best(LoadOrder order, Path file, long aloneNanos) throws ModelLoadException {
    SortedMap<Integer, Long> nanos = new TreeMap<>(Map.of(ALONE, aloneNanos));
    for (int threads : choice.candidates()) {
      try (Attempt attempt = new Attempt(order, around, threads)) {
        nanos.put(threads, attempt.load(file, warmUpLimitNanos).sampleNanos());
      }
    }
    nanos.values().removeIf(failed -> failed == 0);
    return nanos.isEmpty() ? ALONE : choice.among(nanos);
  }

  private static Path file(LoadOrder order) throws ModelLoadException {
    ModelSource model = order.model();
    VersionSource version = order.version();
    if (version.fault() != null) {
      throw new ModelLoadException(version.fault());
    }
    return ModelFiles.resolve(
        model.folder(), version.folder(), "version " + version.number(), order.settings().file());
  }
}
