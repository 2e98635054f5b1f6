package meridian.protocol.control;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import meridian.core.error.ProblemException;
import meridian.core.model.ModelStatistics;
import meridian.core.model.ModelStatistics.Batches;
import meridian.core.model.ModelStatistics.Inferences;
import meridian.core.model.ModelStatistics.Tally;
import meridian.protocol.json.JsonInput;

/** Statistics, by the names that load generators read. */
final class StatisticsJson {

  private static final String COUNT_RULE = "a whole number from 0 to 2^63-1";
  private static final Inferences NONE =
      new Inferences(
          Tally.NONE,
          Tally.NONE,
          Tally.NONE,
          Tally.NONE,
          Tally.NONE,
          Tally.NONE,
          Tally.NONE,
          Tally.NONE);

  private StatisticsJson() {}

  static void write(JsonGenerator out, List<ModelStatistics> statistics) throws IOException {
    out.writeStartObject();
    out.writeArrayFieldStart("model_stats");
    for (ModelStatistics model : statistics) {
      write(out, model);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, ModelStatistics model) throws IOException {
    out.writeStartObject();
    out.writeStringField("name", model.name());
    out.writeStringField("version", model.version());
    out.writeNumberField("last_inference", model.lastInferenceMillis());
    out.writeNumberField("inference_count", model.inferenceCount());
    out.writeNumberField("execution_count", model.executionCount());
    write(out, model.inferences());
    out.writeArrayFieldStart("batch_stats");
    for (Batches batches : model.batches()) {
      out.writeStartObject();
      out.writeNumberField("batch_size", batches.batchSize());
      write(out, "compute_input", batches.computeInput());
      write(out, "compute_infer", batches.computeInfer());
      write(out, "compute_output", batches.computeOutput());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, Inferences inferences) throws IOException {
    out.writeObjectFieldStart("inference_stats");
    write(out, "success", inferences.success());
    write(out, "fail", inferences.fail());
    write(out, "queue", inferences.queue());
    write(out, "compute_input", inferences.computeInput());
    write(out, "compute_infer", inferences.computeInfer());
    write(out, "compute_output", inferences.computeOutput());
    write(out, "cache_hit", inferences.cacheHit());
    write(out, "cache_miss", inferences.cacheMiss());
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, String field, Tally tally) throws IOException {
    out.writeObjectFieldStart(field);
    out.writeNumberField("count", tally.count());
    out.writeNumberField("ns", tally.nanos());
    out.writeEndObject();
  }

  static List<ModelStatistics> read(JsonInput in) throws IOException, ProblemException {
    List<ModelStatistics> models = new ArrayList<>();
    in.startObject();
    while (in.nextField()) {
      if (in.name().equals("model_stats")) {
        in.startArray();
        while (in.nextElement()) {
          in.requireObject();
          models.add(model(in));
        }
      } else {
        in.skip();
      }
    }
    return models;
  }

  private static ModelStatistics model(JsonInput in) throws IOException, ProblemException {
    String name = "";
    String version = "";
    long last = 0;
    long inferenceCount = 0;
    long executionCount = 0;
    Inferences inferences = NONE;
    List<Batches> batches = List.of();
    while (in.nextField()) {
      switch (in.name()) {
        case "name" -> name = in.string();
        case "version" -> version = in.string();
        case "last_inference" -> last = count(in);
        case "inference_count" -> inferenceCount = count(in);
        case "execution_count" -> executionCount = count(in);
        case "inference_stats" -> inferences = inferences(in);
        case "batch_stats" -> batches = batches(in);
        default -> in.skip();
      }
    }
    return new ModelStatistics(
        name, version, last, inferenceCount, executionCount, inferences, batches);
  }

  private static Inferences inferences(JsonInput in) throws IOException, ProblemException {
    Tallies tallies = Tallies.read(in);
    return new Inferences(
        tallies.get("success"),
        tallies.get("fail"),
        tallies.get("queue"),
        tallies.get("compute_input"),
        tallies.get("compute_infer"),
        tallies.get("compute_output"),
        tallies.get("cache_hit"),
        tallies.get("cache_miss"));
  }

  private static List<Batches> batches(JsonInput in) throws IOException, ProblemException {
    List<Batches> batches = new ArrayList<>();
    in.startArray();
    while (in.nextElement()) {
      in.requireObject();
      Tallies tallies = Tallies.fields(in);
      batches.add(
          new Batches(
              tallies.number("batch_size"),
              tallies.get("compute_input"),
              tallies.get("compute_infer"),
              tallies.get("compute_output")));
    }
    return batches;
  }

  static long count(JsonInput in) throws IOException, ProblemException {
    in.next();
    return in.integer(0, Long.MAX_VALUE, COUNT_RULE);
  }
}
