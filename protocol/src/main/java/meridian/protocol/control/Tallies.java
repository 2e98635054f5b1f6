package meridian.protocol.control;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import meridian.core.error.ProblemException;
import meridian.core.model.ModelStatistics.Tally;
import meridian.protocol.json.JsonInput;

/** The durations and numbers of one JSON object, by name; missing ones are 0. */
final class Tallies {

  private final Map<String, Tally> tallies = new HashMap<>();
  private final Map<String, Long> numbers = new HashMap<>();

  /** Moves to the next value and reads it. */
  static Tallies read(JsonInput in) throws IOException, ProblemException {
    in.startObject();
    return fields(in);
  }

  /** Reads the object whose start is the current token. */
  static Tallies fields(JsonInput in) throws IOException, ProblemException {
    Tallies read = new Tallies();
    while (in.nextField()) {
      read.field(in, in.name());
    }
    return read;
  }

  private void field(JsonInput in, String name) throws IOException, ProblemException {
    if (in.next() != JsonToken.START_OBJECT) {
      numbers.put(name, in.integer(0, Long.MAX_VALUE, "an object, or a number from 0 to 2^63-1"));
      return;
    }
    long count = 0;
    long nanos = 0;
    while (in.nextField()) {
      switch (in.name()) {
        case "count" -> count = StatisticsJson.count(in);
        case "ns" -> nanos = StatisticsJson.count(in);
        default -> in.skip();
      }
    }
    tallies.put(name, new Tally(count, nanos));
  }

  Tally get(String name) {
    return tallies.getOrDefault(name, Tally.NONE);
  }

  long number(String name) {
    return numbers.getOrDefault(name, 0L);
  }
}
