package meridian.serving.exchange;

import meridian.core.model.ModelCatalog;
import meridian.serving.exchange.Lifecycle.Phase;

/** Whether this server should get traffic: its models are there and it is not about to leave. */
public final class Readiness {

  private final ModelCatalog catalog;
  private final Lifecycle lifecycle;

  public Readiness(ModelCatalog catalog, Lifecycle lifecycle) {
    this.catalog = catalog;
    this.lifecycle = lifecycle;
  }

  public boolean ready() {
    return serving() && catalog.ready();
  }

  /** False from the moment the server begins to stop, whatever its models do. */
  public boolean serving() {
    return lifecycle.phase() == Phase.SERVING;
  }

  public void onLeave(Runnable listener) {
    lifecycle.onLeave(listener);
  }
}
