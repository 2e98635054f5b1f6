package meridian.onnx;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import meridian.core.backend.Backend.ExecutionProvider;
import meridian.core.backend.Backend.ExecutionSettings;
import meridian.onnx.capi.Environment;
import meridian.onnx.capi.Port;
import meridian.onnx.capi.Session;
import meridian.onnx.file.ModelFile;

/** What the back end tells of a model beside its signature. */
final class Properties {

  private Properties() {}

  static Map<String, String> of(ModelFile file, ExecutionSettings settings, Session session) {
    Map<String, String> properties = new TreeMap<>();
    properties.put("runtime", "ONNX Runtime " + Environment.version());
    properties.put("ir_version", Long.toString(file.irVersion()));
    properties.put("opset", opsets(file));
    properties.put("providers", providers(settings));
    if (!file.producer().isEmpty()) {
      properties.put("producer", file.producer());
    }
    List<String> omitted =
        session.outputs().stream().filter(port -> port.tensor() == null).map(Port::name).toList();
    if (!omitted.isEmpty()) {
      properties.put("omitted_outputs", String.join(", ", omitted));
    }
    return Collections.unmodifiableMap(properties);
  }

  private static String opsets(ModelFile file) {
    return file.opsets().entrySet().stream()
        .map(opset -> opset.getKey() + " " + opset.getValue())
        .collect(Collectors.joining(", "));
  }

  private static String providers(ExecutionSettings settings) {
    return settings.providers().isEmpty()
        ? ExecutionProvider.CPU.name()
        : settings.providers().stream()
            .map(ExecutionProvider::name)
            .collect(Collectors.joining(", "));
  }
}
