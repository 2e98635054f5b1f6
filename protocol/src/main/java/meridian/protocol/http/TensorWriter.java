package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import meridian.core.error.ProblemException;
import meridian.core.tensor.DataType;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Tensor;
import meridian.protocol.http.ResponseFormat.OutputFormat;

/** Writes tensors, and gathers the blobs of those that travel behind the JSON. */
final class TensorWriter {

  private final JsonGenerator out;
  private final ElementWriter elements;
  private final List<MemorySegment> blobs = new ArrayList<>();

  TensorWriter(JsonGenerator out, boolean allowNan) {
    this.out = out;
    this.elements = new ElementWriter(out, allowNan);
  }

  List<MemorySegment> blobs() {
    return blobs;
  }

  /**
   * @param path of the tensor, for messages
   */
  void write(String path, NamedTensor named, OutputFormat format)
      throws IOException, ProblemException {
    Tensor tensor = named.tensor();
    out.writeStartObject();
    out.writeStringField(Json.NAME, named.name());
    out.writeStringField(Json.DATATYPE, tensor.type().name());
    shape(tensor);
    if (format == OutputFormat.BINARY) {
      binary(tensor);
    } else {
      boolean base64 = format == OutputFormat.BASE64 && tensor.type() == DataType.BYTES;
      json(path, named, base64);
    }
    out.writeEndObject();
  }

  private void shape(Tensor tensor) throws IOException {
    out.writeArrayFieldStart(Json.SHAPE);
    for (int i = 0; i < tensor.shape().rank(); i++) {
      out.writeNumber(tensor.shape().dim(i));
    }
    out.writeEndArray();
  }

  private void binary(Tensor tensor) throws IOException {
    out.writeObjectFieldStart(Json.PARAMETERS);
    out.writeNumberField(Json.BINARY_DATA_SIZE, tensor.data().byteSize());
    out.writeEndObject();
    blobs.add(tensor.data());
  }

  private void json(String path, NamedTensor named, boolean base64)
      throws IOException, ProblemException {
    if (base64) {
      out.writeObjectFieldStart(Json.PARAMETERS);
      out.writeStringField(Json.CONTENT_ENCODING, Json.BASE64);
      out.writeEndObject();
    }
    out.writeFieldName(Json.DATA);
    elements.write(path, named, base64);
  }
}
