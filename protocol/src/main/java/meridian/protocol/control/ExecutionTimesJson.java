package meridian.protocol.control;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import meridian.core.latency.ExecutionTimes;
import meridian.core.tensor.TensorSpec;

/** Execution times, in nanoseconds; -1 in a shape stands for any number of rows. */
final class ExecutionTimesJson {

  private ExecutionTimesJson() {}

  static void write(JsonGenerator out, ExecutionTimes times) throws IOException {
    out.writeStartObject();
    out.writeArrayFieldStart("executions");
    for (ExecutionTimes.Entry entry : times.entries()) {
      write(out, entry);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, ExecutionTimes.Entry entry) throws IOException {
    out.writeStartObject();
    out.writeArrayFieldStart("inputs");
    for (TensorSpec input : entry.inputs()) {
      out.writeStartObject();
      out.writeStringField("name", input.name());
      out.writeStringField("datatype", input.type().name());
      out.writeFieldName("shape");
      long[] shape = input.shape().toArray();
      out.writeArray(shape, 0, shape.length);
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeNumberField("rows", entry.rows());
    out.writeNumberField("median_ns", entry.medianNanos());
    out.writeNumberField("q99_ns", entry.q99Nanos());
    out.writeNumberField("runs", entry.runs());
    out.writeEndObject();
  }
}
