package meridian.onnx.capi;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtProvider;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Set;

/**
 * The functions of {@code OrtApi} in use, by their position in that structure. ONNX Runtime only
 * ever appends to it; {@value #VERSION} is the version that holds the last one named here.
 */
@SuppressWarnings("restricted")
final class OrtApi {

  private static final int VERSION = 16;
  private static final long WHOLE_MEMORY = Long.MAX_VALUE;

  /** Asking loads the library out of its jar. */
  static final Set<OrtProvider> PROVIDERS = OrtEnvironment.getAvailableProviders();

  private static final MemorySegment BASE = base();
  static final String RUNTIME_VERSION = runtimeVersion();
  private static final MemorySegment TABLE = table();

  static final MethodHandle GET_ERROR_MESSAGE = longToLong(pointerAt(TABLE, 2));
  static final OrtFunction RELEASE_STATUS = release(93);

  static final OrtFunction CREATE_ENV_WITH_CUSTOM_LOGGER = function(4, 5);
  static final OrtFunction DISABLE_TELEMETRY_EVENTS = function(6, 1);
  static final OrtFunction RELEASE_ENV = release(92);

  static final OrtFunction CREATE_SESSION_OPTIONS = function(10, 1);
  static final OrtFunction SET_GRAPH_OPTIMIZATION_LEVEL = function(23, 2);
  static final OrtFunction SET_INTRA_OP_THREADS = function(24, 2);
  static final OrtFunction SET_INTER_OP_THREADS = function(25, 2);
  static final OrtFunction DISABLE_MEMORY_PATTERN = function(17, 1);
  static final OrtFunction DISABLE_CPU_ARENA = function(19, 1);
  static final OrtFunction ADD_SESSION_CONFIG_ENTRY = function(130, 3);
  static final OrtFunction RELEASE_SESSION_OPTIONS = release(100);

  static final OrtFunction APPEND_PROVIDER = function(216, 5);
  static final OrtFunction CREATE_CUDA_OPTIONS = function(205, 1);
  static final OrtFunction UPDATE_CUDA_OPTIONS = function(206, 4);
  static final OrtFunction APPEND_CUDA = function(204, 2);
  static final OrtFunction RELEASE_CUDA_OPTIONS = release(208);
  static final OrtFunction CREATE_TENSORRT_OPTIONS = function(171, 1);
  static final OrtFunction UPDATE_TENSORRT_OPTIONS = function(172, 4);
  static final OrtFunction APPEND_TENSORRT = function(170, 2);
  static final OrtFunction RELEASE_TENSORRT_OPTIONS = release(174);
  static final OrtFunction CREATE_DNNL_OPTIONS = function(240, 1);
  static final OrtFunction UPDATE_DNNL_OPTIONS = function(241, 4);
  static final OrtFunction APPEND_DNNL = function(239, 2);
  static final OrtFunction RELEASE_DNNL_OPTIONS = release(243);
  static final OrtFunction CREATE_ROCM_OPTIONS = function(255, 1);
  static final OrtFunction UPDATE_ROCM_OPTIONS = function(256, 4);
  static final OrtFunction APPEND_ROCM = function(153, 2);
  static final OrtFunction RELEASE_ROCM_OPTIONS = release(258);

  static final OrtFunction CREATE_SESSION = function(7, 4);
  static final OrtFunction RUN = function(9, 8);
  static final OrtFunction CREATE_RUN_OPTIONS = function(39, 1);
  static final OrtFunction SET_TERMINATE = function(46, 1);
  static final OrtFunction RELEASE_RUN_OPTIONS = release(97);
  static final OrtFunction INPUT_COUNT = function(30, 2);
  static final OrtFunction OUTPUT_COUNT = function(31, 2);
  static final OrtFunction INPUT_TYPE = function(33, 3);
  static final OrtFunction OUTPUT_TYPE = function(34, 3);
  static final OrtFunction INPUT_NAME = function(36, 4);
  static final OrtFunction OUTPUT_NAME = function(37, 4);
  static final OrtFunction RELEASE_SESSION = release(95);

  static final OrtFunction TYPE_KIND = function(56, 2);
  static final OrtFunction TYPE_AS_TENSOR = function(55, 2);
  static final OrtFunction ELEMENT_TYPE = function(60, 2);
  static final OrtFunction RANK = function(61, 2);
  static final OrtFunction DIMENSIONS = function(62, 3);
  static final OrtFunction DIMENSION_NAMES = function(63, 3);
  static final OrtFunction RELEASE_TYPE = release(98);
  static final OrtFunction RELEASE_TENSOR_TYPE = release(99);

  static final OrtFunction CREATE_CPU_MEMORY_INFO = function(69, 3);
  static final OrtFunction RELEASE_MEMORY_INFO = release(94);
  static final OrtFunction DEFAULT_ALLOCATOR = function(78, 1);
  static final OrtFunction ALLOCATOR_FREE = function(76, 2);

  static final OrtFunction CREATE_TENSOR = function(48, 5);
  static final OrtFunction CREATE_TENSOR_OVER = function(49, 7);
  static final OrtFunction IS_TENSOR = function(50, 2);
  static final OrtFunction TENSOR_TYPE = function(65, 2);
  static final OrtFunction TENSOR_DATA = function(51, 2);
  static final OrtFunction STRINGS_LENGTH = function(53, 2);
  static final OrtFunction STRINGS_CONTENT = function(54, 5);
  static final OrtFunction STRING_BUFFER = function(252, 4);
  static final OrtFunction RELEASE_VALUE = release(96);

  private OrtApi() {}

  /** A zero-terminated UTF-8 string that the library owns. */
  static String text(MemorySegment pointer) {
    return pointer.reinterpret(WHOLE_MEMORY).getString(0);
  }

  private static MemorySegment base() {
    MemorySegment function = SymbolLookup.loaderLookup().findOrThrow("OrtGetApiBase");
    try {
      MethodHandle getBase =
          Linker.nativeLinker()
              .downcallHandle(function, FunctionDescriptor.of(ValueLayout.JAVA_LONG));
      return MemorySegment.ofAddress((long) getBase.invokeExact());
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static MemorySegment table() {
    try {
      long api = (long) longToLong(pointerAt(BASE, 0)).invokeExact((long) VERSION);
      if (api == 0) {
        throw new IllegalStateException(
            "ONNX Runtime: " + RUNTIME_VERSION + " (expected: 1." + VERSION + " or newer)");
      }
      return MemorySegment.ofAddress(api);
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static String runtimeVersion() {
    try {
      MethodHandle getVersion =
          Linker.nativeLinker()
              .downcallHandle(pointerAt(BASE, 1), FunctionDescriptor.of(ValueLayout.JAVA_LONG));
      return text(MemorySegment.ofAddress((long) getVersion.invokeExact()));
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
  }

  private static OrtFunction function(int position, int parameters) {
    return OrtFunction.withStatus(pointerAt(TABLE, position), parameters);
  }

  private static OrtFunction release(int position) {
    return OrtFunction.release(pointerAt(TABLE, position));
  }

  private static MethodHandle longToLong(MemorySegment address) {
    return Linker.nativeLinker()
        .downcallHandle(
            address, FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
  }

  private static MemorySegment pointerAt(MemorySegment structure, int position) {
    return structure.reinterpret(WHOLE_MEMORY).getAtIndex(ValueLayout.ADDRESS, position);
  }
}
