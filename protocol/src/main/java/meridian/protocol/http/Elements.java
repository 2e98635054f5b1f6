package meridian.protocol.http;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import meridian.core.error.ProblemException;
import meridian.core.tensor.DataType;
import meridian.protocol.json.JsonInput;

/** Takes the elements of one tensor, row-major, and lays them out in the raw form. */
interface Elements {

  /** Reads the current token, which is not the start of an array. */
  void add(JsonToken token) throws IOException, ProblemException;

  /**
   * Reads on from the current token, the start of an array or an element, as far as that goes
   * without a token for each element.
   *
   * @return how many elements were added, at most {@code most}
   */
  default long ahead(long most) {
    return 0;
  }

  /** What was added. */
  MemorySegment finish();

  /**
   * @param count how many elements will be added
   */
  static Elements of(DataType type, int count, boolean base64, JsonInput in) {
    return switch (type) {
      case BYTES -> new StringElements(in, base64);
      case BOOL -> new BoolElements(in, count);
      case FP16, BF16, FP32, FP64 -> new RealElements(in, type, count);
      case INT8, INT16, INT32, INT64, UINT8, UINT16, UINT32, UINT64 ->
          new IntegerElements(in, type, count);
    };
  }
}
