package meridian.pipeline.text;

/** Pooling as its definition has it, in double precision. */
final class NaivePooling {

  private NaivePooling() {}

  /** The mean of {@code count} vectors, the first of which starts at {@code from}. */
  static double[] mean(float[] values, int from, int count, int size) {
    double[] mean = new double[size];
    for (int i = 0; i < size; i++) {
      double sum = 0;
      for (int token = 0; token < count; token++) {
        sum += values[from + token * size + i];
      }
      mean[i] = count == 0 ? 0 : sum / count;
    }
    return mean;
  }

  static double[] normalized(double[] vector) {
    double length = Math.sqrt(dot(vector, vector));
    double[] normalized = new double[vector.length];
    for (int i = 0; i < vector.length; i++) {
      normalized[i] = length == 0 ? 0 : vector[i] / length;
    }
    return normalized;
  }

  static double cosine(double[] one, double[] other) {
    return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
  }

  private static double dot(double[] one, double[] other) {
    double dot = 0;
    for (int i = 0; i < one.length; i++) {
      dot += one[i] * other[i];
    }
    return dot;
  }
}
