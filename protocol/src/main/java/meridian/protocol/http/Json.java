package meridian.protocol.http;

/** The names of the protocol's JSON. */
final class Json {

  static final String ID = "id";
  static final String MODEL_NAME = "model_name";
  static final String MODEL_VERSION = "model_version";
  static final String PARAMETERS = "parameters";
  static final String INPUTS = "inputs";
  static final String OUTPUTS = "outputs";
  static final String NAME = "name";
  static final String SHAPE = "shape";
  static final String DATATYPE = "datatype";
  static final String DATA = "data";

  static final String BINARY_DATA = "binary_data";
  static final String BINARY_DATA_SIZE = "binary_data_size";
  static final String CLASSIFICATION = "classification";
  static final String CONTENT_ENCODING = "content_encoding";
  static final String BASE64 = "base64";

  private Json() {}
}
