package meridian.batching;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The stage that a submitter waits on. */
final class Reply extends CompletableFuture<WorkResult> implements Consumer<WorkResult> {

  private final Owed owed;

  Reply(Owed owed) {
    this.owed = owed;
  }

  @Override
  public void accept(WorkResult result) {
    try {
      complete(result);
    } finally {
      owed.paid();
    }
  }
}
