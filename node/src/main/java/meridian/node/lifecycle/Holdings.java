package meridian.node.lifecycle;

import java.util.ArrayDeque;
import java.util.Deque;

/** What a version holds, to be given back in the reverse order of its taking. */
final class Holdings {

  private final Deque<Runnable> returns = new ArrayDeque<>();

  void add(Runnable giveBack) {
    returns.push(giveBack);
  }

  /** Gives all back, the rest too when one fails; then throws what the first failure threw. */
  void close() {
    RuntimeException first = null;
    for (Runnable giveBack : returns) {
      try {
        giveBack.run();
      } catch (RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    returns.clear();
    if (first != null) {
      throw first;
    }
  }
}
