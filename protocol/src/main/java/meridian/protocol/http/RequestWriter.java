package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import meridian.core.error.ProblemException;
import meridian.core.infer.InferRequest;
import meridian.core.infer.Parameter;
import meridian.core.infer.RequestedOutput;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.protocol.InferOptions;
import meridian.protocol.Utf8;
import meridian.protocol.http.ResponseFormat.OutputFormat;
import meridian.protocol.json.ParametersJson;

/**
 * Writes the JSON of a request, for a client. Nothing is lost: BYTES that are not UTF-8 go in
 * base64, NaN and the infinities as bare tokens. The deadline is not written; it travels in a
 * header.
 */
final class RequestWriter {

  private final JsonGenerator out;
  private final boolean binary;
  private final TensorWriter tensors;

  RequestWriter(JsonGenerator out, boolean binary) {
    this.out = out;
    this.binary = binary;
    this.tensors = new TensorWriter(out, true);
  }

  /** Writes the request and returns the blobs to go behind it. */
  List<MemorySegment> write(InferRequest request) throws IOException, ProblemException {
    out.writeStartObject();
    if (!request.id().isEmpty()) {
      out.writeStringField(Json.ID, request.id());
    }
    parameters(request);
    out.writeArrayFieldStart(Json.INPUTS);
    for (int i = 0; i < request.inputs().size(); i++) {
      NamedTensor input = request.inputs().get(i);
      tensors.write("inputs[" + i + "]", input, format(input));
    }
    out.writeEndArray();
    outputs(request.outputs());
    out.writeEndObject();
    return tensors.blobs();
  }

  private OutputFormat format(NamedTensor input) {
    if (binary) {
      return OutputFormat.BINARY;
    }
    boolean text =
        input.tensor().type() != DataType.BYTES || Utf8.isValid(input.tensor().toStrings());
    return text ? OutputFormat.JSON : OutputFormat.BASE64;
  }

  private void parameters(InferRequest request) throws IOException {
    if (request.parameters().isEmpty() && request.priority() == 0 && !binary) {
      return;
    }
    out.writeObjectFieldStart(Json.PARAMETERS);
    for (Map.Entry<String, Parameter> each : request.parameters().values().entrySet()) {
      ParametersJson.write(out, each.getKey(), each.getValue());
    }
    if (request.priority() != 0) {
      out.writeNumberField(InferOptions.PRIORITY, request.priority());
    }
    if (binary) {
      out.writeBooleanField(InferOptions.BINARY_OUTPUT, true);
    }
    out.writeEndObject();
  }

  private void outputs(List<RequestedOutput> outputs) throws IOException {
    if (outputs.isEmpty()) {
      return;
    }
    out.writeArrayFieldStart(Json.OUTPUTS);
    for (RequestedOutput output : outputs) {
      out.writeStartObject();
      out.writeStringField(Json.NAME, output.name());
      if (output.classes() > 0) {
        out.writeObjectFieldStart(Json.PARAMETERS);
        out.writeNumberField(Json.CLASSIFICATION, output.classes());
        out.writeEndObject();
      }
      out.writeEndObject();
    }
    out.writeEndArray();
  }
}
