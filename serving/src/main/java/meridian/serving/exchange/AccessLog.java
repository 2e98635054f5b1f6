package meridian.serving.exchange;

import com.linecorp.armeria.server.ServiceRequestContext;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.latency.Stage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/** Says of each request what it was and how it went; never what was in it. */
public interface AccessLog {

  AccessLog OFF = (_, _) -> {};

  /**
   * Writes one event per request to the logger {@code meridian.access}, everything as key-value
   * pairs, so that the encoder escapes what a stranger wrote.
   */
  static AccessLog slf4j() {
    Logger logger = LoggerFactory.getLogger("meridian.access");
    Stage[] stages = Stage.values();
    return (context, report) -> {
      LatencyBreakdown latency = report.latency();
      LoggingEventBuilder event =
          logger
              .atInfo()
              .addKeyValue("protocol", report.protocol().label())
              .addKeyValue("model", report.model())
              .addKeyValue("version", report.version())
              .addKeyValue("id", report.id())
              .addKeyValue("code", report.code() == null ? "ok" : report.code().label())
              .addKeyValue("client", context.remoteAddress().getAddress().getHostAddress())
              .addKeyValue("total_micros", latency.totalNanos() / 1_000);
      for (Stage stage : stages) {
        event = event.addKeyValue(stage.label() + "_micros", latency.nanos(stage) / 1_000);
      }
      event.log("request");
    };
  }

  void log(ServiceRequestContext context, Report report);
}
