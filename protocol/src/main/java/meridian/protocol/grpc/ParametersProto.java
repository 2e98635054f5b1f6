package meridian.protocol.grpc;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import meridian.core.error.Problem;
import meridian.core.error.ProblemException;
import meridian.core.error.Quoted;
import meridian.core.infer.Parameter;
import meridian.core.infer.Parameters;
import meridian.proto.InferParameter;

/** Parameters as protobuf has them. */
final class ParametersProto {

  private ParametersProto() {}

  /**
   * @param path of the map, for messages
   */
  static Parameters decode(String path, Map<String, InferParameter> values)
      throws ProblemException {
    if (values.isEmpty()) {
      return Parameters.NONE;
    }
    Map<String, Parameter> decoded = new LinkedHashMap<>();
    for (Map.Entry<String, InferParameter> each : values.entrySet()) {
      decoded.put(each.getKey(), decode(path, each.getKey(), each.getValue()));
    }
    return new Parameters(decoded);
  }

  private static Parameter decode(String path, String name, InferParameter value)
      throws ProblemException {
    return switch (value.getParameterChoiceCase()) {
      case BOOL_PARAM -> new Parameter.Bool(value.getBoolParam());
      case INT64_PARAM -> new Parameter.Int(value.getInt64Param());
      case STRING_PARAM -> new Parameter.Text(value.getStringParam());
      case DOUBLE_PARAM -> new Parameter.Real(value.getDoubleParam());
      case UINT64_PARAM -> unsigned(value.getUint64Param());
      case PARAMETERCHOICE_NOT_SET ->
          throw new ProblemException(
              Problem.invalid(
                  path + '.' + Quoted.clean(name), "no value", "a string, number or boolean"));
    };
  }

  private static Parameter unsigned(long bits) {
    return bits >= 0 ? new Parameter.Int(bits) : new Parameter.Unsigned(bits);
  }

  static void encode(Parameters parameters, BiConsumer<String, InferParameter> into) {
    parameters.values().forEach((name, value) -> into.accept(name, encode(value)));
  }

  static InferParameter encode(Parameter value) {
    InferParameter.Builder builder = InferParameter.newBuilder();
    return switch (value) {
      case Parameter.Bool(boolean bool) -> builder.setBoolParam(bool).build();
      case Parameter.Int(long number) -> builder.setInt64Param(number).build();
      case Parameter.Unsigned(long bits) -> builder.setUint64Param(bits).build();
      case Parameter.Real(double number) -> builder.setDoubleParam(number).build();
      case Parameter.Text(String text) -> builder.setStringParam(text).build();
    };
  }
}
