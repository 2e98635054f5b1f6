package meridian.cli;

import meridian.client.Wire;

class GrpcRegionServerTest extends RegionServerContract {

  GrpcRegionServerTest() {
    super(Wire.GRPC);
  }
}
