package meridian.cli.demo;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import meridian.cli.bench.JsonReport;

/** What all users saw from beginning to end. */
public record Summary(List<LiveTable.Row> rows) {

  /** True when there were answers and nothing but answers. */
  public boolean succeeded() {
    return !rows.isEmpty()
        && rows.stream().allMatch(row -> row.seen().answered() > 0 && row.seen().failed() == 0);
  }

  public String text() {
    return "\nsummary\n" + String.join("\n", LiveTable.lines(rows));
  }

  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    ArrayNode models = json.putArray("models");
    for (LiveTable.Row row : rows) {
      ObjectNode model = JsonReport.of(row.seen());
      model.put("model", row.model());
      model.put("wire", row.wire());
      model.put("requests_per_second", row.seen().answered() / row.seconds());
      model.put("mean_batch", row.batchSize());
      models.add(model);
    }
    return json;
  }
}
