"""Repository index, load and unload. Only the fixture `reload` is ever unloaded."""

import base64
import json

from oip import expect
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import model_path, request, tensor, values_of

STATES = ("UNKNOWN", "READY", "UNAVAILABLE", "LOADING", "UNLOADING")
INDEX = "/v2/repository/index"
X = request(tensor("x", "FP32", [1, 1], [0]))


def control(target, action, model="reload", body=None):
    return target.rest.post(f"/v2/repository/models/{model}/{action}", body or {})


def states_of(target, model="reload"):
    entries = target.rest.post(INDEX, {}).ok()
    return [entry["state"] for entry in entries if entry["name"] == model]


def check_serves(target):
    answer = target.rest.infer("reload", X).ok()
    expect.same("version", values_of(answer, "version", "INT64", [1, 1]), [1])


@check(PROTOCOL, needs="add_sub")
def index(target):
    """POST /v2/repository/index lists name, version, state and reason of every version."""
    entries = target.rest.post(INDEX, {}).ok()
    expect.holds("index", entries, isinstance(entries, list), "an array")
    for entry in entries:
        expect.member("index entry", entry, "name", str)
        expect.one_of("state", entry.get("state", "UNKNOWN"), STATES)
        expect.holds("version", entry, isinstance(entry.get("version", ""), str), "a string")
        expect.holds("reason", entry, isinstance(entry.get("reason", ""), str), "a string")
    ready = {entry["name"] for entry in entries if entry.get("state") == "READY"}
    expect.holds("ready models", sorted(ready), "add_sub" in ready, "add_sub among them")


@check(STRICT, needs="add_sub")
def index_without_body(target):
    """An empty body asks for everything, as {} does."""
    with_body = target.rest.post(INDEX, {}).ok()
    expect.same("index", target.rest.post(INDEX).ok(), with_body)
    expect.same("index", target.rest.post(INDEX, {"ready": False}).ok(), with_body)


@check(PROTOCOL, needs=("add_sub", "reload"))
def index_of_ready(target):
    """{"ready":true} lists ready models only."""
    control(target, "unload").expect(200)
    try:
        entries = target.rest.post(INDEX, {"ready": True}).ok()
        names = {entry["name"] for entry in entries}
        expect.holds("index", sorted(names), "reload" not in names, "no unloaded model")
        expect.holds("index", sorted(names), "add_sub" in names, "add_sub")
    finally:
        control(target, "load").expect(200)


@check(STRICT, each=("text", "5", "[]", '{"ready":"yes"}', "{", "null"))
def index_of_faulty_body(target, body):
    """A faulty body is 400."""
    target.rest.post(INDEX, body.encode(), {"Content-Type": "application/json"}).error(400)


@check(PROTOCOL, needs="versions")
def index_lists_versions(target):
    """Each version of a model has an entry of its own."""
    entries = target.rest.post(INDEX, {}).ok()
    versions = sorted(entry["version"] for entry in entries if entry["name"] == "versions")
    expect.same("versions", versions, ["1", "2"])


@check(PROTOCOL, needs="add_sub")
def grpc_index_agrees(target):
    """RepositoryIndex says what the index says."""
    rpc = target.rpc
    answer = rpc.call("RepositoryIndex", rpc.pb.RepositoryIndexRequest())
    came = sorted((model.name, model.version, model.state) for model in answer.models)
    entries = target.rest.post(INDEX, {}).ok()
    expected = sorted(
        (entry["name"], entry.get("version", ""), entry.get("state", "")) for entry in entries
    )
    expect.same("index", came, expected)
    only_ready = rpc.call("RepositoryIndex", rpc.pb.RepositoryIndexRequest(ready=True))
    expect.one_of("state", "".join({model.state for model in only_ready.models}), ["READY"])


@check(PROTOCOL, needs="reload")
def unload_and_load(target):
    """After unload a model is not ready and answers nothing; after load it serves again."""
    check_serves(target)
    control(target, "unload").expect(200)
    try:
        expect.holds("state", states_of(target), "READY" not in states_of(target), "not READY")
        target.rest.get(model_path("reload") + "/ready").error(400, 404, 503)
        target.rest.infer("reload", X).error(400, 404, 503)
    finally:
        control(target, "load").expect(200)
    target.rest.get(model_path("reload") + "/ready").expect(200)
    expect.same("state", states_of(target), ["READY"])
    check_serves(target)


@check(STRICT, needs="reload")
def unloaded_model_is_404(target):
    """An unloaded model is 404, or 503 while it is told to come back; the index gives a reason."""
    control(target, "unload").expect(200)
    try:
        target.rest.infer("reload", X).error(404, 503)
        entries = [e for e in target.rest.post(INDEX, {}).ok() if e["name"] == "reload"]
        for entry in entries:
            expect.same("state", entry["state"], "UNAVAILABLE")
            expect.holds("reason", entry, entry.get("reason"), "a reason")
    finally:
        control(target, "load").expect(200)


@check(STRICT, needs="reload", each=("load", "unload"))
def answer_is_empty(target, action):
    """Load and unload answer 200 with an empty body."""
    try:
        expect.same("body", control(target, action).expect(200).body, b"")
    finally:
        control(target, "load").expect(200)


@check(PROTOCOL, needs="reload")
def load_of_loaded(target):
    """Loading a model that serves loads it anew, without a gap."""
    control(target, "load").expect(200)
    check_serves(target)


@check(STRICT, needs="reload")
def load_without_body(target):
    """The body of load and unload is optional."""
    target.rest.post("/v2/repository/models/reload/load").expect(200)
    check_serves(target)


@check(PROTOCOL, needs="reload")
def grpc_unload_and_load(target):
    """RepositoryModelUnload and RepositoryModelLoad."""
    rpc = target.rpc
    unload = rpc.pb.RepositoryModelUnloadRequest(model_name="reload")
    load = rpc.pb.RepositoryModelLoadRequest(model_name="reload")
    inference = rpc.request("reload", [rpc.input("x", "FP32", [1, 1], [0])])
    rpc.call("RepositoryModelUnload", unload)
    try:
        rpc.fails(inference, "NOT_FOUND", "UNAVAILABLE", "INVALID_ARGUMENT")
    finally:
        rpc.call("RepositoryModelLoad", load)
    expect.same("model_name", rpc.infer(inference).model_name, "reload")


@check(PROTOCOL, each=("load", "unload"))
def of_unknown_model(target, action):
    """Loading a model that is not in the repository is an error, each time."""
    if action == "load":
        for _ in range(3):
            control(target, action, "no-such-model").error()
    else:
        reply = control(target, action, "no-such-model")
        expect.holds("status", reply.status, reply.status < 500, "below 500")


@check(STRICT, each=("load", "unload"))
def of_unknown_model_is_404(target, action):
    """Loading or unloading an unknown model is 404, NOT_FOUND, each time the same."""
    first = control(target, action, "no-such-model").error(404)
    for _ in range(2):
        expect.same("error", control(target, action, "no-such-model").error(404), first)
    rpc = target.rpc
    method = f"RepositoryModel{action.capitalize()}"
    message = getattr(rpc.pb, method + "Request")(model_name="no-such-model")
    rpc.error(lambda: rpc.call(method, message), "NOT_FOUND")


BROKEN = {
    "no model": b"this is no ONNX file",
    "empty": b"",
    "half a field": b"\x08\x07\x3a\xff\xff",
}


@check(STRICT, needs="reload", each=BROKEN)
def failed_load_keeps_serving(target, case):
    """A load whose file is broken is an error each time it is tried, and what served goes on."""
    content = base64.b64encode(BROKEN[case]).decode()
    config = json.dumps({"backend": "onnxruntime"})
    body = {"parameters": {"config": config, "file:1/model.onnx": content}}
    try:
        first = control(target, "load", body=body).error()
        check_serves(target)
        second = control(target, "load", body=body).error()
        expect.same("second error", second, first)
        check_serves(target)
    finally:
        control(target, "load").expect(200)
    check_serves(target)


@check(STRICT, needs="reload")
def load_with_config(target):
    """The parameter config stands in place of the repository's configuration."""
    config = json.dumps({"max_batch_size": 3, "backend": "onnxruntime"})
    control(target, "load", body={"parameters": {"config": config}}).expect(200)
    try:
        body = target.rest.get(model_path("reload") + "/config").ok()
        expect.same("max_batch_size", int(body["max_batch_size"]), 3)
        check_serves(target)
    finally:
        control(target, "load").expect(200)


CONFIGS = {
    "not JSON": "{",
    "unknown field": '{"max_batch_sise": 3}',
    "text for a number": '{"max_batch_size": "many"}',
    "against the graph": '{"input":[{"name":"z","data_type":"TYPE_FP32","dims":[1]}]}',
    "an array": "[]",
}


@check(STRICT, needs="reload", each=CONFIGS)
def load_with_faulty_config(target, case):
    """A configuration that cannot be read, or contradicts the graph, is an error that says why;
    what served goes on."""
    body = {"parameters": {"config": CONFIGS[case]}}
    try:
        reply = control(target, "load", body=body)
        message = reply.error()
        expect.holds("status", reply.status, reply.status < 500, "below 500")
        expect.holds("error message", message, len(message) > 10, "a reason")
        check_serves(target)
    finally:
        control(target, "load").expect(200)


FILES = (
    "file:../../escape/1/model.onnx",
    "file:1/../../../escape",
    "file:/etc/passwd",
    "file:1/..",
    "file:",
    "file:1",
    "file:1\\..\\x",
    "file:a/model.onnx",
)


@check(STRICT, needs="reload", each=FILES)
def file_that_leaves_the_folder(target, name):
    """A file: parameter whose path is no <version>/<file> is 400, whatever lies there."""
    body = {"parameters": {"config": "{}", name: "AAAA"}}
    try:
        control(target, "load", body=body).error(400)
        rpc = target.rpc
        message = rpc.pb.RepositoryModelLoadRequest(model_name="reload")
        message.parameters["config"].string_param = "{}"
        message.parameters[name].bytes_param = b"\0\0\0"
        rpc.error(lambda: rpc.call("RepositoryModelLoad", message), "INVALID_ARGUMENT")
        check_serves(target)
    finally:
        control(target, "load").expect(200)


@check(STRICT, needs="reload")
def load_with_file(target):
    """A file: parameter stands in place of the repository's file."""
    rpc = target.rpc
    message = rpc.pb.RepositoryModelLoadRequest(model_name="reload")
    message.parameters["config"].string_param = json.dumps({"backend": "onnxruntime"})
    message.parameters["file:1/model.onnx"].bytes_param = constant_model(5)
    try:
        rpc.call("RepositoryModelLoad", message)
        answer = target.rest.infer("reload", X).ok()
        expect.same("version", values_of(answer, "version", "INT64", [1, 1]), [5])
    finally:
        control(target, "load").expect(200)
    check_serves(target)


def field(number, content):
    """A protobuf field: a varint for an int, else length-delimited."""
    if isinstance(content, int):
        return varint(number << 3) + varint(content)
    data = content.encode() if isinstance(content, str) else content
    return varint(number << 3 | 2) + varint(len(data)) + data


def varint(value):
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes(out) + bytes([value])


def constant_model(value):
    """ONNX: x FP32 [n,1] → version INT64 [n,1], all `value`, by Shape and ConstantOfShape."""

    def tensor_info(name, kind):
        dims = field(1, field(2, "n")) + field(1, field(1, 1))
        return field(1, name) + field(2, field(1, field(1, kind) + field(2, dims)))

    constant = field(1, 1) + field(2, 7) + field(9, value.to_bytes(8, "little"))
    attribute = field(1, "value") + field(5, constant) + field(20, 4)
    shape = field(1, "x") + field(2, "shape") + field(4, "Shape")
    fill = (
        field(1, "shape") + field(2, "version") + field(4, "ConstantOfShape") + field(5, attribute)
    )
    graph = field(1, shape) + field(1, fill) + field(2, "constant")
    graph += field(11, tensor_info("x", 1)) + field(12, tensor_info("version", 7))
    return field(1, 8) + field(7, graph) + field(8, field(1, "") + field(2, 17))
