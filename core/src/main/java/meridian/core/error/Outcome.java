package meridian.core.error;

import java.util.function.Function;

/** A value, or the {@link Problem} that stands in its place. */
public sealed interface Outcome<T> {

  record Ok<T>(T value) implements Outcome<T> {}

  record Failed<T>(Problem problem) implements Outcome<T> {}

  static <T> Outcome<T> ok(T value) {
    return new Ok<>(value);
  }

  static <T> Outcome<T> failed(Problem problem) {
    return new Failed<>(problem);
  }

  default <R> Outcome<R> map(Function<? super T, ? extends R> mapper) {
    return switch (this) {
      case Ok<T>(T value) -> ok(mapper.apply(value));
      case Failed<T>(Problem problem) -> failed(problem);
    };
  }

  default T orElseThrow() throws ProblemException {
    return switch (this) {
      case Ok<T>(T value) -> value;
      case Failed<T>(Problem problem) -> throw new ProblemException(problem);
    };
  }
}
