package meridian.serving.rest;

import com.linecorp.armeria.common.AggregatedHttpRequest;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import io.netty.buffer.ByteBuf;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.Quoted;
import meridian.protocol.Headers;
import meridian.protocol.ServerTiming;
import meridian.protocol.http.Call;
import meridian.protocol.http.HttpInfer;
import meridian.protocol.http.HttpInferBody;
import meridian.protocol.http.HttpInferReply;
import meridian.serving.body.AcceptedCoding;
import meridian.serving.body.BodyDecoder;
import meridian.serving.body.BodyEncoder;
import meridian.serving.body.ContentCoding;
import meridian.serving.exchange.Report;
import meridian.serving.exchange.Terms;
import meridian.serving.exchange.Transport;
import org.jspecify.annotations.Nullable;

/** One REST request for inference. */
final class RestTransport implements Transport<RestTransport.Encoded> {

  private final InferEndpoint endpoint;
  private final Target target;
  private final AggregatedHttpRequest request;
  private final CompletableFuture<HttpResponse> reply;
  private boolean released;

  RestTransport(
      InferEndpoint endpoint,
      Target target,
      AggregatedHttpRequest request,
      CompletableFuture<HttpResponse> reply) {
    this.endpoint = endpoint;
    this.target = target;
    this.request = request;
    this.reply = reply;
  }

  @Override
  public Outcome<Incoming<Encoded>> decode(Terms terms) {
    return switch (jsonLength()) {
      case Outcome.Failed<Long>(Problem problem) -> Outcome.failed(problem);
      case Outcome.Ok<Long>(Long jsonLength) ->
          switch (bytes(jsonLength)) {
            case Outcome.Failed<MemorySegment>(Problem problem) -> Outcome.failed(problem);
            case Outcome.Ok<MemorySegment>(MemorySegment bytes) ->
                endpoint
                    .codec()
                    .decode(new HttpInferBody(bytes, jsonLength), call(terms))
                    .map(this::incoming);
          };
    };
  }

  private Call call(Terms terms) {
    return new Call(
        target.requireModel(),
        target.version(),
        terms.deadline(),
        terms.cancellation(),
        terms.startNanos(),
        terms.tenant());
  }

  private Incoming<Encoded> incoming(HttpInfer decoded) {
    return new Incoming<>(
        decoded.request(),
        response -> endpoint.codec().encode(response, decoded.format()).map(this::encoded));
  }

  /** −1 where the header is missing, which only a type of JSON allows. */
  private Outcome<Long> jsonLength() {
    String header = request.headers().get(Headers.JSON_LENGTH);
    if (header == null) {
      Problem type = JsonBodies.check(request.headers().get(HttpHeaderNames.CONTENT_TYPE));
      return type == null ? Outcome.ok(-1L) : Outcome.failed(type);
    }
    try {
      long length = Long.parseLong(header);
      if (Character.isDigit(header.charAt(0))) {
        return Outcome.ok(length);
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    return Outcome.failed(
        Problem.invalid(Headers.JSON_LENGTH, Quoted.of(header), "a whole number of bytes"));
  }

  /** Raw tensors are used where Netty put them; what is read off the heap sets that free. */
  private Outcome<MemorySegment> bytes(long jsonLength) {
    HttpData content = request.content();
    String coding = request.headers().get(HttpHeaderNames.CONTENT_ENCODING);
    if (coding != null && !BodyDecoder.isIdentity(coding)) {
      Outcome<MemorySegment> decoded = endpoint.bodies().decode(coding, content.byteBuf());
      release();
      return decoded;
    }
    if (jsonLength >= 0) {
      return Outcome.ok(MemorySegment.ofBuffer(content.byteBuf().nioBuffer()));
    }
    byte[] json = content.array();
    release();
    return Outcome.ok(MemorySegment.ofArray(json));
  }

  private Encoded encoded(HttpInferReply body) {
    ContentCoding coding =
        body.byteSize() < endpoint.minCompressedBytes()
            ? null
            : AcceptedCoding.best(request.headers().get(HttpHeaderNames.ACCEPT_ENCODING));
    ByteBuf bytes =
        coding == null
            ? BodyEncoder.plain(body.json(), body.blobs())
            : BodyEncoder.compressed(coding, body.json(), body.blobs());
    return new Encoded(bytes, coding, body.isBinary() ? body.json().length : -1);
  }

  @Override
  public void answer(Encoded encoded, Report report) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.OK)
            .contentType(encoded.jsonLength < 0 ? MediaType.JSON : MediaType.OCTET_STREAM);
    if (encoded.jsonLength >= 0) {
      headers.addLong(Headers.JSON_LENGTH, encoded.jsonLength);
    }
    if (encoded.coding != null) {
      headers.add(HttpHeaderNames.CONTENT_ENCODING, encoded.coding.token());
      headers.add(HttpHeaderNames.VARY, HttpHeaderNames.ACCEPT_ENCODING.toString());
    }
    describe(headers, report);
    reply.complete(HttpResponse.of(headers.build(), HttpData.wrap(encoded.bytes)));
  }

  @Override
  public void refuse(Problem problem, Report report) {
    Replies replies = endpoint.replies();
    ResponseHeadersBuilder headers = replies.problemHeaders(problem);
    describe(headers, report);
    reply.complete(HttpResponse.of(headers.build(), replies.problemBody(problem)));
  }

  @Override
  public void release() {
    if (!released) {
      released = true;
      request.content().close();
    }
  }

  private void describe(ResponseHeadersBuilder headers, Report report) {
    headers.add(Headers.SERVER_TIMING, ServerTiming.render(report.latency()));
    if (report.code() == null && report.version() != null) {
      headers.add(Headers.MODEL_VERSION, report.version());
    }
    if (!endpoint.region().isEmpty()) {
      headers.add(Headers.REGION, endpoint.region());
    }
  }

  /**
   * An answer but for its headers.
   *
   * @param bytes on the heap, so that an answer nobody takes any more needs no release
   * @param jsonLength bytes of JSON in front of raw tensors; −1 when all of it is JSON
   */
  record Encoded(ByteBuf bytes, @Nullable ContentCoding coding, long jsonLength) {}
}
