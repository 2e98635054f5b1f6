package meridian.cli;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logging to standard error, as text or as one JSON object per line. */
final class Logs {

  private static final String CONSOLE = "console";

  private Logs() {}

  static void configure(boolean json) {
    if (!json) {
      return;
    }
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    if (context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender(CONSOLE)
        instanceof ConsoleAppender<ILoggingEvent> console) {
      console.stop();
      JsonLines encoder = new JsonLines();
      encoder.setContext(context);
      encoder.start();
      console.setEncoder(encoder);
      console.start();
    }
  }
}
