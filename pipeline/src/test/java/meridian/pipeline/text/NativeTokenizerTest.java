package meridian.pipeline.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class NativeTokenizerTest {

  private static final int THREADS = 8;

  @Test
  void encode_manyThreads_giveWhatOneGives() throws Exception {
    String[] texts = {"Hello world", "", "a b c ".repeat(50), "[SEP] é 東京 😀", "x".repeat(200)};
    try (NativeTokenizer tokenizer = NativeTokenizer.create(Samples.tokenizer().toString());
        ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
      List<long[]> expected = encodeAll(tokenizer, texts);
      for (Future<List<long[]>> result :
          threads.invokeAll(repeated(() -> encodeAll(tokenizer, texts), 400))) {
        assertThat(result.get()).usingRecursiveComparison().isEqualTo(expected);
      }
    }
  }

  @Test
  void close_whileThreadsEncode_letsThemFinishAndRefusesNewOnes() throws Exception {
    for (int round = 0; round < 5; round++) {
      NativeTokenizer tokenizer = NativeTokenizer.create(Samples.tokenizer().toString());
      CountDownLatch encoding = new CountDownLatch(THREADS);
      try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
          results.add(threads.submit(() -> encodeUntilClosed(tokenizer, encoding)));
        }
        encoding.await();
        tokenizer.close();
        for (Future<Integer> result : results) {
          assertThat(result.get()).isPositive();
        }
      }
    }
  }

  @Test
  void close_again_isHarmless() throws Exception {
    NativeTokenizer tokenizer = NativeTokenizer.create(Samples.tokenizer().toString());
    tokenizer.close();
    tokenizer.close();
    assertThatThrownBy(() -> tokenizer.encode("a", false))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("tokenizer: closed (expected: open)");
  }

  private static int encodeUntilClosed(NativeTokenizer tokenizer, CountDownLatch encoding)
      throws Exception {
    int encoded = 0;
    try {
      while (true) {
        assertThat(tokenizer.encode("Hello world", true).ids()).contains(7592, 2088);
        if (encoded++ == 0) {
          encoding.countDown();
        }
      }
    } catch (IllegalStateException closed) {
      return encoded;
    }
  }

  private static List<long[]> encodeAll(NativeTokenizer tokenizer, String... texts)
      throws Exception {
    List<long[]> ids = new ArrayList<>();
    for (String text : texts) {
      ids.add(tokenizer.encode(text, false).ids());
    }
    return ids;
  }

  private static <T> List<Callable<T>> repeated(Callable<T> task, int times) {
    List<Callable<T>> tasks = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      tasks.add(task);
    }
    return tasks;
  }
}
