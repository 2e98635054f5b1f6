package meridian.pipeline.text;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.FloatBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import meridian.core.tensor.NamedTensor;
import meridian.core.tensor.Shape;
import meridian.core.tensor.Tensor;

/** A sentence encoder, run by ONNX Runtime as it is. */
final class OnnxGraph implements AutoCloseable {

  private final OrtEnvironment environment = OrtEnvironment.getEnvironment();
  private final OrtSession session;

  OnnxGraph(byte[] model) throws OrtException {
    OrtSession.SessionOptions options = new OrtSession.SessionOptions();
    options.setIntraOpNumThreads(1);
    session = environment.createSession(model, options);
  }

  List<NamedTensor> run(List<NamedTensor> inputs) throws OrtException {
    Map<String, OnnxTensor> values = new HashMap<>();
    for (NamedTensor input : inputs) {
      values.put(input.name(), tensor(input.tensor()));
    }
    try (OrtSession.Result result = session.run(values)) {
      OnnxTensor output = (OnnxTensor) result.get("last_hidden_state").orElseThrow();
      FloatBuffer floats = output.getFloatBuffer();
      float[] data = new float[floats.remaining()];
      floats.get(data);
      Shape shape = Shape.of(output.getInfo().getShape());
      return List.of(new NamedTensor("last_hidden_state", Tensor.ofFloats(shape, data)));
    } finally {
      values.values().forEach(OnnxTensor::close);
    }
  }

  /** What the graph makes of one text's ids alone, pooled without haste: mean, then length 1. */
  double[] embed(long... ids) throws OrtException {
    long[] ones = new long[ids.length];
    Arrays.fill(ones, 1);
    Shape shape = Shape.of(1, ids.length);
    Tensor output =
        run(List.of(
                new NamedTensor("input_ids", Tensor.ofLongs(shape, ids)),
                new NamedTensor("attention_mask", Tensor.ofLongs(shape, ones)),
                new NamedTensor("token_type_ids", Tensor.ofLongs(shape, new long[ids.length]))))
            .getFirst()
            .tensor();
    return NaivePooling.normalized(NaivePooling.mean(output.toFloats(), 0, ids.length, 384));
  }

  @Override
  public void close() throws OrtException {
    session.close();
  }

  private OnnxTensor tensor(Tensor tensor) throws OrtException {
    return OnnxTensor.createTensor(
        environment, LongBuffer.wrap(tensor.toLongs()), tensor.shape().toArray());
  }
}
