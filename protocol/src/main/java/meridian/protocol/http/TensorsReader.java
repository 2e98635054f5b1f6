package meridian.protocol.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import meridian.core.error.ProblemException;
import meridian.core.tensor.NamedTensor;
import meridian.protocol.Limits;
import meridian.protocol.json.JsonInput;

/** Reads an array of tensors. */
final class TensorsReader {

  private TensorsReader() {}

  /** Moves to the next value and reads it. */
  static List<NamedTensor> read(JsonInput in, Limits limits, Blobs blobs)
      throws IOException, ProblemException {
    in.startArray();
    List<NamedTensor> tensors = new ArrayList<>();
    while (in.nextElement()) {
      in.requireObject();
      tensors.add(new TensorReader(in, limits).read(blobs));
    }
    return tensors;
  }
}
