package meridian.core.error;

/**
 * Carries a {@link Problem} out of nested calls to the border that returns it as a value. It has no
 * stack trace, so that a client's fault costs little.
 */
public final class ProblemException extends Exception {

  private static final long serialVersionUID = 1L;

  private final transient Problem problem;

  public ProblemException(Problem problem) {
    super(problem.message(), null, false, false);
    this.problem = problem;
  }

  public Problem problem() {
    return problem;
  }
}
