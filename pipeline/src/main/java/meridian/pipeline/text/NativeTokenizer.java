package meridian.pipeline.text;

import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.util.concurrent.atomic.AtomicInteger;
import meridian.core.backend.ExecutionException;
import meridian.core.backend.ModelLoadException;

/**
 * A tokenizer in native memory. Threads may encode at once, since encoding only reads it; the
 * library itself does not guard against encoding with what another thread deletes, so those who
 * encode are counted and the last one to leave after {@link #close} deletes.
 */
final class NativeTokenizer implements AutoCloseable {

  /** Added to the number of users: none may enter, and the last one out deletes. */
  private static final int CLOSED = Integer.MIN_VALUE;

  private final TokenizersLibrary library;
  private final long handle;
  private final AtomicInteger users = new AtomicInteger();

  private NativeTokenizer(TokenizersLibrary library, long handle) {
    this.library = library;
    this.handle = handle;
  }

  /**
   * @param json the content of a tokenizer.json
   * @throws ModelLoadException with the library's reason
   */
  static NativeTokenizer create(String json) throws ModelLoadException {
    TokenizersLibrary library = NativeLibrary.load();
    try {
      return new NativeTokenizer(library, library.createTokenizerFromString(json));
    } catch (RuntimeException e) {
      throw new ModelLoadException("not a tokenizer: " + e.getMessage(), e);
    }
  }

  /**
   * @param wantTypeIds false leaves {@link Encoding#typeIds} empty
   * @throws ExecutionException if the tokenizer's model has no answer for this text, as one without
   *     an unknown token
   */
  Encoding encode(String text, boolean wantTypeIds) throws ExecutionException {
    enter();
    try {
      long encoding = encodeToHandle(text);
      try {
        return new Encoding(
            library.getTokenIds(encoding),
            wantTypeIds ? library.getTypeIds(encoding) : Encoding.NO_TYPE_IDS,
            library.getOverflowCount(encoding) > 0);
      } finally {
        library.deleteEncoding(encoding);
      }
    } finally {
      leave();
    }
  }

  @Override
  public void close() {
    if (users.getAndUpdate(count -> count | CLOSED) == 0) {
      library.deleteTokenizer(handle);
    }
  }

  /** The library throws nothing but RuntimeException. */
  private long encodeToHandle(String text) throws ExecutionException {
    try {
      return library.encode(handle, text, true);
    } catch (RuntimeException e) {
      throw new ExecutionException("tokenizer: " + e.getMessage(), e);
    }
  }

  private void enter() {
    if (users.getAndUpdate(count -> count < 0 ? count : count + 1) < 0) {
      throw new IllegalStateException("tokenizer: closed (expected: open)");
    }
  }

  private void leave() {
    if (users.decrementAndGet() == CLOSED) {
      library.deleteTokenizer(handle);
    }
  }
}
