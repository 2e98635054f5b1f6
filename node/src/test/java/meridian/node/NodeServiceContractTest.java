package meridian.node;

import java.nio.file.Path;
import meridian.core.infer.InferenceService;
import meridian.testkit.contract.InferenceServiceContract;

class NodeServiceContractTest extends InferenceServiceContract {

  private TestNode node;

  @Override
  protected InferenceService start(Path repository) {
    node = TestNode.start(repository);
    return node.node;
  }

  @Override
  protected void stop() {
    node.close();
  }
}
