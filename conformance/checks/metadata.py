"""Server metadata, model metadata and model configuration, and that REST and gRPC agree."""

from oip import expect
from oip.models import tensors_of
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import model_path

SHAPES = {
    "add_sub": ([[-1, 16], [-1, 16]], [[-1, 16], [-1, 16]]),
    "identity_int64": ([[-1, -1]], [[-1, -1]]),
    "scalar": ([[]], [[]]),
    "fixed_batch": ([[1, 4]], [[1, 4]]),
    "gather": ([[-1]], [[-1, 4]]),
}


@check(PROTOCOL, each=("/v2", "/v2/"))
def server(target, path):
    """GET /v2 answers name, version and extensions."""
    body = target.rest.get(path).ok()
    for name in ("name", "version"):
        expect.holds(name, body, expect.member("server", body, name, str), "not empty")
    for extension in expect.member("server", body, "extensions", list):
        expect.holds("extensions", extension, isinstance(extension, str), "strings")


@check(PROTOCOL)
def binary_extension_is_advertised(target):
    """A server that speaks the binary tensor extension names it."""
    extensions = target.rest.get("/v2").ok()["extensions"]
    expect.holds("extensions", extensions, "binary_tensor_data" in extensions, "binary_tensor_data")


@check(PROTOCOL)
def grpc_server_agrees(target):
    """ServerMetadata says what GET /v2 says."""
    rpc = target.rpc
    answer = rpc.call("ServerMetadata", rpc.pb.ServerMetadataRequest())
    body = target.rest.get("/v2").ok()
    expect.same("name", answer.name, body["name"])
    expect.same("version", answer.version, body["version"])
    expect.same("extensions", sorted(answer.extensions), sorted(body["extensions"]))


def check_tensors(what, tensors, names, shapes=None):
    for position, tensor in enumerate(tensors):
        datatype = expect.member(what, tensor, "datatype", str)
        expect.same(f"{what}.datatype", datatype, names[expect.member(what, tensor, "name", str)])
        for size in expect.member(what, tensor, "shape", list):
            expect.holds(f"{what}.shape", size, type(size) is int and size >= -1, "sizes or -1")
        if shapes is not None:
            expect.same(f"{what}.shape", tensor["shape"], shapes[position])


@check(PROTOCOL, needs="{}", each=SHAPES)
def model(target, name):
    """GET /v2/models/{m} answers name, versions, platform, inputs and outputs."""
    body = target.rest.get(model_path(name)).ok()
    expect.same("name", expect.member("model", body, "name", str), name)
    expect.member("model", body, "platform", str)
    for version in body.get("versions", []):
        expect.holds("versions", version, isinstance(version, str), "strings")
    for side, names in zip(("inputs", "outputs"), tensors_of(name)):
        check_tensors(side, expect.member("model", body, side, list), names)


@check(STRICT, needs="{}", each=SHAPES)
def model_shapes(target, name):
    """Shapes in the metadata are whole, with -1 for a variable dimension and [] for rank 0, and
    tensors come in the order of the graph."""
    body = target.rest.get(model_path(name)).ok()
    for side, names, shapes in zip(("inputs", "outputs"), tensors_of(name), SHAPES[name]):
        expect.same(side, [tensor["name"] for tensor in body[side]], list(names))
        check_tensors(side, body[side], names, shapes)


@check(PROTOCOL, needs="versions", each=("1", "2"))
def model_version(target, version):
    """GET /v2/models/{m}/versions/{v} answers for that version and lists all that are served."""
    body = target.rest.get(model_path("versions", version)).ok()
    expect.same("name", body["name"], "versions")
    expect.holds("versions", body["versions"], version in body["versions"], f"{version} among them")


@check(STRICT, needs="versions")
def model_versions(target):
    """The metadata of a model lists every version that is served."""
    body = target.rest.get(model_path("versions")).ok()
    expect.same("versions", sorted(body["versions"]), ["1", "2"])


@check(PROTOCOL, needs="{}", each=SHAPES)
def grpc_model_agrees(target, name):
    """ModelMetadata says what GET /v2/models/{m} says."""
    rpc = target.rpc
    answer = rpc.call("ModelMetadata", rpc.pb.ModelMetadataRequest(name=name))
    body = target.rest.get(model_path(name)).ok()
    expect.same("name", answer.name, body["name"])
    expect.same("platform", answer.platform, body["platform"])
    expect.same("versions", list(answer.versions), body.get("versions", []))
    for side in ("inputs", "outputs"):
        tensors = [
            {"name": t.name, "datatype": t.datatype, "shape": list(t.shape)}
            for t in getattr(answer, side)
        ]
        expect.same(side, tensors, [{k: t[k] for k in tensors[0]} for t in body[side]])


@check(STRICT, needs="add_sub")
def grpc_properties_agree(target):
    """The properties of a model are the same in both protocols."""
    rpc = target.rpc
    answer = rpc.call("ModelMetadata", rpc.pb.ModelMetadataRequest(name="add_sub"))
    body = target.rest.get(model_path("add_sub")).ok()
    expect.same("properties", dict(answer.properties), body.get("properties", {}))


@check(PROTOCOL, needs="linear")
def config(target):
    """GET /v2/models/{m}/config answers the configuration, tensors in the names of ModelConfig."""
    body = target.rest.get(model_path("linear") + "/config").ok()
    expect.same("name", expect.member("config", body, "name", str), "linear")
    expect.same("max_batch_size", int(body["max_batch_size"]), 8)
    for side, name, dims in (("input", "x", [4]), ("output", "y", [3])):
        tensors = expect.member("config", body, side, list)
        expect.same(f"{side}.name", [tensor["name"] for tensor in tensors], [name])
        expect.same(f"{side}.data_type", tensors[0]["data_type"], "TYPE_FP32")
        expect.same(f"{side}.dims", [int(dim) for dim in tensors[0]["dims"]], dims)
    expect.same("label_filename", body["output"][0].get("label_filename"), "labels.txt")


@check(PROTOCOL, needs="versions", each=("1", "2"))
def config_of_version(target, version):
    """GET /v2/models/{m}/versions/{v}/config."""
    body = target.rest.get(model_path("versions", version) + "/config").ok()
    expect.same("name", body["name"], "versions")


@check(PROTOCOL, needs="linear")
def grpc_config_agrees(target):
    """ModelConfig says what the config endpoint says."""
    rpc = target.rpc
    answer = rpc.call("ModelConfig", rpc.pb.ModelConfigRequest(name="linear")).config
    body = target.rest.get(model_path("linear") + "/config").ok()
    expect.same("name", answer.name, body["name"])
    expect.same("platform", answer.platform, body.get("platform", ""))
    expect.same("max_batch_size", answer.max_batch_size, int(body["max_batch_size"]))
    expect.same("input", [(i.name, list(i.dims)) for i in answer.input], [("x", [4])])
    expect.same("output", [(o.name, list(o.dims)) for o in answer.output], [("y", [3])])
    expect.same("data_type", answer.input[0].data_type, rpc.pb.TYPE_FP32)
    expect.same("label_filename", answer.output[0].label_filename, "labels.txt")


@check(PROTOCOL, each=("", "/config", "/stats"))
def unknown_model(target, what):
    """Metadata, configuration and statistics of an unknown model are errors with a message."""
    target.rest.get(model_path("no-such-model") + what).error()


@check(STRICT, needs="add_sub", each=("", "/config", "/stats"))
def unknown_model_is_404(target, what):
    """An unknown model or version is 404."""
    target.rest.get(model_path("no-such-model") + what).error(404)
    target.rest.get(model_path("add_sub", 77) + what).error(404)


@check(STRICT, needs="add_sub", each=("ModelMetadata", "ModelConfig", "ModelStatistics"))
def grpc_unknown_model_is_not_found(target, method):
    """An unknown model or version is NOT_FOUND."""
    rpc = target.rpc
    for name, version in (("no-such-model", ""), ("add_sub", "77")):
        message = getattr(rpc.pb, method + "Request")(name=name, version=version)
        rpc.error(lambda: rpc.call(method, message), "NOT_FOUND")


@check(STRICT, needs="linear-v1.0.1")
def name_with_dots(target):
    """A name with dots and dashes works in every place (metadata, readiness, inference)."""
    name = "linear-v1.0.1"
    for path in ("", "/ready", "/config", "/stats"):
        target.rest.get(model_path(name) + path).expect(200)
    data = {"name": "x", "datatype": "FP32", "shape": [1, 4], "data": [1, 2, 3, 4]}
    target.rest.infer(name, {"inputs": [data]}).ok()
    rpc = target.rpc
    answer = rpc.infer(rpc.request(name, [rpc.input("x", "FP32", [1, 4], [1, 2, 3, 4])]))
    expect.same("model_name", answer.model_name, name)
