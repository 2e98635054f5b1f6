package meridian.serving.rest;

import org.jspecify.annotations.Nullable;

/**
 * What a path addresses.
 *
 * @param model by the name's rule; null where the path names none
 * @param version null where the path names none
 */
record Target(Endpoint endpoint, @Nullable String model, @Nullable String version) {

  String requireModel() {
    if (model == null) {
      throw new IllegalStateException(endpoint + " without a model");
    }
    return model;
  }
}
