package meridian.onnx;

import java.nio.file.Path;
import meridian.core.infer.InferenceService;
import meridian.testkit.contract.InferenceServiceContract;

class DirectServiceContractTest extends InferenceServiceContract {

  private DirectService service;

  @Override
  protected InferenceService start(Path repository) throws Exception {
    service = new DirectService(repository);
    return service;
  }

  @Override
  protected void stop() {
    service.close();
  }
}
