package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import meridian.core.error.ErrorCode;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.infer.InferResponse;
import meridian.core.infer.Parameter;
import meridian.core.tensor.NamedTensor;
import meridian.protocol.json.ParametersJson;

/** Writes the JSON of a response. */
final class ResponseWriter {

  private final JsonGenerator out;
  private final ResponseFormat format;
  private final TensorWriter tensors;

  ResponseWriter(JsonGenerator out, ResponseFormat format) {
    this.out = out;
    this.format = format;
    this.tensors = new TensorWriter(out, format.allowNan());
  }

  /** Writes the response and returns the blobs to go behind it. */
  List<MemorySegment> write(InferResponse response) throws IOException, ProblemException {
    out.writeStartObject();
    out.writeStringField(Json.MODEL_NAME, response.model());
    out.writeStringField(Json.MODEL_VERSION, response.version());
    if (!response.id().isEmpty()) {
      out.writeStringField(Json.ID, response.id());
    }
    parameters(response);
    out.writeArrayFieldStart(Json.OUTPUTS);
    for (int i = 0; i < response.outputs().size(); i++) {
      NamedTensor output = response.outputs().get(i);
      tensors.write("outputs[" + i + "]", output, format.of(output.name()));
    }
    out.writeEndArray();
    out.writeEndObject();
    return tensors.blobs();
  }

  private void parameters(InferResponse response) throws IOException, ProblemException {
    if (response.parameters().isEmpty()) {
      return;
    }
    out.writeObjectFieldStart(Json.PARAMETERS);
    for (Map.Entry<String, Parameter> each : response.parameters().values().entrySet()) {
      requireFinite(each.getKey(), each.getValue());
      ParametersJson.write(out, each.getKey(), each.getValue());
    }
    out.writeEndObject();
  }

  private void requireFinite(String name, Parameter value) throws ProblemException {
    if (value instanceof Parameter.Real(double real) && !Double.isFinite(real)) {
      throw new ProblemException(
          Problem.of(
              ErrorCode.NOT_REPRESENTABLE,
              "parameters." + name + ": " + real + " (expected: a finite number)"));
    }
  }
}
