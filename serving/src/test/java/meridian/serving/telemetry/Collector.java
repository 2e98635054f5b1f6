package meridian.serving.telemetry;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnknownFieldSet;
import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Takes spans by OTLP over HTTP. The fields are numbered as in opentelemetry/proto/trace/v1: a
 * request has ResourceSpans (1) of ScopeSpans (2) of Spans (2).
 */
public final class Collector implements AutoCloseable {

  private static final int RESOURCE_SPANS = 1;
  private static final int SCOPE_SPANS = 2;
  private static final int SPANS = 2;
  private static final int TRACE_ID = 1;
  private static final int PARENT_ID = 4;
  private static final int NAME = 5;
  private static final int BEGIN = 7;
  private static final int END = 8;

  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
  private final Server server =
      Server.builder()
          .http(0)
          .serviceUnder(
              "/", (_, request) -> HttpResponse.of(request.aggregate().thenApply(this::take)))
          .build();

  public record Received(String path, String contentType, List<Sent> spans) {}

  public record Sent(String name, String trace, String parent, long beginNanos, long endNanos) {}

  private Collector() {}

  public static Collector start() {
    Collector collector = new Collector();
    collector.server.start().join();
    return collector;
  }

  public int port() {
    return server.activeLocalPort();
  }

  /** The next that comes within ten seconds. */
  public Received take() throws InterruptedException {
    Received next = received.poll(10, TimeUnit.SECONDS);
    if (next == null) {
      throw new AssertionError("no spans came within 10 s");
    }
    return next;
  }

  private HttpResponse take(AggregatedHttpRequest request) {
    try {
      List<Sent> spans = new ArrayList<>();
      UnknownFieldSet export = UnknownFieldSet.parseFrom(request.content().array());
      for (UnknownFieldSet resource : messages(export, RESOURCE_SPANS)) {
        for (UnknownFieldSet scope : messages(resource, SCOPE_SPANS)) {
          messages(scope, SPANS).forEach(span -> spans.add(sent(span)));
        }
      }
      received.add(new Received(request.path(), String.valueOf(request.contentType()), spans));
      return HttpResponse.of(HttpStatus.OK, MediaType.PROTOBUF, new byte[0]);
    } catch (InvalidProtocolBufferException e) {
      return HttpResponse.of(HttpStatus.BAD_REQUEST);
    }
  }

  private static List<UnknownFieldSet> messages(UnknownFieldSet of, int field)
      throws InvalidProtocolBufferException {
    List<UnknownFieldSet> messages = new ArrayList<>();
    for (ByteString bytes : of.getField(field).getLengthDelimitedList()) {
      messages.add(UnknownFieldSet.parseFrom(bytes));
    }
    return messages;
  }

  private static Sent sent(UnknownFieldSet span) {
    return new Sent(
        bytes(span, NAME).toStringUtf8(),
        HexFormat.of().formatHex(bytes(span, TRACE_ID).toByteArray()),
        HexFormat.of().formatHex(bytes(span, PARENT_ID).toByteArray()),
        span.getField(BEGIN).getFixed64List().getFirst(),
        span.getField(END).getFixed64List().getFirst());
  }

  private static ByteString bytes(UnknownFieldSet span, int field) {
    List<ByteString> values = span.getField(field).getLengthDelimitedList();
    return values.isEmpty() ? ByteString.EMPTY : values.getFirst();
  }

  @Override
  public void close() {
    server.stop().join();
  }
}
