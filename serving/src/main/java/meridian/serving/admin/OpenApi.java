package meridian.serving.admin;

import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.HttpService;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** {@code GET /openapi.json}: the description of the REST interface. */
public final class OpenApi {

  private static final String RESOURCE = "openapi.json";

  private OpenApi() {}

  public static HttpService service() {
    HttpData description = HttpData.wrap(read());
    return (_, _) -> HttpResponse.of(HttpStatus.OK, MediaType.JSON, description);
  }

  static byte[] read() {
    try (InputStream in = OpenApi.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException(RESOURCE + " is missing from the build");
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
