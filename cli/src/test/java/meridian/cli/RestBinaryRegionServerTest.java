package meridian.cli;

import meridian.client.Wire;

class RestBinaryRegionServerTest extends RegionServerContract {

  RestBinaryRegionServerTest() {
    super(Wire.REST_BINARY);
  }
}
