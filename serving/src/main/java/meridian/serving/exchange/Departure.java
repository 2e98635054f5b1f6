package meridian.serving.exchange;

import com.linecorp.armeria.server.ServiceRequestContext;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Tells when a client will not take its answer any more: it reset, cancelled or disconnected. */
public interface Departure {

  /** That of a call with one answer. */
  static Departure ofCall(ServiceRequestContext context) {
    Disconnects connection = Disconnects.of(context);
    return new Departure() {
      @Override
      public void add(Runnable listener) {
        var _ = context.whenRequestCancelling().thenRun(listener);
        if (connection != null) {
          connection.add(listener);
        }
      }

      @Override
      public void remove(Runnable listener) {
        if (connection != null) {
          connection.remove(listener);
        }
      }
    };
  }

  /** That of a stream, over which any number of requests come and go. */
  static Departure ofStream(ServiceRequestContext context) {
    Set<Runnable> listeners = ConcurrentHashMap.newKeySet();
    Departure call = ofCall(context);
    call.add(() -> List.copyOf(listeners).forEach(Runnable::run));
    return new Departure() {
      @Override
      public void add(Runnable listener) {
        listeners.add(listener);
      }

      @Override
      public void remove(Runnable listener) {
        listeners.remove(listener);
      }
    };
  }

  /** Has {@code listener} run on departure, on any thread, perhaps twice. */
  void add(Runnable listener);

  /** Spares a listener that has nothing to do any more. */
  void remove(Runnable listener);
}
