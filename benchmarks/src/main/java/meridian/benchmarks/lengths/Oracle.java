package meridian.benchmarks.lengths;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import meridian.core.backend.LoadedModel;
import meridian.core.tensor.NamedTensor;
import meridian.core.time.NanoClock;

/** Knows all sentences before it begins: full batches of like length, made beforehand. */
final class Oracle {

  private static final Set<String> OUTPUTS = Set.of("last_hidden_state");

  private final LoadedModel model;
  private final List<Callable<Object>> batches = new ArrayList<>();
  private final int sentences;
  private final int threads;

  Oracle(LoadedModel model, Sentences sentences, int rows, int threads) {
    this.model = model;
    this.sentences = sentences.size();
    this.threads = threads;
    Sentences sorted = sentences.sorted();
    for (int from = 0; from < sorted.size(); from += rows) {
      List<NamedTensor> inputs = sorted.inputs(from, Math.min(from + rows, sorted.size()));
      batches.add(() -> this.model.run(inputs, OUTPUTS));
    }
  }

  /** Sentences a second. */
  double run() throws InterruptedException, ExecutionException {
    long began = NanoClock.SYSTEM.nanos();
    try (ExecutorService executor = Executors.newFixedThreadPool(threads)) {
      for (Future<Object> done : executor.invokeAll(batches)) {
        done.get();
      }
    }
    return sentences * 1e9 / (NanoClock.SYSTEM.nanos() - began);
  }
}
