package meridian.serving;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What was logged, the reports of Netty's leak detector among it. */
public final class RecordedLog extends AppenderBase<ILoggingEvent> {

  private static final Queue<ILoggingEvent> EVENTS = new ConcurrentLinkedQueue<>();
  private static final String LEAK_DETECTOR = "io.netty.util.ResourceLeakDetector";
  private static final int ROUNDS = 3;
  private static final int PROBES = 100;

  @Override
  protected void append(ILoggingEvent event) {
    event.prepareForDeferredProcessing();
    EVENTS.add(event);
  }

  static Queue<ILoggingEvent> of(String logger) {
    Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>(EVENTS);
    events.removeIf(event -> !event.getLoggerName().equals(logger));
    return events;
  }

  /** Everything so far, with the kind of exception where there was one. */
  static List<String> lines() {
    return EVENTS.stream()
        .map(event -> event + (event.getThrowableProxy() == null ? "" : stack(event)))
        .toList();
  }

  private static String stack(ILoggingEvent event) {
    return "\n" + ThrowableProxyUtil.asString(event.getThrowableProxy());
  }

  /** Leaks show when a buffer has been collected and another one is taken. */
  static void provokeLeakReports() {
    for (int round = 0; round < ROUNDS; round++) {
      System.gc();
      for (int i = 0; i < PROBES; i++) {
        ByteBufAllocator.DEFAULT.buffer(16).release();
      }
    }
  }

  static void assertNoLeak() {
    provokeLeakReports();
    assertThat(of(LEAK_DETECTOR)).isEmpty();
  }

  static Queue<ILoggingEvent> leaks() {
    return of(LEAK_DETECTOR);
  }

  static void forgetLeaks() {
    EVENTS.removeIf(event -> event.getLoggerName().equals(LEAK_DETECTOR));
  }
}
