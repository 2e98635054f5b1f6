package meridian.protocol.control;

import java.util.List;
import meridian.core.model.ModelStatistics;
import meridian.core.model.ModelStatistics.Batches;
import meridian.core.model.ModelStatistics.Inferences;
import meridian.core.model.ModelStatistics.Tally;
import meridian.proto.InferBatchStatistics;
import meridian.proto.InferStatistics;
import meridian.proto.ModelStatisticsResponse;
import meridian.proto.StatisticDuration;

/** Statistics as protobuf has them. */
public final class StatisticsProto {

  private StatisticsProto() {}

  public static ModelStatisticsResponse encode(List<ModelStatistics> statistics) {
    ModelStatisticsResponse.Builder out = ModelStatisticsResponse.newBuilder();
    statistics.forEach(model -> out.addModelStats(encode(model)));
    return out.build();
  }

  private static meridian.proto.ModelStatistics encode(ModelStatistics model) {
    meridian.proto.ModelStatistics.Builder out =
        meridian.proto.ModelStatistics.newBuilder()
            .setName(model.name())
            .setVersion(model.version())
            .setLastInference(model.lastInferenceMillis())
            .setInferenceCount(model.inferenceCount())
            .setExecutionCount(model.executionCount())
            .setInferenceStats(encode(model.inferences()));
    model.batches().forEach(batches -> out.addBatchStats(encode(batches)));
    return out.build();
  }

  private static InferStatistics encode(Inferences inferences) {
    return InferStatistics.newBuilder()
        .setSuccess(encode(inferences.success()))
        .setFail(encode(inferences.fail()))
        .setQueue(encode(inferences.queue()))
        .setComputeInput(encode(inferences.computeInput()))
        .setComputeInfer(encode(inferences.computeInfer()))
        .setComputeOutput(encode(inferences.computeOutput()))
        .setCacheHit(encode(inferences.cacheHit()))
        .setCacheMiss(encode(inferences.cacheMiss()))
        .build();
  }

  private static InferBatchStatistics encode(Batches batches) {
    return InferBatchStatistics.newBuilder()
        .setBatchSize(batches.batchSize())
        .setComputeInput(encode(batches.computeInput()))
        .setComputeInfer(encode(batches.computeInfer()))
        .setComputeOutput(encode(batches.computeOutput()))
        .build();
  }

  private static StatisticDuration encode(Tally tally) {
    return StatisticDuration.newBuilder().setCount(tally.count()).setNs(tally.nanos()).build();
  }

  public static List<ModelStatistics> decode(ModelStatisticsResponse message) {
    return message.getModelStatsList().stream().map(StatisticsProto::decode).toList();
  }

  private static ModelStatistics decode(meridian.proto.ModelStatistics model) {
    return new ModelStatistics(
        model.getName(),
        model.getVersion(),
        model.getLastInference(),
        model.getInferenceCount(),
        model.getExecutionCount(),
        decode(model.getInferenceStats()),
        model.getBatchStatsList().stream().map(StatisticsProto::decode).toList());
  }

  private static Inferences decode(InferStatistics stats) {
    return new Inferences(
        decode(stats.getSuccess()),
        decode(stats.getFail()),
        decode(stats.getQueue()),
        decode(stats.getComputeInput()),
        decode(stats.getComputeInfer()),
        decode(stats.getComputeOutput()),
        decode(stats.getCacheHit()),
        decode(stats.getCacheMiss()));
  }

  private static Batches decode(InferBatchStatistics stats) {
    return new Batches(
        stats.getBatchSize(),
        decode(stats.getComputeInput()),
        decode(stats.getComputeInfer()),
        decode(stats.getComputeOutput()));
  }

  private static Tally decode(StatisticDuration duration) {
    return new Tally(duration.getCount(), duration.getNs());
  }
}
