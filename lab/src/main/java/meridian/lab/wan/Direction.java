package meridian.lab.wan;

/** Of the two ways through a link. */
public enum Direction {
  /** From those who connect. */
  THERE,
  /** From those who are connected to. */
  BACK
}
