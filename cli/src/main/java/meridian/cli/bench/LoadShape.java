package meridian.cli.bench;

import java.util.Locale;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import meridian.core.infer.InferRequest;
import meridian.core.infer.InferenceService;
import meridian.core.time.NanoClock;

/** When requests are sent. */
public sealed interface LoadShape {

  Load of(InferenceService service, Supplier<InferRequest> requests);

  /** For the title of a report. */
  String text();

  /** At instants fixed beforehand, answered or not. */
  record Open(double perSecond, Arrivals arrivals, RandomGenerator random, NanoClock clock)
      implements LoadShape {

    @Override
    public Load of(InferenceService service, Supplier<InferRequest> requests) {
      return new OpenLoop(service, requests, arrivals.gaps(perSecond, random), clock);
    }

    @Override
    public String text() {
      return String.format(
          Locale.ROOT,
          "%.1f requests/s, %s arrivals",
          perSecond,
          arrivals.name().toLowerCase(Locale.ROOT));
    }
  }

  /** Each answer sends the next request. */
  record Closed(int inFlight, NanoClock clock) implements LoadShape {

    @Override
    public Load of(InferenceService service, Supplier<InferRequest> requests) {
      return new ClosedLoop(service, requests, inFlight, clock);
    }

    @Override
    public String text() {
      return inFlight + " request(s) in flight";
    }
  }
}
