package meridian.onnx;

import meridian.core.backend.Backend;
import meridian.testkit.contract.BackendContract;

class OnnxRuntimeContractTest extends BackendContract {

  @Override
  protected Backend open() {
    return OnnxRuntimeBackend.open();
  }
}
