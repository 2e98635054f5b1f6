package meridian.protocol.control;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import meridian.core.error.ProblemException;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.protocol.json.JsonInput;

/** Loads and unloads: files travel in base64. */
final class LoadJson {

  private static final String PARAMETERS = "parameters";

  private LoadJson() {}

  static LoadParameters read(JsonInput in, LoadParameters into)
      throws IOException, ProblemException {
    in.startObject();
    while (in.nextField()) {
      if (in.name().equals(PARAMETERS)) {
        parameters(in, into);
      } else {
        in.skip();
      }
    }
    return into;
  }

  private static void parameters(JsonInput in, LoadParameters into)
      throws IOException, ProblemException {
    in.startObject();
    while (in.nextField()) {
      String name = in.name();
      if (name.equals(LoadParameters.CONFIG)) {
        into.config(in.string());
      } else if (LoadParameters.isFile(name)) {
        into.file(name, in.base64());
      } else {
        throw LoadParameters.unknown(name);
      }
    }
  }

  /** Checks the parameters of an unload, which change nothing: no model depends on another. */
  static Boolean readUnload(JsonInput in) throws IOException, ProblemException {
    in.startObject();
    while (in.nextField()) {
      if (in.name().equals(PARAMETERS)) {
        unloadParameters(in);
      } else {
        in.skip();
      }
    }
    return true;
  }

  private static void unloadParameters(JsonInput in) throws IOException, ProblemException {
    in.startObject();
    while (in.nextField()) {
      if (!in.name().equals(LoadParameters.UNLOAD_DEPENDENTS)) {
        throw LoadParameters.unknownOfUnload(in.name());
      }
      in.bool();
    }
  }

  static void write(JsonGenerator out, LoadRequest request) throws IOException {
    out.writeStartObject();
    out.writeObjectFieldStart(PARAMETERS);
    if (request.configJson() != null) {
      out.writeStringField(LoadParameters.CONFIG, request.configJson());
    }
    for (Map.Entry<String, byte[]> file : request.files().entrySet()) {
      out.writeStringField(
          LoadParameters.FILE + file.getKey(), Base64.getEncoder().encodeToString(file.getValue()));
    }
    out.writeEndObject();
    out.writeEndObject();
  }
}
