package meridian.node.lifecycle;

import meridian.core.model.ModelState;

/** Where a version of the repository stands. */
enum Phase {
  /** Being loaded, and nothing serves under its number yet. */
  LOADING(ModelState.LOADING),
  READY(ModelState.READY),
  /** It should serve, and cannot. */
  FAILED(ModelState.UNAVAILABLE),
  /** Its last requests are being answered. */
  DRAINING(ModelState.UNLOADING),
  /** Nobody wants it to serve. */
  IDLE(ModelState.UNAVAILABLE);

  private final ModelState state;

  Phase(ModelState state) {
    this.state = state;
  }

  ModelState state() {
    return state;
  }
}
