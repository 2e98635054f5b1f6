package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonFactory;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import meridian.core.error.ErrorCode;
import meridian.core.error.Outcome;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferResponse;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelDescription;
import meridian.core.model.ModelName;
import meridian.protocol.Headers;
import meridian.protocol.Limits;
import meridian.protocol.json.JsonInput;
import meridian.protocol.json.JsonOutput;
import org.jspecify.annotations.Nullable;

/**
 * Inference over REST, between bytes and core, on both sides of the wire. Instances are shared by
 * all threads.
 *
 * <p>Numbers pass through unharmed: whole numbers are exact over 64 bits or refused, decimals
 * become the nearest number of their type, and what is written reads back to the same bits.
 */
public final class InferHttpCodec {

  private final Limits limits;
  private final Signatures signatures;
  private final JsonFactory factory;

  /**
   * For a server.
   *
   * @param catalog asked for the signature of a model that is sent a raw body
   */
  public InferHttpCodec(Limits limits, ModelCatalog catalog) {
    this(limits, catalog::describe);
  }

  /** For a client, which knows no signatures and so reads no raw bodies. */
  public InferHttpCodec(Limits limits) {
    this(limits, (model, _) -> Outcome.failed(noSignature(model)));
  }

  private InferHttpCodec(Limits limits, Signatures signatures) {
    this.limits = limits;
    this.signatures = signatures;
    this.factory = JsonInput.factory(limits);
  }

  /** Reads a request. Every fault of the client is INVALID_ARGUMENT or TOO_LARGE. */
  public Outcome<HttpInfer> decode(HttpInferBody body, Call call) {
    Problem name = ModelName.check("model", call.model());
    if (name != null) {
      return Outcome.failed(name);
    }
    try {
      requireSize(body);
      return Outcome.ok(body.jsonLength() == 0 ? raw(body, call) : json(body, call));
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  /**
   * Writes a response. NOT_REPRESENTABLE where JSON was asked for and a value has no form in it;
   * the message names tensor and index.
   */
  public Outcome<HttpInferReply> encode(InferResponse response, ResponseFormat format) {
    List<MemorySegment> blobs = new ArrayList<>();
    try {
      byte[] json =
          JsonOutput.write(
              factory, out -> blobs.addAll(new ResponseWriter(out, format).write(response)));
      return Outcome.ok(new HttpInferReply(json, blobs));
    } catch (ProblemException e) {
      return Outcome.failed(e.problem());
    }
  }

  /**
   * Writes a request, for a client.
   *
   * @param binary whether tensors go and come raw; loss-free either way, if the server allows NaN
   */
  public HttpInferReply encodeRequest(InferRequest request, boolean binary) {
    List<MemorySegment> blobs = new ArrayList<>();
    try {
      byte[] json =
          JsonOutput.write(
              factory, out -> blobs.addAll(new RequestWriter(out, binary).write(request)));
      return new HttpInferReply(json, blobs);
    } catch (ProblemException e) {
      throw new IllegalStateException("a request that has no form in JSON", e);
    }
  }

  /** Reads a response, for a client. One that breaks the protocol is INTERNAL. */
  public Outcome<InferResponse> decodeResponse(HttpInferBody body) {
    try {
      requireSize(body);
      Blobs blobs = blobs(body);
      return Outcome.ok(parse(body, in -> new ResponseReader(in, limits, blobs).read()));
    } catch (ProblemException e) {
      return Outcome.failed(Problem.of(ErrorCode.INTERNAL, "response: " + e.getMessage()));
    }
  }

  private HttpInfer json(HttpInferBody body, Call call) throws ProblemException {
    Blobs blobs = blobs(body);
    return parse(body, in -> new RequestReader(in, limits, blobs).read(call));
  }

  private HttpInfer raw(HttpInferBody body, Call call) throws ProblemException {
    ModelDescription model = signatures.of(call.model(), call.version()).orElseThrow();
    return RawBody.read(body.bytes(), model.signature(), call);
  }

  private <T> T parse(HttpInferBody body, JsonInput.Reading<T> reading) throws ProblemException {
    return JsonInput.read(factory, body.bytes().asSlice(0, jsonLength(body)), reading);
  }

  private static Blobs blobs(HttpInferBody body) {
    return new Blobs(body.bytes().asSlice(jsonLength(body)));
  }

  private static long jsonLength(HttpInferBody body) {
    return body.jsonLength() < 0 ? body.bytes().byteSize() : body.jsonLength();
  }

  private void requireSize(HttpInferBody body) throws ProblemException {
    long size = body.bytes().byteSize();
    if (size > limits.maxBodyBytes()) {
      String message =
          "body: %d bytes (expected: at most %d)".formatted(size, limits.maxBodyBytes());
      throw new ProblemException(Problem.of(ErrorCode.TOO_LARGE, message));
    }
    if (body.jsonLength() > size) {
      throw JsonInput.invalid(
          Headers.JSON_LENGTH, body.jsonLength(), "at most the body's " + size + " bytes");
    }
  }

  private static Problem noSignature(String model) {
    return Problem.invalid(
        Headers.JSON_LENGTH, 0, "JSON: the signature of \"" + model + "\" is unknown");
  }

  /** Where the type and shape of a raw body are looked up. */
  private interface Signatures {
    Outcome<ModelDescription> of(String model, @Nullable String version);
  }
}
