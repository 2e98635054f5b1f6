package meridian.core.model;

/** The states of a version in the repository index, by their names there. */
public enum ModelState {
  UNKNOWN,
  READY,
  UNAVAILABLE,
  LOADING,
  UNLOADING
}
