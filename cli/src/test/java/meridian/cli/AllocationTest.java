package meridian.cli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import meridian.core.tensor.DataType;
import meridian.testkit.graph.Graphs;
import meridian.testkit.graph.ModelFolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the server allocates on the heap for a request, client left out. Measured were 28 kB for the
 * smallest request in binary and 31 kB in JSON, three times the tensor on top of that in binary and
 * 40 bytes an element in JSON; another copy of a body or an object for each element fails.
 */
class AllocationTest {

  private static final int WARM_UP = 3_000;
  private static final int REQUESTS = 1_000;
  private static final int ELEMENTS = 4_096;

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @TempDir private Path models;

  @Test
  void infer_restBinary_allocatesABoundedAmountAndOneAnswer() throws Exception {
    long small = perRequest(binary(1));
    long large = perRequest(binary(ELEMENTS));
    assertThat(small).isLessThan(42_000);
    assertThat(large - small).isLessThan(4L * ELEMENTS * Float.BYTES);
  }

  @Test
  void infer_restJson_allocatesABoundedAmountAndNothingPerElement() throws Exception {
    long small = perRequest(json(1));
    long large = perRequest(json(ELEMENTS));
    assertThat(small).isLessThan(47_000);
    assertThat(large - small).isLessThan(50L * ELEMENTS);
  }

  private long perRequest(byte[] request) throws Exception {
    ModelFolder.write(models, "m", 1, Graphs.identity(DataType.FP32));
    try (RegionServer server = TestServers.start(models);
        Connection connection = new Connection(server.inference())) {
      connection.exchange(request, WARM_UP);
      long before = allocatedByOthers();
      connection.exchange(request, REQUESTS);
      return (allocatedByOthers() - before) / REQUESTS;
    }
  }

  /** By all threads but this one, which is the client. */
  private static long allocatedByOthers() {
    return THREADS.getTotalThreadAllocatedBytes() - THREADS.getCurrentThreadAllocatedBytes();
  }

  private static byte[] binary(int elements) throws IOException {
    String json =
        """
        {"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1,%d],\
        "parameters":{"binary_data_size":%d}}],\
        "outputs":[{"name":"OUTPUT0","parameters":{"binary_data":true}}]}\
        """
            .formatted(elements, elements * Float.BYTES);
    byte[] tensor = new byte[elements * Float.BYTES];
    return request(
        "Inference-Header-Content-Length: " + json.length() + "\r\n",
        json.getBytes(US_ASCII),
        tensor);
  }

  private static byte[] json(int elements) throws IOException {
    String[] numbers = new String[elements];
    Arrays.setAll(numbers, i -> Float.toString(i / 7f));
    String json =
        """
        {"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1,%d],"data":[%s]}]}\
        """
            .formatted(elements, String.join(",", numbers));
    return request("Content-Type: application/json\r\n", json.getBytes(US_ASCII), new byte[0]);
  }

  private static byte[] request(String header, byte[] json, byte[] tensor) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    String head =
        "POST /v2/models/m/infer HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n"
            .formatted(header, json.length + tensor.length);
    bytes.write(head.getBytes(US_ASCII));
    bytes.write(json);
    bytes.write(tensor);
    return bytes.toByteArray();
  }

  /** A client of HTTP/1.1 that reads answers of a known length. */
  private static final class Connection implements AutoCloseable {

    private final Socket socket;
    private final OutputStream out;
    private final DataInputStream in;

    Connection(URI server) throws IOException {
      socket = new Socket(server.getHost(), server.getPort());
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(30_000);
      out = socket.getOutputStream();
      in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 17));
    }

    void exchange(byte[] request, int times) throws IOException {
      for (int i = 0; i < times; i++) {
        out.write(request);
        readAnswer();
      }
    }

    @SuppressWarnings("deprecation") // The lines of HTTP are bytes.
    private void readAnswer() throws IOException {
      String status = in.readLine();
      assertThat(status).startsWith("HTTP/1.1 200");
      int length = 0;
      for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        if (line.startsWith("content-length: ")) {
          length = Integer.parseInt(line.substring("content-length: ".length()));
        }
      }
      assertThat(length).isPositive();
      in.skipNBytes(length);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
