package meridian.serving;

import meridian.core.infer.InferenceService;
import meridian.core.model.ModelCatalog;
import meridian.core.model.ModelControl;
import meridian.core.time.NanoClock;
import meridian.serving.telemetry.Metrics;

/**
 * What a server exposes.
 *
 * @param name of the server, as its metadata tells
 * @param version of the server, as its metadata tells
 */
public record ServedApi(
    String name,
    String version,
    InferenceService service,
    ModelCatalog catalog,
    ModelControl control,
    Metrics metrics,
    NanoClock clock) {}
