package meridian.onnx.capi;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtProviderOptions;
import ai.onnxruntime.providers.OrtCUDAProviderOptions;
import ai.onnxruntime.providers.OrtTensorRTProviderOptions;
import java.lang.foreign.Arena;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An execution provider other than the CPU's, by its name in configuration. */
public sealed interface Provider {

  /** Adds it to the session options at {@code session}. */
  void append(long session, Map<String, String> options, Arena arena) throws OrtFailure;

  /** The provider of that name, or null when there is no way to add one of that name. */
  static @Nullable Provider named(String name) {
    return switch (name) {
      case "cuda" ->
          new OwnOptions(
              OrtCUDAProviderOptions::new,
              OrtApi.CREATE_CUDA_OPTIONS,
              OrtApi.UPDATE_CUDA_OPTIONS,
              OrtApi.APPEND_CUDA,
              OrtApi.RELEASE_CUDA_OPTIONS);
      case "tensorrt" ->
          new OwnOptions(
              OrtTensorRTProviderOptions::new,
              OrtApi.CREATE_TENSORRT_OPTIONS,
              OrtApi.UPDATE_TENSORRT_OPTIONS,
              OrtApi.APPEND_TENSORRT,
              OrtApi.RELEASE_TENSORRT_OPTIONS);
      case "dnnl" ->
          new OwnOptions(
              null,
              OrtApi.CREATE_DNNL_OPTIONS,
              OrtApi.UPDATE_DNNL_OPTIONS,
              OrtApi.APPEND_DNNL,
              OrtApi.RELEASE_DNNL_OPTIONS);
      case "rocm" ->
          new OwnOptions(
              null,
              OrtApi.CREATE_ROCM_OPTIONS,
              OrtApi.UPDATE_ROCM_OPTIONS,
              OrtApi.APPEND_ROCM,
              OrtApi.RELEASE_ROCM_OPTIONS);
      case "openvino" -> new Registered("OpenVINO");
      case "coreml" -> new Registered("CoreML");
      case "xnnpack" -> new Registered("XNNPACK");
      case "qnn" -> new Registered("QNN");
      case "dml" -> new Registered("DML");
      case "webgpu" -> new Registered("WebGPU");
      case "vitisai" -> new Registered("VitisAI");
      case "migraphx" -> new Registered("MIGraphX");
      case "nvtensorrtrtx" -> new Registered("NvTensorRtRtx");
      default -> null;
    };
  }

  /**
   * One that ONNX Runtime adds by name.
   *
   * @param registration the name in its own spelling
   */
  record Registered(String registration) implements Provider {

    @Override
    public void append(long session, Map<String, String> options, Arena arena) throws OrtFailure {
      OrtApi.APPEND_PROVIDER.call(
          session,
          Strings.pointer(arena, registration),
          Strings.pointers(arena, options.keySet()).address(),
          Strings.pointers(arena, options.values()).address(),
          options.size());
    }
  }

  /**
   * One with functions of its own, and options that are an object.
   *
   * @param unpacked when asked, has the Java API unpack the provider's library beside ONNX
   *     Runtime's, where that looks for it; null where the library is no part of the jar
   */
  record OwnOptions(
      @Nullable Unpacking unpacked,
      OrtFunction create,
      OrtFunction update,
      OrtFunction add,
      OrtFunction release)
      implements Provider {

    @Override
    public void append(long session, Map<String, String> options, Arena arena) throws OrtFailure {
      unpack();
      Slot slot = Slot.in(arena);
      create.call(slot.address());
      try {
        update.call(
            slot.get(),
            Strings.pointers(arena, options.keySet()).address(),
            Strings.pointers(arena, options.values()).address(),
            options.size());
        add.call(session, slot.get());
      } finally {
        release.release(slot.get());
      }
    }

    private void unpack() throws OrtFailure {
      if (unpacked == null) {
        return;
      }
      try (OrtProviderOptions _ = unpacked.unpack()) {
        return;
      } catch (OrtException e) {
        throw new OrtFailure(String.valueOf(e.getMessage()));
      }
    }
  }

  /** See {@link OwnOptions}. */
  @FunctionalInterface
  interface Unpacking {
    OrtProviderOptions unpack() throws OrtException;
  }
}
