package meridian.node.warmup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import meridian.core.backend.ModelLoadException;
import meridian.core.latency.ExecutionTimes;
import meridian.core.tensor.DataType;
import meridian.core.tensor.Shape;
import meridian.core.tensor.TensorSpec;
import meridian.node.repository.ModelFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what was measured of a version beside it, for its next load. What was measured under other
 * conditions is of no use and is not read. A repository that cannot be written to costs a
 * measurement at each load, no more.
 */
public final class ExecutionTimesFile {

  private static final Logger LOG = LoggerFactory.getLogger(ExecutionTimesFile.class);
  private static final ObjectMapper JSON = JsonMapper.builder().build();

  /**
   * @param threads of each execution; 0 where nothing is known
   */
  public record Measured(int threads, ExecutionTimes times) {

    public static final Measured NOTHING = new Measured(0, ExecutionTimes.NONE);

    public boolean isNothing() {
      return threads == 0;
    }
  }

  private final Path folder;
  private final String name;
  private final String conditions;

  /**
   * @param folder of the model
   * @param version whose executions are measured
   * @param conditions all that makes measurements comparable, in words
   */
  public ExecutionTimesFile(Path folder, long version, String conditions) {
    this.folder = folder;
    this.name = ".execution-times-" + version + ".json";
    this.conditions = conditions;
  }

  /** What was written under the same conditions; nothing where there is no such thing. */
  public Measured read() {
    try {
      String text = ModelFiles.text(folder, name);
      return text == null ? Measured.NOTHING : read(text);
    } catch (ModelLoadException | JsonProcessingException | IllegalArgumentException e) {
      LOG.warn("{}: not read, measured again: {}", folder.resolve(name), firstLine(e));
      return Measured.NOTHING;
    }
  }

  /** Replaces what is there, as a whole; an old version may do so while the next is loaded. */
  public void write(Measured measured) {
    try {
      Path written = Files.createTempFile(folder, name, ".new");
      try {
        Files.writeString(written, JSON.writeValueAsString(saved(measured)));
        Files.move(written, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
      } finally {
        Files.deleteIfExists(written);
      }
    } catch (IOException e) {
      LOG.info("{}: not kept for the next load: {}", folder.resolve(name), e.toString());
    }
  }

  private Measured read(String text) throws JsonProcessingException {
    Saved saved = require("content", JSON.readValue(text, Saved.class));
    return saved.conditions.equals(conditions)
        ? new Measured(
            saved.threads,
            new ExecutionTimes(saved.executions.stream().map(Execution::entry).toList()))
        : Measured.NOTHING;
  }

  private Saved saved(Measured measured) {
    return new Saved(
        conditions,
        measured.threads,
        measured.times.entries().stream().map(Execution::of).toList());
  }

  private static String firstLine(Exception e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }

  private record Saved(String conditions, int threads, List<Execution> executions) {

    private Saved {
      require("conditions", conditions);
      if (threads < 1) {
        throw new IllegalArgumentException("threads: " + threads + " (expected: 1 or more)");
      }
      executions = List.copyOf(require("executions", executions));
    }
  }

  private record Execution(
      List<Input> inputs, int rows, long medianNanos, long q99Nanos, long runs) {

    private Execution {
      inputs = List.copyOf(require("inputs", inputs));
    }

    static Execution of(ExecutionTimes.Entry entry) {
      return new Execution(
          entry.inputs().stream().map(Input::of).toList(),
          entry.rows(),
          entry.medianNanos(),
          entry.q99Nanos(),
          entry.runs());
    }

    ExecutionTimes.Entry entry() {
      return new ExecutionTimes.Entry(
          inputs.stream().map(Input::spec).toList(), rows, medianNanos, q99Nanos, runs);
    }
  }

  private record Input(String name, DataType datatype, long[] shape) {

    private Input {
      require("name", name);
      require("datatype", datatype);
      require("shape", shape);
    }

    static Input of(TensorSpec spec) {
      return new Input(spec.name(), spec.type(), spec.shape().toArray());
    }

    TensorSpec spec() {
      return new TensorSpec(name, datatype, Shape.of(shape), false);
    }
  }

  private static <T> T require(String field, T value) {
    if (value == null) {
      throw new IllegalArgumentException(field + ": missing");
    }
    return value;
  }
}
