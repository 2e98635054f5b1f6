package meridian.protocol.control;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import meridian.core.error.ProblemException;
import meridian.core.model.ModelState;
import meridian.core.model.VersionStatus;
import meridian.protocol.json.JsonInput;

/** The repository index: an array of versions. */
final class IndexJson {

  private IndexJson() {}

  static void write(JsonGenerator out, List<VersionStatus> index) throws IOException {
    out.writeStartArray();
    for (VersionStatus status : index) {
      out.writeStartObject();
      out.writeStringField("name", status.name());
      if (!status.version().isEmpty()) {
        out.writeStringField("version", status.version());
      }
      out.writeStringField("state", status.state().name());
      out.writeStringField("reason", status.reason());
      out.writeEndObject();
    }
    out.writeEndArray();
  }

  static List<VersionStatus> read(JsonInput in) throws IOException, ProblemException {
    List<VersionStatus> index = new ArrayList<>();
    in.startArray();
    while (in.nextElement()) {
      in.requireObject();
      index.add(status(in));
    }
    return index;
  }

  private static VersionStatus status(JsonInput in) throws IOException, ProblemException {
    String name = "";
    String version = "";
    ModelState state = ModelState.UNKNOWN;
    String reason = "";
    while (in.nextField()) {
      switch (in.name()) {
        case "name" -> name = in.string();
        case "version" -> version = in.string();
        case "state" -> state = state(in.string());
        case "reason" -> reason = in.string();
        default -> in.skip();
      }
    }
    return new VersionStatus(name, version, state, reason);
  }

  /** States that a newer server may have are unknown to us. */
  static ModelState state(String name) {
    for (ModelState state : ModelState.values()) {
      if (state.name().equals(name)) {
        return state;
      }
    }
    return ModelState.UNKNOWN;
  }

  static Boolean readRequest(JsonInput in) throws IOException, ProblemException {
    boolean ready = false;
    in.startObject();
    while (in.nextField()) {
      if (in.name().equals("ready")) {
        ready = in.bool();
      } else {
        in.skip();
      }
    }
    return ready;
  }
}
