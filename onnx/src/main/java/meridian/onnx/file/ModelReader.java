package meridian.onnx.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import meridian.core.backend.ModelLoadException;

/**
 * Walks a ModelProto. It notes the versions and the operators, and hands every reference to
 * external data to {@link ExternalData}, wherever a tensor can stand: initialisers, sparse ones,
 * attributes of nodes, the graphs in those, functions and training information.
 */
final class ModelReader {

  private static final int MAX_TEXT_BYTES = 64 * 1024;

  private static final int MODEL_IR_VERSION = 1;
  private static final int MODEL_PRODUCER = 2;
  private static final int MODEL_GRAPH = 7;
  private static final int MODEL_OPSET = 8;
  private static final int OPSET_DOMAIN = 1;
  private static final int OPSET_VERSION = 2;
  private static final int NODE_INPUT = 1;
  private static final int NODE_OUTPUT = 2;
  private static final int NODE_OPERATOR = 4;
  private static final int NODE_DOMAIN = 7;
  private static final int TENSOR_NAME = 8;
  private static final int TENSOR_EXTERNAL_DATA = 13;
  private static final int TENSOR_DATA_LOCATION = 14;
  private static final int LOCATION_EXTERNAL = 1;
  private static final int ENTRY_KEY = 1;
  private static final int ENTRY_VALUE = 2;

  private final ExternalData external;
  private final Map<String, Long> opsets = new HashMap<>();
  private final SteadyOperators operators = new SteadyOperators();
  private long irVersion;
  private String producer = "";
  private boolean graph;

  ModelReader(ExternalData external) {
    this.external = external;
  }

  void read(MessageSource source) throws IOException, ModelLoadException {
    for (int field = source.nextField(); field != 0; field = source.nextField()) {
      if (field == MODEL_IR_VERSION && source.isNumber()) {
        irVersion = source.readNumber();
      } else if (field == MODEL_PRODUCER && source.isBytes()) {
        producer = source.readText(MAX_TEXT_BYTES);
      } else if (field == MODEL_OPSET && source.isBytes()) {
        readOpset(source);
      } else {
        graph |= field == MODEL_GRAPH && source.isBytes();
        readNested(Message.MODEL, field, source);
      }
    }
  }

  long irVersion() {
    return irVersion;
  }

  Map<String, Long> opsets() {
    return opsets;
  }

  String producer() {
    return producer;
  }

  boolean hasGraph() {
    return graph;
  }

  boolean steady() {
    return operators.steady();
  }

  private void readNested(Message parent, int field, MessageSource source)
      throws IOException, ModelLoadException {
    Message child = source.isBytes() ? parent.child(field) : null;
    if (child == null) {
      source.skip();
      return;
    }
    int outer = source.enter();
    switch (child) {
      case TENSOR -> readTensor(source, parent == Message.GRAPH);
      case NODE -> readNode(source);
      default -> {
        for (int inner = source.nextField(); inner != 0; inner = source.nextField()) {
          readNested(child, inner, source);
        }
      }
    }
    source.leave(outer);
  }

  private void readNode(MessageSource source) throws IOException, ModelLoadException {
    String domain = "";
    String operator = "";
    List<String> inputs = new ArrayList<>();
    List<String> outputs = new ArrayList<>();
    for (int field = source.nextField(); field != 0; field = source.nextField()) {
      if (!source.isBytes()) {
        source.skip();
        continue;
      }
      switch (field) {
        case NODE_INPUT -> inputs.add(source.readText(MAX_TEXT_BYTES));
        case NODE_OUTPUT -> outputs.add(source.readText(MAX_TEXT_BYTES));
        case NODE_OPERATOR -> operator = source.readText(MAX_TEXT_BYTES);
        case NODE_DOMAIN -> domain = source.readText(MAX_TEXT_BYTES);
        default -> readNested(Message.NODE, field, source);
      }
    }
    operators.node(domain, operator, inputs, outputs);
  }

  private void readOpset(MessageSource source) throws IOException {
    String domain = "";
    long version = 0;
    int outer = source.enter();
    for (int field = source.nextField(); field != 0; field = source.nextField()) {
      if (field == OPSET_DOMAIN && source.isBytes()) {
        domain = source.readText(MAX_TEXT_BYTES);
      } else if (field == OPSET_VERSION && source.isNumber()) {
        version = source.readNumber();
      } else {
        source.skip();
      }
    }
    source.leave(outer);
    opsets.put(domain.isEmpty() ? "ai.onnx" : domain, version);
  }

  private void readTensor(MessageSource source, boolean initializer)
      throws IOException, ModelLoadException {
    String name = "";
    boolean outside = false;
    List<ExternalData.Entry> entries = new ArrayList<>();
    for (int field = source.nextField(); field != 0; field = source.nextField()) {
      if (field == TENSOR_NAME && source.isBytes()) {
        name = source.readText(MAX_TEXT_BYTES);
      } else if (field == TENSOR_EXTERNAL_DATA && source.isBytes()) {
        entries.add(readEntry(source));
      } else if (field == TENSOR_DATA_LOCATION && source.isNumber()) {
        outside |= source.readNumber() == LOCATION_EXTERNAL;
      } else {
        source.skip();
      }
    }
    if (initializer) {
      operators.constant(name);
    }
    if (outside || !entries.isEmpty()) {
      external.check(name, entries);
    }
  }

  private static ExternalData.Entry readEntry(MessageSource source) throws IOException {
    String key = "";
    String value = "";
    int outer = source.enter();
    for (int field = source.nextField(); field != 0; field = source.nextField()) {
      if (field == ENTRY_KEY && source.isBytes()) {
        key = source.readText(MAX_TEXT_BYTES);
      } else if (field == ENTRY_VALUE && source.isBytes()) {
        value = source.readText(MAX_TEXT_BYTES);
      } else {
        source.skip();
      }
    }
    source.leave(outer);
    return new ExternalData.Entry(key, value);
  }
}
