"""What is wrong is refused, with the right status and a message that names the field."""

import json
import random

from checks.inference import LEFT, RIGHT, add_sub, check_add_sub
from oip import expect
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import JSON, request, tensor, values_of, wanted

GOOD = request(tensor("INPUT0", "FP32", [2, 2], [1, 2, 3, 4]))
TEXT = json.dumps(GOOD).encode()


def with_input(**changes):
    """The good request with members of its input changed, or removed where None is given."""
    changed = {**GOOD["inputs"][0], **changes}
    return json.dumps({"inputs": [{k: v for k, v in changed.items() if v is not ...}]}).encode()


# Bodies by name, each with the path that the message begins with ("" where there is no field).
MALFORMED = {
    "shape is text": (with_input(shape="-1"), "inputs[0].shape"),
    "shape holds a fraction": (with_input(shape=[1.5]), "inputs[0].shape"),
    "shape holds null": (with_input(shape=[None]), "inputs[0].shape"),
    "shape is negative": (with_input(shape=[-1, 2]), "inputs[0].shape"),
    "shape is missing": (with_input(shape=...), "inputs[0]"),
    "shape overflows": (with_input(shape=[2**62, 2**62]), "inputs[0].shape"),
    "shape beyond 64 bits": (with_input(shape=[2**70, 2]), "inputs[0].shape"),
    "datatype is unknown": (with_input(datatype="FP31"), "inputs[0].datatype"),
    "datatype is a number": (with_input(datatype=32), "inputs[0].datatype"),
    "datatype is missing": (with_input(datatype=...), "inputs[0]"),
    "datatype is another": (with_input(datatype="INT32"), "inputs[0].datatype"),
    "name is missing": (with_input(name=...), "inputs[0]"),
    "name is a number": (with_input(name=7), "inputs[0].name"),
    "data is missing": (with_input(data=...), "inputs[0]"),
    "data holds an object": (with_input(data=[{"b64": "AA=="}]), "inputs[0].data"),
    "data is an object": (with_input(data={"a": 1}), "inputs[0].data"),
    "data is null": (with_input(data=None), "inputs[0].data"),
    "data holds null": (with_input(data=[1, 2, None, 4]), "inputs[0].data"),
    "data too short": (with_input(data=[1, 2, 3]), "inputs[0].data"),
    "data too long": (with_input(data=[1, 2, 3, 4, 5]), "inputs[0].data"),
    "data ragged": (with_input(data=[[1, 2], [3]]), "inputs[0].data"),
    "data flat and nested": (with_input(data=[1, 2, [3, 4]]), "inputs[0].data"),
    "data nested as another shape": (with_input(data=[[1, 2, 3, 4]]), "inputs[0].data"),
    "data nested too deep": (with_input(data=[[[1, 2], [3, 4]]]), "inputs[0].data"),
    "parameters are an array": (with_input(parameters=[]), "inputs[0].parameters"),
    "inputs is an object": (b'{"inputs":{}}', "inputs"),
    "inputs is null": (b'{"inputs":null}', "inputs"),
    "inputs holds null": (b'{"inputs":[null]}', "inputs[0]"),
    "inputs is missing": (b"{}", "inputs"),
    "outputs is an object": (TEXT[:-1] + b',"outputs":{}}', "outputs"),
    "outputs holds text": (TEXT[:-1] + b',"outputs":["OUTPUT0"]}', "outputs[0]"),
    "id is a number": (TEXT[:-1] + b',"id":5}', "id"),
    "parameters is text": (TEXT[:-1] + b',"parameters":"a"}', "parameters"),
    "body is an array": (b"[]", ""),
    "body is null": (b"null", ""),
    "body is empty": (b"", ""),
    "body is white": (b"  \n ", ""),
    "body is cut": (TEXT[: len(TEXT) // 2], ""),
    "body is two documents": (TEXT + TEXT, ""),
    "body has a tail": (TEXT + b"x", ""),
    "body is not UTF-8": (TEXT.replace(b"OUTPUT0", b"\xff").replace(b"FP32", b"FP\xff2"), ""),
    "body has a comma too many": (TEXT[:-1] + b",}", ""),
    "body has single quotes": (TEXT.replace(b'"', b"'"), ""),
    "number is no JSON": (TEXT.replace(b"[1, 2, 3, 4]", b"[01, 2, 3, +4]"), ""),
}


@check(PROTOCOL, needs="identity_fp32", each=MALFORMED)
def malformed_body(target, case):
    """A faulty body is an error of the client with {"error":…}, and the server goes on."""
    reply = target.rest.infer("identity_fp32", MALFORMED[case][0], JSON)
    reply.error()
    expect.holds("status", reply.status, reply.status < 500, "below 500")
    target.rest.infer("identity_fp32", GOOD).expect(200)


@check(STRICT, needs="identity_fp32", each=MALFORMED)
def malformed_body_is_400(target, case):
    """A faulty body is 400 with a message that names the field, and the same connection serves the
    next request."""
    body, path = MALFORMED[case]
    with target.rest.connect() as connection:
        message = target.rest.infer("identity_fp32", body, JSON, on=connection).error(400)
        if path:
            expect.message_at(message, path)
        target.rest.infer("identity_fp32", GOOD, on=connection).expect(200)


def other_tensors():
    one = tensor("INPUT0", "FP32", [1, 16], LEFT)
    two = tensor("INPUT1", "FP32", [1, 16], RIGHT)
    three = {**two, "name": "INPUT2"}
    return {
        "input missing": (request(one), "inputs", "INPUT1"),
        "input unknown": (request(one, two, three), "inputs[2].name", "INPUT2"),
        "input repeated": (request(one, two, one), "inputs[2].name", "INPUT0"),
        "rank too low": (request({**one, "shape": [16]}, two), "inputs[0].shape", "16"),
        "dimension wrong": (
            request({**one, "shape": [2, 8]}, two),
            "inputs[0].shape",
            "[2,8]",
        ),
        "rows differ": (
            request(one, {**two, "shape": [2, 16], "data": RIGHT * 2}),
            "inputs[1].shape",
            "2",
        ),
        "output unknown": (add_sub(outputs=[wanted("OUTPUT9")]), "outputs[0].name", "OUTPUT9"),
        "output repeated": (
            add_sub(outputs=[wanted("OUTPUT0"), wanted("OUTPUT0")]),
            "outputs[1].name",
            "OUTPUT0",
        ),
        "output without name": (add_sub(outputs=[{}]), "outputs[0]", "name"),
    }


TENSORS = tuple(other_tensors())


@check(PROTOCOL, needs="add_sub", each=TENSORS)
def wrong_tensors(target, case):
    """Missing, unknown or repeated tensors, and shapes the model cannot take, are errors."""
    reply = target.rest.infer("add_sub", other_tensors()[case][0])
    reply.error()
    expect.holds("status", reply.status, reply.status < 500, "below 500")


@check(STRICT, needs="add_sub", each=TENSORS)
def wrong_tensors_are_400(target, case):
    """Tensors that do not fit the model are 400, and each cause has a message of its own."""
    document, path, part = other_tensors()[case]
    message = target.rest.infer("add_sub", document).error(400)
    expect.message_at(message, path)
    expect.holds("error message", message, part in message.replace(" ", ""), part)


@check(STRICT, needs="identity_fp32")
def message_counts_elements(target):
    """The message gives what came and what was expected: 7 elements, 8 for shape [2,4]."""
    document = request(tensor("INPUT0", "FP32", [2, 4], [1] * 7))
    message = target.rest.infer("identity_fp32", document).error(400)
    expect.message_at(message, "inputs[0].data")
    for part in ("7", "8", "[2,4]"):
        expect.holds("error message", message, part in message.replace(" ", ""), part)


DEPTH = 100_000
NESTS = {
    "data": '{"inputs":[{"name":"INPUT0","datatype":"FP32","shape":[1,1],"data":%s}]}',
    "unknown field": TEXT.decode()[:-1] + ',"other":%s}',
    "parameters": TEXT.decode()[:-1] + ',"parameters":{"a":%s}}',
}


def deep(target, where, opening, closing):
    body = NESTS[where] % (opening * DEPTH + "1" + closing * DEPTH)
    return target.rest.infer("identity_fp32", body.encode(), JSON)


@check(PROTOCOL, needs="identity_fp32", each=NESTS)
def deep_nesting(target, where):
    """Nesting of 100,000 levels is refused with 400 and hurts nobody else."""
    deep(target, where, "[", "]").error(400, 413)
    target.rest.infer("identity_fp32", GOOD).expect(200)


@check(STRICT, needs="identity_fp32", each=NESTS)
def deep_objects(target, where):
    """The same of objects in objects."""
    deep(target, where, '{"a":', "}").error(400)


CONTENT_TYPES = (
    "application/json",
    "application/json; charset=utf-8",
    "application/x-www-form-urlencoded",
    "text/plain",
    "application/octet-stream",
    "none",
)


@check(PROTOCOL, needs="add_sub", each=CONTENT_TYPES)
def content_type(target, kind):
    """A good JSON body under another or no content type is served or refused, never a fault."""
    headers = {} if kind == "none" else {"Content-Type": kind}
    reply = target.rest.infer("add_sub", json.dumps(add_sub()).encode(), headers)
    reply.expect(200, 400, 415)
    if reply.status == 200:
        check_add_sub(reply.ok())
    return f"answered {reply.status}"


@check(STRICT, needs="add_sub", each=CONTENT_TYPES[:3])
def content_type_served(target, kind):
    """JSON with or without charset, and curl -d's default type, are served."""
    body = json.dumps(add_sub()).encode()
    check_add_sub(target.rest.infer("add_sub", body, {"Content-Type": kind}).ok())


@check(STRICT, needs="add_sub", each=("image/png", "multipart/form-data; boundary=x", "text/html"))
def content_type_refused(target, kind):
    """A media type that cannot be a request is 415, or the body is read as JSON all the same."""
    body = json.dumps(add_sub()).encode()
    reply = target.rest.infer("add_sub", body, {"Content-Type": kind}).expect(200, 415)
    if reply.status == 415:
        reply.error()
    return f"answered {reply.status}"


@check(PROTOCOL)
def unknown_model(target):
    """Inference with an unknown model is an error."""
    target.rest.infer("no-such-model", GOOD).error()


@check(STRICT, needs="add_sub")
def unknown_model_is_404(target):
    """An unknown model, an unknown version and a version that is no number are refused."""
    target.rest.infer("no-such-model", GOOD).error(404)
    target.rest.infer("add_sub", add_sub(), version="77").error(404)
    for version in ("01", "-1", "abc", "0", "9223372036854775808"):
        target.rest.infer("add_sub", add_sub(), version=version).error(400, 404)


@check(STRICT)
def unknown_model_is_told_first(target):
    """An unknown model is 404 whatever is wrong with the body, over REST and gRPC alike."""
    target.rest.infer("no-such-model", b"{", JSON).error(404)
    rpc = target.rpc
    surplus = rpc.request("no-such-model", [], raw=[b"x"])
    rpc.error(lambda: rpc.call("ModelInfer", surplus), "NOT_FOUND")


PATHS = (
    "/",
    "/v1",
    "/v2/nothing",
    "/v2/models/add_sub/nothing",
    "/v2/models/add_sub/versions/1/nothing",
    "/v2/models/add_sub/infer/nothing",
    "/v2/health",
    "/v2/health/nothing",
    "/v2/repository/nothing",
    "/V2/health/live",
)


@check(PROTOCOL, each=PATHS[2:])
def unknown_path(target, path):
    """A path outside the protocol is an error."""
    status = target.rest.get(path).status
    expect.holds("status", status, 400 <= status < 500, "an error of the client")


@check(STRICT, each=PATHS)
def unknown_path_is_404(target, path):
    """A path outside the protocol is 404 with {"error":…}."""
    target.rest.get(path).error(404)


METHODS = {
    "GET infer": ("GET", "/v2/models/add_sub/infer"),
    "PUT infer": ("PUT", "/v2/models/add_sub/infer"),
    "DELETE model": ("DELETE", "/v2/models/add_sub"),
    "POST model": ("POST", "/v2/models/add_sub"),
    "POST live": ("POST", "/v2/health/live"),
    "POST ready": ("POST", "/v2/models/add_sub/ready"),
    "POST server": ("POST", "/v2"),
    "POST stats": ("POST", "/v2/models/add_sub/stats"),
    "GET index": ("GET", "/v2/repository/index"),
    "GET load": ("GET", "/v2/repository/models/add_sub/load"),
    "PATCH infer": ("PATCH", "/v2/models/add_sub/infer"),
}


@check(STRICT, needs="add_sub", each=METHODS)
def wrong_method(target, case):
    """A method that the path does not have is 405 with {"error":…}."""
    method, path = METHODS[case]
    target.rest.call(method, path).error(405)


@check(STRICT, needs="add_sub", each=("GET infer", "POST live", "GET index"))
def wrong_method_names_the_right_one(target, case):
    """405 says in Allow which methods the path has (RFC 9110, 15.5.6)."""
    method, path = METHODS[case]
    reply = target.rest.call(method, path).expect(405)
    right = "POST" if method == "GET" else "GET"
    allow = reply.headers.get("Allow", "")
    expect.holds("Allow", allow, right in allow, right)


@check(STRICT, needs="gather", each=("8", "-9", "9223372036854775807"))
def failing_model(target, row):
    """A model that fails while it executes is 500, INTERNAL; the server and the model go on."""
    bad = request(tensor("ids", "INT64", [1], [int(row)]))
    target.rest.infer("gather", bad).error(500)
    rpc = target.rpc
    rpc.fails(rpc.request("gather", [rpc.input("ids", "INT64", [1], [int(row)])]), "INTERNAL")
    answer = target.rest.infer("gather", request(tensor("ids", "INT64", [2], [1, 7]))).ok()
    values = values_of(answer, "rows", "FP32", [2, 4])
    expect.close("rows", values, [10, 11, 12, 13, 70, 71, 72, 73], 0)


def mutated(source, body):
    """The body with a few bytes changed, removed, doubled or added."""
    data = bytearray(body)
    for _ in range(source.randint(1, 4)):
        at = source.randrange(len(data) or 1)
        choice = source.randrange(4)
        if choice == 0 and data:
            data[at % len(data)] = source.randrange(256)
        elif choice == 1:
            del data[at : at + source.randint(1, 9)]
        elif choice == 2:
            data[at:at] = data[at : at + source.randint(1, 30)]
        else:
            data[at:at] = source.choice(
                (b"[", b"{", b'"', b",", b"\\u", b"1e999", b"null", b"\xff")
            )
    return bytes(data)


@check(STRICT, needs="identity_fp32")
def any_bytes_as_json(target):
    """Whatever the body, the status is of the table: 200 or an error of the client, never a 5xx, a
    hang or a dropped connection. 400 bodies, seeded."""
    source = random.Random(20_260_101)
    with target.rest.connect() as connection:
        for _ in range(400):
            body = mutated(source, TEXT)
            reply = target.rest.infer("identity_fp32", body, JSON, on=connection)
            if reply.status not in (200, 400, 404, 413, 415, 422):
                expect.fail(
                    f"status of {body!r}", f"{reply.status} {reply.body[:200]!r}", "4xx or 200"
                )


@check(STRICT, needs="identity_fp32")
def any_bytes_as_message(target):
    """The same for gRPC messages: OK, INVALID_ARGUMENT, NOT_FOUND or RESOURCE_EXHAUSTED."""
    rpc = target.rpc
    source = random.Random(20_260_102)
    good = rpc.request(
        "identity_fp32", [rpc.input("INPUT0", "FP32", [2, 2], [1, 2, 3, 4])], id="fuzz"
    ).SerializeToString()
    for _ in range(400):
        body = mutated(source, good)
        try:
            rpc.raw_infer(body)
        except rpc.grpc.RpcError as error:
            code = error.code().name
            if code not in ("INVALID_ARGUMENT", "NOT_FOUND", "RESOURCE_EXHAUSTED"):
                expect.fail(f"status of {body!r}", f"{code} {error.details()}", "INVALID_ARGUMENT")
