package meridian.protocol.control;

import com.fasterxml.jackson.core.JsonFactory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.latency.ExecutionTimes;
import meridian.core.model.ModelConfiguration;
import meridian.core.model.ModelControl.LoadRequest;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelStatistics;
import meridian.core.model.VersionStatus;
import meridian.protocol.Limits;
import meridian.protocol.json.JsonInput;
import meridian.protocol.json.JsonOutput;

/**
 * Everything but inference over REST: what servers write and clients read, and the other way round
 * for requests. Instances are shared by all threads. Bodies of requests may be empty, which means
 * an object without fields.
 */
public final class ControlJson {

  private final Limits limits;
  private final JsonFactory factory;

  public ControlJson(Limits limits) {
    this.limits = limits;
    this.factory = JsonInput.factory(limits);
  }

  /** {@code {"error":"…"}}. */
  public byte[] error(String message) {
    return write(
        out -> {
          out.writeStartObject();
          out.writeStringField("error", message);
          out.writeEndObject();
        });
  }

  public byte[] health(Health health) {
    return write(
        out -> {
          out.writeStartObject();
          out.writeBooleanField("live", health.live());
          out.writeBooleanField("ready", health.ready());
          out.writeEndObject();
        });
  }

  public byte[] modelReady(String name, boolean ready) {
    return write(
        out -> {
          out.writeStartObject();
          out.writeStringField("name", name);
          out.writeBooleanField("ready", ready);
          out.writeEndObject();
        });
  }

  public byte[] server(ServerMetadata metadata) {
    return write(
        out -> {
          out.writeStartObject();
          out.writeStringField("name", metadata.name());
          out.writeStringField("version", metadata.version());
          out.writeArrayFieldStart("extensions");
          for (String extension : metadata.extensions()) {
            out.writeString(extension);
          }
          out.writeEndArray();
          out.writeEndObject();
        });
  }

  public byte[] model(ModelDescription description) {
    return write(out -> DescriptionJson.write(out, description));
  }

  public byte[] configuration(ModelConfiguration configuration) {
    return write(out -> ConfigurationJson.write(out, configuration));
  }

  public byte[] statistics(List<ModelStatistics> statistics) {
    return write(out -> StatisticsJson.write(out, statistics));
  }

  public byte[] executionTimes(ExecutionTimes times) {
    return write(out -> ExecutionTimesJson.write(out, times));
  }

  public byte[] index(List<VersionStatus> index) {
    return write(out -> IndexJson.write(out, index));
  }

  /** Whether the request asks for ready versions only. */
  public Outcome<Boolean> decodeIndexRequest(MemorySegment body) {
    return readOptional(body, false, IndexJson::readRequest);
  }

  /** The body of an index request. */
  public byte[] indexRequest(boolean readyOnly) {
    return write(
        out -> {
          out.writeStartObject();
          out.writeBooleanField("ready", readyOnly);
          out.writeEndObject();
        });
  }

  public Outcome<LoadRequest> decodeLoad(String model, MemorySegment body) {
    try {
      LoadParameters parameters = new LoadParameters();
      if (body.byteSize() > 0) {
        read(body, in -> LoadJson.read(in, parameters));
      }
      return Outcome.ok(parameters.request(model));
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  /** The body of a load request. */
  public byte[] loadRequest(LoadRequest request) {
    return write(out -> LoadJson.write(out, request));
  }

  /** The model's name, where name, body and parameters are in order. */
  public Outcome<String> decodeUnload(String model, MemorySegment body) {
    try {
      LoadRequest checked = new LoadParameters().request(model);
      if (body.byteSize() > 0) {
        read(body, LoadJson::readUnload);
      }
      return Outcome.ok(checked.name());
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  /** The message of an error answer, or the body as text where it is something else. */
  public String decodeError(MemorySegment body) {
    try {
      return JsonInput.read(factory, body, ControlJson::readError);
    } catch (ProblemException _) {
      return new String(body.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }
  }

  private static String readError(JsonInput in) throws IOException, ProblemException {
    String message = null;
    in.startObject();
    while (in.nextField()) {
      if (in.name().equals("error")) {
        message = in.string();
      } else {
        in.skip();
      }
    }
    if (message == null) {
      throw JsonInput.invalid("error", "missing", "a string");
    }
    return message;
  }

  public Outcome<ServerMetadata> decodeServer(MemorySegment body) {
    return readAnswer(body, DescriptionJson::readServer);
  }

  public Outcome<ModelDescription> decodeModel(MemorySegment body) {
    return readAnswer(body, DescriptionJson::read);
  }

  public Outcome<List<ModelStatistics>> decodeStatistics(MemorySegment body) {
    return readAnswer(body, StatisticsJson::read);
  }

  public Outcome<List<VersionStatus>> decodeIndex(MemorySegment body) {
    return readAnswer(body, IndexJson::read);
  }

  private <T> Outcome<T> readOptional(MemorySegment body, T empty, JsonInput.Reading<T> reading) {
    try {
      return Outcome.ok(body.byteSize() == 0 ? empty : read(body, reading));
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  private <T> Outcome<T> readAnswer(MemorySegment body, JsonInput.Reading<T> reading) {
    try {
      return Outcome.ok(read(body, reading));
    } catch (ProblemException e) {
      return Outcome.failed(Problem.of(ErrorCode.INTERNAL, "response: " + e.getMessage()));
    }
  }

  private <T> T read(MemorySegment body, JsonInput.Reading<T> reading) throws ProblemException {
    if (body.byteSize() > limits.maxBodyBytes()) {
      throw new ProblemException(
          Problem.of(
              ErrorCode.TOO_LARGE,
              "body: %d bytes (expected: at most %d)"
                  .formatted(body.byteSize(), limits.maxBodyBytes())));
    }
    return JsonInput.read(factory, body, reading);
  }

  private byte[] write(JsonOutput.Writing writing) {
    try {
      return JsonOutput.write(factory, writing);
    } catch (ProblemException e) {
      throw new IllegalStateException("text and whole numbers have a form in JSON", e);
    }
  }
}
