package meridian.protocol.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import meridian.core.error.ProblemException;
import meridian.core.error.Quoted;
import meridian.core.infer.InferRequest;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.core.infer.RequestedOutput;
import meridian.core.tensor.NamedTensor;
import meridian.protocol.InferOptions;
import meridian.protocol.Limits;
import meridian.protocol.http.ResponseFormat.OutputFormat;
import meridian.protocol.json.JsonInput;
import meridian.protocol.json.ParametersJson;
import org.jspecify.annotations.Nullable;

/** Reads the JSON of a request. */
final class RequestReader {

  private final JsonInput in;
  private final Limits limits;
  private final Blobs blobs;

  private String id = "";
  private Parameters parameters = Parameters.NONE;
  private @Nullable List<NamedTensor> inputs;
  private final List<RequestedOutput> outputs = new ArrayList<>();
  private final List<Parameters> outputParameters = new ArrayList<>();

  RequestReader(JsonInput in, Limits limits, Blobs blobs) {
    this.in = in;
    this.limits = limits;
    this.blobs = blobs;
  }

  HttpInfer read(Call call) throws IOException, ProblemException {
    in.startObject();
    while (in.nextField()) {
      field(in.name());
    }
    if (inputs == null) {
      throw JsonInput.invalid(Json.INPUTS, "missing", "an array of tensors");
    }
    blobs.requireEnd();
    InferOptions options = InferOptions.of(parameters);
    return new HttpInfer(request(call, options, inputs), format(options));
  }

  private void field(String field) throws IOException, ProblemException {
    switch (field) {
      case Json.ID -> id = in.string();
      case Json.PARAMETERS -> parameters = ParametersJson.read(in);
      case Json.INPUTS -> inputs = TensorsReader.read(in, limits, blobs);
      case Json.OUTPUTS -> outputs();
      default -> in.skip();
    }
  }

  private void outputs() throws IOException, ProblemException {
    in.startArray();
    while (in.nextElement()) {
      in.requireObject();
      output(in.path());
    }
  }

  private void output(String path) throws IOException, ProblemException {
    String name = null;
    Parameters own = Parameters.NONE;
    while (in.nextField()) {
      switch (in.name()) {
        case Json.NAME -> name = in.name("a name without NUL");
        case Json.PARAMETERS -> own = ParametersJson.read(in);
        default -> in.skip();
      }
    }
    if (name == null) {
      throw JsonInput.invalid(path + ".name", "missing", "a string");
    }
    outputs.add(new RequestedOutput(name, classes(path, own)));
    outputParameters.add(own);
  }

  private static int classes(String path, Parameters own) throws ProblemException {
    return switch (own.get(Json.CLASSIFICATION)) {
      case null -> 0;
      case Parameter.Int(long count) when count >= 0 && count <= Integer.MAX_VALUE -> (int) count;
      case Parameter other ->
          throw wrong(path, Json.CLASSIFICATION, other, "a whole number from 0 to 2^31-1");
    };
  }

  private InferRequest request(Call call, InferOptions options, List<NamedTensor> tensors) {
    return new InferRequest(
        call.model(),
        call.version(),
        id,
        options.rest(),
        tensors,
        outputs,
        options.deadline(call.deadline(), call.nowNanos()),
        options.priority(),
        call.cancellation(),
        call.tenant());
  }

  private ResponseFormat format(InferOptions options) throws ProblemException {
    OutputFormat standard = options.binaryOutput() ? OutputFormat.BINARY : OutputFormat.JSON;
    Map<String, OutputFormat> own = new HashMap<>();
    for (int i = 0; i < outputs.size(); i++) {
      own.put(
          outputs.get(i).name(), format("outputs[" + i + "]", outputParameters.get(i), standard));
    }
    return new ResponseFormat(standard, options.allowNan(), own);
  }

  private static OutputFormat format(String path, Parameters own, OutputFormat standard)
      throws ProblemException {
    boolean binary =
        switch (own.get(Json.BINARY_DATA)) {
          case null -> standard == OutputFormat.BINARY;
          case Parameter.Bool(boolean value) -> value;
          case Parameter other -> throw wrong(path, Json.BINARY_DATA, other, "true or false");
        };
    boolean base64 =
        switch (own.get(Json.CONTENT_ENCODING)) {
          case null -> false;
          case Parameter.Text(String text) when text.equals(Json.BASE64) -> true;
          case Parameter other ->
              throw wrong(path, Json.CONTENT_ENCODING, other, Quoted.of(Json.BASE64));
        };
    return binary ? OutputFormat.BINARY : base64 ? OutputFormat.BASE64 : OutputFormat.JSON;
  }

  private static ProblemException wrong(
      String path, String parameter, Parameter actual, String expected) {
    return JsonInput.invalid(path + ".parameters." + parameter, actual.quoted(), expected);
  }
}
