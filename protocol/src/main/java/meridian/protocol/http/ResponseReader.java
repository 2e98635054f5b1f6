package meridian.protocol.http;

import java.io.IOException;
import java.util.List;
import meridian.core.error.ProblemException;
import meridian.core.infer.InferResponse;
import meridian.core.infer.Parameters;
import meridian.core.latency.LatencyBreakdown;
import meridian.core.tensor.NamedTensor;
import meridian.protocol.Limits;
import meridian.protocol.json.JsonInput;
import meridian.protocol.json.ParametersJson;
import org.jspecify.annotations.Nullable;

/** Reads the JSON of a response. */
final class ResponseReader {

  private final JsonInput in;
  private final Limits limits;
  private final Blobs blobs;

  private String model = "";
  private String version = "";
  private String id = "";
  private Parameters parameters = Parameters.NONE;
  private @Nullable List<NamedTensor> outputs;

  ResponseReader(JsonInput in, Limits limits, Blobs blobs) {
    this.in = in;
    this.limits = limits;
    this.blobs = blobs;
  }

  InferResponse read() throws IOException, ProblemException {
    in.startObject();
    while (in.nextField()) {
      field(in.name());
    }
    if (outputs == null) {
      throw JsonInput.invalid(Json.OUTPUTS, "missing", "an array of tensors");
    }
    blobs.requireEnd();
    return new InferResponse(model, version, id, parameters, outputs, LatencyBreakdown.ZERO);
  }

  private void field(String field) throws IOException, ProblemException {
    switch (field) {
      case Json.MODEL_NAME -> model = in.string();
      case Json.MODEL_VERSION -> version = in.string();
      case Json.ID -> id = in.string();
      case Json.PARAMETERS -> parameters = ParametersJson.read(in);
      case Json.OUTPUTS -> outputs = TensorsReader.read(in, limits, blobs);
      default -> in.skip();
    }
  }
}
