"""POST …/infer in JSON: what the answer holds, and what the request chooses."""

from oip import expect
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import output_of, request, tensor, values_of, wanted

LEFT = [float(i) for i in range(16)]
RIGHT = [0.5] * 16
SUM = [i + 0.5 for i in LEFT]
DIFFERENCE = [i - 0.5 for i in LEFT]


def add_sub(rows=1, **more):
    """A request to add_sub, whose rows are alike."""
    shape = [rows, 16]
    return request(
        tensor("INPUT0", "FP32", shape, LEFT * rows),
        tensor("INPUT1", "FP32", shape, RIGHT * rows),
        **more,
    )


def check_add_sub(answer, rows=1):
    values = values_of(answer, "OUTPUT0", "FP32", [rows, 16])
    expect.close("OUTPUT0", values, SUM * rows, 0)
    values = values_of(answer, "OUTPUT1", "FP32", [rows, 16])
    expect.close("OUTPUT1", values, DIFFERENCE * rows, 0)


def output_names(answer):
    return [output["name"] for output in answer["outputs"]]


@check(PROTOCOL, needs="add_sub")
def answer_has_all_members(target):
    """The answer holds model_name, model_version as a string, and the outputs with name, shape,
    datatype and row-major data."""
    answer = target.rest.infer("add_sub", add_sub(rows=2)).ok()
    expect.same("model_name", expect.member("answer", answer, "model_name", str), "add_sub")
    expect.member("answer", answer, "model_version", str)
    check_add_sub(answer, rows=2)


@check(STRICT, needs="add_sub")
def answer_is_json(target):
    """The answer's content type is application/json."""
    reply = target.rest.infer("add_sub", add_sub()).expect(200)
    kind = reply.headers.get_content_type()
    expect.same("content type", kind, "application/json")


@check(PROTOCOL, needs="add_sub")
def inputs_in_any_order(target):
    """Inputs are told apart by name, not by place."""
    document = add_sub()
    document["inputs"].reverse()
    check_add_sub(target.rest.infer("add_sub", document).ok())


@check(PROTOCOL, needs="add_sub")
def outputs_default_to_all(target):
    """No outputs in the request means all, in the order of the signature."""
    for document in (add_sub(), add_sub(outputs=[])):
        answer = target.rest.infer("add_sub", document).ok()
        expect.same("outputs", output_names(answer), ["OUTPUT0", "OUTPUT1"])


@check(PROTOCOL, needs="add_sub", each=("OUTPUT0", "OUTPUT1"))
def one_output(target, name):
    """Only the requested output comes back."""
    answer = target.rest.infer("add_sub", add_sub(outputs=[wanted(name)])).ok()
    expect.same("outputs", output_names(answer), [name])


@check(STRICT, needs="add_sub")
def outputs_in_requested_order(target):
    """Requested outputs come in the order of the request."""
    document = add_sub(outputs=[wanted("OUTPUT1"), wanted("OUTPUT0")])
    answer = target.rest.infer("add_sub", document).ok()
    expect.same("outputs", output_names(answer), ["OUTPUT1", "OUTPUT0"])
    check_add_sub(answer)


@check(PROTOCOL, needs="add_sub", each=("42", "an id with spaces", "日本語 😀", "x" * 500))
def id_is_echoed(target, identifier):
    """The id of the request comes back."""
    answer = target.rest.infer("add_sub", add_sub(id=identifier)).ok()
    expect.same("id", answer.get("id"), identifier)


@check(PROTOCOL, needs="add_sub")
def no_id_is_no_id(target):
    """Without an id in the request there is none in the answer."""
    answer = target.rest.infer("add_sub", add_sub()).ok()
    expect.one_of("id", answer.get("id", ""), [""])


@check(PROTOCOL, needs="add_sub")
def parameters_are_accepted(target):
    """Parameters are strings, numbers or booleans, on the request, its inputs and its outputs;
    unknown ones change nothing."""
    document = add_sub(
        parameters={"a": "text", "b": 7, "c": True, "d": 0.25},
        outputs=[wanted("OUTPUT0", e=1), wanted("OUTPUT1")],
    )
    document["inputs"][0]["parameters"] = {"f": "g"}
    check_add_sub(target.rest.infer("add_sub", document).ok())


@check(STRICT, needs="add_sub")
def parameters_keep_big_integers(target):
    """Integers of 64 bits are legal parameters."""
    big = {"low": -(2**63), "high": 2**63 - 1, "unsigned": 2**64 - 1, "odd": 2**53 + 1}
    check_add_sub(target.rest.infer("add_sub", add_sub(parameters=big)).ok())


@check(STRICT, needs="add_sub", each=("object", "array", "null", "beyond 64 bits"))
def parameter_of_wrong_kind(target, kind):
    """A parameter that is neither string, number nor boolean is 400 naming it."""
    value = {"object": {"a": 1}, "array": [1], "null": None, "beyond 64 bits": 2**64}[kind]
    reply = target.rest.infer("add_sub", add_sub(parameters={"odd": value}))
    expect.message_at(reply.error(400), "parameters")


@check(PROTOCOL, needs="versions", each=("1", "2"))
def version_in_path(target, version):
    """POST /v2/models/{m}/versions/{v}/infer is answered by that version."""
    document = request(tensor("x", "FP32", [2, 1], [0, 0]))
    answer = target.rest.infer("versions", document, version=version).ok()
    expect.same("model_version", answer["model_version"], version)
    values = values_of(answer, "version", "INT64", [2, 1])
    expect.same("version", values, [int(version)] * 2)


@check(PROTOCOL, needs="versions")
def no_version_is_the_newest(target):
    """Without a version the highest ready one answers, and says so."""
    answer = target.rest.infer("versions", request(tensor("x", "FP32", [1, 1], [0]))).ok()
    expect.same("model_version", answer["model_version"], "2")
    expect.same("version", values_of(answer, "version", "INT64", [1, 1]), [2])


@check(PROTOCOL, needs="identity_fp32")
def data_flat_or_nested(target):
    """Data may be flat or nested as the shape; both mean the same."""
    for data in ([1, 2, 3, 4, 5, 6], [[1, 2, 3], [4, 5, 6]]):
        answer = target.rest.infer(
            "identity_fp32", request(tensor("INPUT0", "FP32", [2, 3], data))
        ).ok()
        values = values_of(answer, "OUTPUT0", "FP32", [2, 3])
        expect.close("OUTPUT0", values, [1, 2, 3, 4, 5, 6], 0)


@check(PROTOCOL, needs="scalar")
def rank_0(target):
    """A scalar has shape [] and one element, in and out."""
    answer = target.rest.infer("scalar", request(tensor("x", "FP32", [], [3]))).ok()
    expect.close("y", values_of(answer, "y", "FP32", []), [6], 0)


@check(STRICT, needs="scalar")
def rank_0_without_array(target):
    """For a scalar `"data": 3` is either understood or refused, never misread."""
    reply = target.rest.infer("scalar", request(tensor("x", "FP32", [], 3))).expect(200, 400)
    if reply.status == 200:
        expect.close("y", values_of(reply.ok(), "y", "FP32", []), [6], 0)


@check(PROTOCOL, needs="filter", each=("0", "1", "3"))
def output_of_variable_rows(target, rows):
    """An output may have any number of rows, none among them."""
    data = [float(10 * row + column) for row in range(3) for column in range(4)]
    kept = int(rows)
    threshold = 10.0 * (3 - kept) - 5
    answer = target.rest.infer(
        "filter",
        request(tensor("x", "FP32", [3, 4], data), tensor("threshold", "FP32", [1], [threshold])),
    ).ok()
    values = values_of(answer, "kept", "FP32", [kept, 4])
    expect.close("kept", values, data[12 - 4 * kept :], 0)


@check(PROTOCOL, needs="add_sub")
def no_rows(target):
    """Zero rows in are zero rows out."""
    answer = target.rest.infer("add_sub", add_sub(rows=0)).ok()
    check_add_sub(answer, rows=0)


@check(PROTOCOL, needs="linear", each=("2", "3", "4", "8"))
def batch_equals_single_rows(target, rows):
    """A row's answer does not depend on the rows beside it, within 1e-5."""
    count = int(rows)
    data = [[(r * 7 + c * 3) % 11 / 4 for c in range(4)] for r in range(count)]
    together = target.rest.infer("linear", request(tensor("x", "FP32", [count, 4], data))).ok()
    alone = []
    for row in data:
        answer = target.rest.infer("linear", request(tensor("x", "FP32", [1, 4], row))).ok()
        alone += values_of(answer, "y", "FP32", [1, 3])
    expect.close("y", values_of(together, "y", "FP32", [count, 3]), alone, 1e-5)
    expected = [y for a, b, c, d in data for y in (a + b + 0.5, c - d - 1, 2 * a + d + 0.25)]
    expect.close("y", alone, expected, 1e-5)


@check(STRICT, needs="add_sub")
def server_timing(target):
    """Every answer says where its time went: network, data, queue, model and service in
    milliseconds, and their total, in a Server-Timing header."""
    reply = target.rest.infer("add_sub", add_sub()).expect(200)
    header = reply.headers.get("Server-Timing", "")
    parts = dict(part.strip().split(";dur=") for part in header.split(",") if ";dur=" in part)
    names = ["network", "data", "queue", "model", "service", "total"]
    expect.same("Server-Timing", list(parts), names)
    times = {name: float(value) for name, value in parts.items()}
    expect.holds("Server-Timing", header, min(times.values()) >= 0, "no negative time")
    total = times.pop("total")
    expect.holds("total", header, abs(total - sum(times.values())) <= 0.004, "the sum of its parts")


@check(STRICT, needs="add_sub")
def version_header(target):
    """The header Meridian-Model-Version names the version that answered."""
    reply = target.rest.infer("add_sub", add_sub())
    version = reply.ok()["model_version"]
    expect.same("header", reply.headers.get("Meridian-Model-Version"), version)


@check(STRICT, needs="add_sub")
def priority_is_accepted(target):
    """The schedule policy's parameters priority and timeout are understood."""
    document = add_sub(parameters={"priority": 1, "timeout": 60_000_000})
    check_add_sub(target.rest.infer("add_sub", document).ok())
    output_of(target.rest.infer("add_sub", document).ok(), "OUTPUT0")
