package meridian.cli;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import meridian.core.error.Outcome;
import meridian.core.infer.Cancellation;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.model.ModelDescription;
import meridian.core.model.VersionStatus;
import meridian.core.time.Deadline;
import meridian.core.time.NanoClock;
import meridian.protocol.Limits;
import meridian.protocol.control.ControlJson;
import meridian.protocol.http.Call;
import meridian.protocol.http.HttpInfer;
import meridian.protocol.http.HttpInferBody;
import meridian.protocol.http.HttpInferReply;
import meridian.protocol.http.InferHttpCodec;
import meridian.protocol.http.ResponseFormat;

/** The protocol's own JSON, for output that machines read and requests that people write. */
final class Json {

  private static final InferHttpCodec INFER = new InferHttpCodec(Limits.DEFAULT);
  private static final ControlJson CONTROL = new ControlJson(Limits.DEFAULT);
  private static final ResponseFormat WITH_NAN =
      new ResponseFormat(ResponseFormat.OutputFormat.JSON, true, Map.of());

  private Json() {}

  static Outcome<InferRequest> request(String model, byte[] json) {
    Call call =
        new Call(
            model,
            null,
            Deadline.NONE,
            new Cancellation(),
            NanoClock.SYSTEM.nanos(),
            InferRequest.NO_TENANT);
    return INFER.decode(HttpInferBody.json(json), call).map(HttpInfer::request);
  }

  static String of(InferResponse response) throws CommandException {
    return switch (INFER.encode(response, WITH_NAN)) {
      case Outcome.Ok<HttpInferReply>(HttpInferReply reply) -> text(reply.json());
      case Outcome.Failed<HttpInferReply>(var problem) ->
          throw new CommandException(problem.message());
    };
  }

  static String of(ModelDescription description) {
    return text(CONTROL.model(description));
  }

  static String of(List<VersionStatus> index) {
    return text(CONTROL.index(index));
  }

  private static String text(byte[] json) {
    return new String(json, StandardCharsets.UTF_8);
  }
}
