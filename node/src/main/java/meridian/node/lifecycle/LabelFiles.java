package meridian.node.lifecycle;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import meridian.core.backend.ModelLoadException;
import meridian.core.model.Signature;
import meridian.node.repository.ModelFiles;
import meridian.node.repository.ModelSource;
import meridian.node.version.Labels;

/** Reads label files: one class per line, in the order of the output's elements. */
final class LabelFiles {

  private LabelFiles() {}

  static Labels read(ModelSource source, Map<String, String> files, Signature signature)
      throws ModelLoadException {
    Map<String, List<String>> labels = new HashMap<>();
    for (Map.Entry<String, String> entry : files.entrySet()) {
      String field = "labels." + entry.getKey();
      if (signature.output(entry.getKey()).isEmpty()) {
        throw new ModelLoadException(field + ": unknown (expected: the name of an output)");
      }
      ModelFiles.resolve(source.folder(), source.folder(), field, entry.getValue());
      String text = ModelFiles.text(source.folder(), entry.getValue());
      if (text != null) {
        labels.put(entry.getKey(), text.lines().map(String::strip).toList());
      }
    }
    return new Labels(labels);
  }
}
