package meridian.node.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import meridian.core.model.VersionPolicy;

/** {@code all}, {@code {latest: n}} or a list of versions. */
final class VersionPolicyReader extends StdDeserializer<VersionPolicy> {

  private static final long serialVersionUID = 1L;

  VersionPolicyReader() {
    super(VersionPolicy.class);
  }

  @Override
  public VersionPolicy deserialize(JsonParser parser, DeserializationContext context)
      throws IOException {
    JsonNode node = context.readTree(parser);
    if (node.isTextual() && node.textValue().equals("all")) {
      return new VersionPolicy.All();
    }
    if (node.isArray() && !node.isEmpty() && allVersions(node)) {
      return new VersionPolicy.Specific(versions(node));
    }
    JsonNode latest = node.get("latest");
    if (node.size() == 1 && latest != null && latest.isInt() && latest.intValue() > 0) {
      return new VersionPolicy.Latest(latest.intValue());
    }
    return context.reportInputMismatch(
        this, "%s (expected: all, {latest: 1} or a list such as [1, 3])", node);
  }

  private static boolean allVersions(JsonNode list) {
    for (JsonNode version : list) {
      if (!version.canConvertToLong() || !version.isIntegralNumber() || version.longValue() < 1) {
        return false;
      }
    }
    return true;
  }

  private static List<Long> versions(JsonNode list) {
    List<Long> versions = new ArrayList<>();
    list.forEach(version -> versions.add(version.longValue()));
    return versions;
  }
}
