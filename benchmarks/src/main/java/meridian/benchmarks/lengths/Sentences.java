package meridian.benchmarks.lengths;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/**
 * Token ids of random sentences.
 *
 * @param ids a row for each sentence
 */
record Sentences(List<long[]> ids) {

  private static final int SHORTEST = 8;
  private static final int LONGEST = 128;
  private static final double MEDIAN = 32;
  private static final double SIGMA = 0.7;
  private static final int FIRST_WORD = 1000;
  private static final int LAST_WORD = 30_000;

  /** Of {@value #SHORTEST} to {@value #LONGEST} tokens, log-normal. */
  static Sentences logNormal(int count) {
    RandomGenerator random = new Random(11);
    return new Sentences(
        random
            .doubles(count, 0, 1)
            .mapToObj(_ -> words(random, MEDIAN * Math.exp(SIGMA * random.nextGaussian())))
            .toList());
  }

  private static long[] words(RandomGenerator random, double length) {
    int clamped = Math.clamp(Math.round(length), SHORTEST, LONGEST);
    return random.longs(clamped, FIRST_WORD, LAST_WORD).toArray();
  }

  Sentences sorted() {
    return new Sentences(
        ids.stream().sorted((one, other) -> Integer.compare(one.length, other.length)).toList());
  }

  int size() {
    return ids.size();
  }

  /** One execution of some of them, filled up to the longest. */
  List<NamedTensor> inputs(int from, int to) {
    int rows = to - from;
    int length = ids.subList(from, to).stream().mapToInt(row -> row.length).max().orElseThrow();
    long[] tokens = new long[rows * length];
    long[] mask = new long[rows * length];
    for (int row = 0; row < rows; row++) {
      long[] words = ids.get(from + row);
      System.arraycopy(words, 0, tokens, row * length, words.length);
      Arrays.fill(mask, row * length, row * length + words.length, 1);
    }
    Shape shape = Shape.of(rows, length);
    return List.of(
        new NamedTensor("input_ids", Tensor.ofLongs(shape, tokens)),
        new NamedTensor("attention_mask", Tensor.ofLongs(shape, mask)),
        new NamedTensor("token_type_ids", Tensor.ofLongs(shape, new long[rows * length])));
  }

  @Override
  public String toString() {
    int[] lengths = ids.stream().mapToInt(row -> row.length).sorted().toArray();
    return "%d sentences, %d to %d tokens, median %d, mean %.1f"
        .formatted(
            lengths.length,
            lengths[0],
            lengths[lengths.length - 1],
            lengths[lengths.length / 2],
            Arrays.stream(lengths).average().orElseThrow());
  }
}
