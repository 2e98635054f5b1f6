package meridian.serving.rest;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpHeaderNames;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ResponseHeaders;
import com.linecorp.armeria.common.ResponseHeadersBuilder;
import java.time.Duration;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.protocol.control.ControlJson;
import meridian.serving.body.ContentCoding;
import org.jspecify.annotations.Nullable;

/** Answers in JSON. */
record Replies(ControlJson json) {

  HttpResponse ok(byte[] body) {
    return status(HttpStatus.OK, body);
  }

  HttpResponse status(HttpStatus status, byte[] body) {
    return HttpResponse.of(status, MediaType.JSON, HttpData.wrap(body));
  }

  HttpResponse empty() {
    return HttpResponse.of(ResponseHeaders.of(HttpStatus.OK, HttpHeaderNames.CONTENT_LENGTH, 0));
  }

  HttpResponse problem(Problem problem) {
    return problem(problem, null);
  }

  /**
   * @param allow the value of {@code Allow} where the method was the fault
   */
  HttpResponse problem(Problem problem, @Nullable String allow) {
    ResponseHeadersBuilder headers = problemHeaders(problem);
    if (allow != null) {
      headers.add(HttpHeaderNames.ALLOW, allow);
    }
    return HttpResponse.of(headers.build(), problemBody(problem));
  }

  /** The status and headers that go with a problem; others may be added. */
  ResponseHeadersBuilder problemHeaders(Problem problem) {
    ResponseHeadersBuilder headers =
        ResponseHeaders.builder(HttpStatus.valueOf(problem.code().httpStatus()))
            .contentType(MediaType.JSON);
    Duration retryAfter = problem.retryAfter();
    if (retryAfter != null) {
      headers.addLong(HttpHeaderNames.RETRY_AFTER, wholeSeconds(retryAfter));
    }
    if (problem.code() == ErrorCode.UNSUPPORTED_ENCODING) {
      headers.add(HttpHeaderNames.ACCEPT_ENCODING, ContentCoding.SUPPORTED);
    }
    return headers;
  }

  HttpData problemBody(Problem problem) {
    return HttpData.wrap(json.error(problem.message()));
  }

  /** Rounded up, so that nobody comes back too early. */
  private static long wholeSeconds(Duration duration) {
    return duration.plusSeconds(1).minusNanos(1).toSeconds();
  }
}
