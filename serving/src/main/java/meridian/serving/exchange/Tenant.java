package meridian.serving.exchange;

import com.linecorp.armeria.common.RequestHeaders;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.infer.InferRequest;
import meridian.protocol.Headers;

/** Reads the header in which a caller says on whose behalf it asks. */
final class Tenant {

  private static final int MOST_CHARACTERS = 128;
  private static final Outcome<String> NONE = Outcome.ok(InferRequest.NO_TENANT);

  private Tenant() {}

  static Outcome<String> of(RequestHeaders headers) {
    String tenant = headers.get(Headers.TENANT);
    if (tenant == null) {
      return NONE;
    }
    return tenant.isEmpty() || tenant.length() > MOST_CHARACTERS
        ? Outcome.failed(
            Problem.invalid(
                Headers.TENANT,
                tenant.length() + " characters",
                "1 to " + MOST_CHARACTERS + " characters"))
        : Outcome.ok(tenant);
  }
}
