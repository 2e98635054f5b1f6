package meridian.testkit.graph;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import meridian.core.tensor.DataType;

/** The model repository that the checks in {@code conformance} ask a server for. */
public final class FixtureRepository {

  private static final String LABELS =
      """
      red
      green
      blue
      """;
  private static final String LINEAR_CONFIG =
      """
      platform: "onnxruntime_onnx"
      max_batch_size: 8
      input [ { name: "x" data_type: TYPE_FP32 dims: [ 4 ] } ]
      output [ { name: "y" data_type: TYPE_FP32 dims: [ 3 ] label_filename: "labels.txt" } ]
      """;
  private static final String BATCH_SIZE_CONFIG =
      """
      platform: "onnxruntime_onnx"
      max_batch_size: 8
      input [ { name: "x" data_type: TYPE_FP32 dims: [ 1 ] } ]
      output [ { name: "size" data_type: TYPE_INT64 dims: [ 1 ] } ]
      dynamic_batching { }
      """;
  private static final String VERSIONS_CONFIG =
      """
      platform: "onnxruntime_onnx"
      version_policy: { all { } }
      """;

  private static final String ACCUMULATOR_CONFIG =
      """
      sequence:
        states: [{input: state, output: next, axis: 1}]
      fixed_inputs: {scale: 2}
      batching: {mixing: allowed}
      """;

  private FixtureRepository() {}

  /** Writes the repository into the folder that is the one argument. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 1) {
      throw new IllegalArgumentException(
          "arguments: " + arguments.length + " (expected: 1, the folder to write)");
    }
    write(Path.of(arguments[0]));
  }

  /** Writes every fixture, over what was there. */
  public static void write(Path repository) throws IOException {
    for (DataType type : DataType.values()) {
      String name = "identity_" + type.name().toLowerCase(Locale.ROOT);
      ModelFolder.write(repository, name, 1, Graphs.identity(type));
    }
    writeArithmetic(repository);
    writeShapes(repository);
    writeLife(repository);
  }

  private static void writeArithmetic(Path repository) throws IOException {
    ModelFolder.write(repository, "add_sub", 1, Graphs.add2());
    ModelFolder.write(repository, "division", 1, Graphs.div());
    ModelFolder.write(repository, "linear", 1, Graphs.linear());
    Files.writeString(repository.resolve("linear/config.pbtxt"), LINEAR_CONFIG);
    Files.writeString(repository.resolve("linear/labels.txt"), LABELS);
    ModelFolder.write(repository, "linear-v1.0.1", 1, Graphs.linear());
  }

  private static void writeShapes(Path repository) throws IOException {
    ModelFolder.write(repository, "scalar", 1, Graphs.scalar());
    ModelFolder.write(repository, "filter", 1, Graphs.filter());
    ModelFolder.write(repository, "gather", 1, Graphs.gather());
    ModelFolder.write(repository, "batch_size", 1, Graphs.batchSize());
    Files.writeString(repository.resolve("batch_size/config.pbtxt"), BATCH_SIZE_CONFIG);
    ModelFolder.write(repository, "accumulator", 1, StateGraphs.accumulator());
    Files.writeString(repository.resolve("accumulator/model.yaml"), ACCUMULATOR_CONFIG);
    ModelFolder.write(repository, "batch_reduce", 1, Graphs.batchReduce());
    ModelFolder.write(repository, "fixed_batch", 1, Graphs.fixedBatch1());
  }

  private static void writeLife(Path repository) throws IOException {
    ModelFolder.write(repository, "slow", 1, Graphs.slow());
    ModelFolder.write(repository, "versions", 1, Graphs.version(1));
    ModelFolder.write(repository, "versions", 2, Graphs.version(2));
    Files.writeString(repository.resolve("versions/config.pbtxt"), VERSIONS_CONFIG);
    ModelFolder.write(repository, "reload", 1, Graphs.version(1));
  }
}
