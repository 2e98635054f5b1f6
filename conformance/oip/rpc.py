"""The gRPC side, over stubs generated at run time from the project's .proto."""

import importlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from oip import expect
from oip.datatypes import DATA_TYPES
from oip.registry import Skip

HERE = Path(__file__).resolve().parent.parent
PROTOS = {
    HERE.parent / "proto/src/main/protobuf": ["inference.proto"],
    HERE / "proto": ["health.proto", "reflection.proto"],
}
INSTALL = "apt-get install python3-grpcio python3-protobuf protobuf-compiler protobuf-compiler-grpc"
TIMEOUT_SECONDS = 60
MAX_MESSAGE = 128 * 1024 * 1024
SERVICE = "inference.GRPCInferenceService"


def load_stubs():
    """The generated modules by name, and grpc; Skip when something is not installed."""
    try:
        grpc = importlib.import_module("grpc")
        importlib.import_module("google.protobuf")
    except ImportError as error:
        raise Skip(f"{error}: {INSTALL}") from None
    plugin = shutil.which("grpc_python_plugin")
    if shutil.which("protoc") is None or plugin is None:
        raise Skip(f"no protoc or grpc_python_plugin: {INSTALL}")
    with tempfile.TemporaryDirectory(prefix="oip-stubs-") as folder:
        for root, files in PROTOS.items():
            subprocess.run(
                ["protoc", f"-I{root}", f"--python_out={folder}", f"--grpc_python_out={folder}"]
                + [f"--plugin=protoc-gen-grpc_python={plugin}", *files],
                check=True,
            )
        sys.path.insert(0, folder)
        try:
            names = [Path(file).stem for files in PROTOS.values() for file in files]
            modules = {
                name + suffix: importlib.import_module(name + suffix)
                for name in names
                for suffix in ("_pb2", "_pb2_grpc")
            }
        finally:
            sys.path.remove(folder)
    return grpc, modules


class Rpc:
    """One channel to the server, with the stubs of its three services."""

    def __init__(self, address):
        self.address = address
        self.grpc, modules = load_stubs()
        self.pb = modules["inference_pb2"]
        self.health_pb = modules["health_pb2"]
        self.reflection_pb = modules["reflection_pb2"]
        self.channel = self.open()
        self.stub = modules["inference_pb2_grpc"].GRPCInferenceServiceStub(self.channel)
        self.health = modules["health_pb2_grpc"].HealthStub(self.channel)

    def open(self, address=None):
        """A channel of its own, to another address when one is given."""
        limits = ("grpc.max_receive_message_length", "grpc.max_send_message_length")
        options = [(limit, MAX_MESSAGE) for limit in limits]
        return self.grpc.insecure_channel(address or self.address, options=options)

    def close(self):
        self.channel.close()

    def call(self, method, message, **more):
        """A unary call by the method's name."""
        return getattr(self.stub, method)(message, timeout=TIMEOUT_SECONDS, **more)

    def infer(self, message, **more):
        return self.call("ModelInfer", message, **more)

    def error(self, call, *codes):
        """The message of a call that must fail, with one of those codes when any are named."""
        try:
            answer = call()
        except self.grpc.RpcError as error:
            if codes:
                came = f"{error.code().name}: {error.details()}"
                expect.holds("gRPC status", came, error.code().name in codes, " or ".join(codes))
            message = error.details() or ""
            expect.holds("gRPC message", message, message.strip(), "a message")
            return message
        expect.fail("gRPC status", f"OK {answer}", " or ".join(codes) or "an error")

    def fails(self, message, *codes):
        """The message of an inference that must fail."""
        return self.error(lambda: self.infer(message), *codes)

    def raw_infer(self, body):
        """ModelInfer with a message of any bytes."""
        method = self.channel.unary_unary(f"/{SERVICE}/ModelInfer", bytes, bytes)
        return method(body, timeout=TIMEOUT_SECONDS)

    def input(self, name, datatype, shape, values=None):
        """An input; with values they go into the typed contents."""
        tensor = self.pb.ModelInferRequest.InferInputTensor(
            name=name, datatype=datatype, shape=shape
        )
        if values is not None:
            contents = getattr(tensor.contents, DATA_TYPES[datatype].contents)
            strings = datatype == "BYTES"
            contents.extend(
                [v.encode() if isinstance(v, str) else v for v in values] if strings else values
            )
            tensor.contents.SetInParent()
        return tensor

    def output(self, name, **parameters):
        tensor = self.pb.ModelInferRequest.InferRequestedOutputTensor(name=name)
        self._set(tensor.parameters, parameters)
        return tensor

    def request(self, model, inputs, raw=(), outputs=(), id="", version="", parameters=None):
        message = self.pb.ModelInferRequest(
            model_name=model,
            model_version=version,
            id=id,
            inputs=inputs,
            outputs=outputs,
            raw_input_contents=raw,
        )
        self._set(message.parameters, parameters or {})
        return message

    def _set(self, field, parameters):
        for name, value in parameters.items():
            if isinstance(value, bool):
                field[name].bool_param = value
            elif isinstance(value, int) and value < 2**63:
                field[name].int64_param = value
            elif isinstance(value, int):
                field[name].uint64_param = value
            elif isinstance(value, float):
                field[name].double_param = value
            else:
                field[name].string_param = value


def raw_outputs(answer):
    """The raw contents by output name of an answer in the raw form."""
    expect.same("raw_output_contents", len(answer.raw_output_contents), len(answer.outputs))
    for output in answer.outputs:
        expect.holds(output.name, output, not output.HasField("contents"), "no typed contents")
    return {output.name: raw for output, raw in zip(answer.outputs, answer.raw_output_contents)}


def typed_outputs(answer):
    """The values by output name of an answer in the typed form."""
    expect.same("raw_output_contents", len(answer.raw_output_contents), 0)
    return {
        output.name: list(getattr(output.contents, DATA_TYPES[output.datatype].contents))
        for output in answer.outputs
    }


def check_output(answer, name, datatype, shape):
    found = [output for output in answer.outputs if output.name == name]
    expect.same(f"outputs named {name}", len(found), 1)
    expect.same(f"{name}.datatype", found[0].datatype, datatype)
    expect.same(f"{name}.shape", list(found[0].shape), list(shape))
