"""ModelInfer and ModelStreamInfer."""

import queue

from checks.inference import DIFFERENCE, LEFT, RIGHT, SUM
from oip import expect
from oip.datatypes import DATA_TYPES
from oip.registry import PROTOCOL, STRICT, check
from oip.rpc import SERVICE, TIMEOUT_SECONDS, check_output, raw_outputs, typed_outputs

FP32 = DATA_TYPES["FP32"]
RAW = [FP32.pack(LEFT), FP32.pack(RIGHT)]


def inputs_of(rpc, typed=False, shape=(1, 16)):
    values = (LEFT, RIGHT) if typed else (None, None)
    return [rpc.input(f"INPUT{i}", "FP32", shape, values[i]) for i in range(2)]


def add_sub(rpc, **more):
    return rpc.request("add_sub", inputs_of(rpc), raw=RAW, **more)


def check_add_sub(answer):
    for name, expected in (("OUTPUT0", SUM), ("OUTPUT1", DIFFERENCE)):
        check_output(answer, name, "FP32", [1, 16])
        expect.same(name, raw_outputs(answer)[name], FP32.pack(expected))


@check(PROTOCOL, needs="add_sub")
def answer_has_all_fields(target):
    """The answer holds model_name, model_version, the id and the outputs."""
    answer = target.rpc.infer(add_sub(target.rpc, id="an id 日本語"))
    expect.same("model_name", answer.model_name, "add_sub")
    expect.holds("model_version", answer.model_version, answer.model_version, "a version")
    expect.same("id", answer.id, "an id 日本語")
    check_add_sub(answer)


@check(PROTOCOL, needs="add_sub")
def outputs_default_to_all(target):
    """No outputs in the request means all, in the order of the signature."""
    answer = target.rpc.infer(add_sub(target.rpc))
    expect.same("outputs", [output.name for output in answer.outputs], ["OUTPUT0", "OUTPUT1"])


@check(PROTOCOL, needs="add_sub", each=("OUTPUT0", "OUTPUT1"))
def one_output(target, name):
    """Only the requested output comes back."""
    rpc = target.rpc
    answer = rpc.infer(add_sub(rpc, outputs=[rpc.output(name)]))
    expect.same("outputs", [output.name for output in answer.outputs], [name])
    expected = FP32.pack({"OUTPUT0": SUM, "OUTPUT1": DIFFERENCE}[name])
    expect.same(name, raw_outputs(answer)[name], expected)


@check(STRICT, needs="add_sub")
def outputs_in_requested_order(target):
    """Requested outputs come in the order of the request, each with its own contents."""
    rpc = target.rpc
    answer = rpc.infer(add_sub(rpc, outputs=[rpc.output("OUTPUT1"), rpc.output("OUTPUT0")]))
    expect.same("outputs", [output.name for output in answer.outputs], ["OUTPUT1", "OUTPUT0"])
    check_add_sub(answer)


@check(PROTOCOL, needs="add_sub")
def parameters_are_accepted(target):
    """All kinds of InferParameter are understood on the request, its inputs and its outputs."""
    rpc = target.rpc
    parameters = {"a": True, "b": -(2**63), "c": "text", "d": 0.25, "e": 2**64 - 1}
    message = add_sub(rpc, parameters=parameters, outputs=[rpc.output("OUTPUT0", f=1)])
    message.inputs[0].parameters["g"].string_param = "h"
    expect.same("OUTPUT0", raw_outputs(rpc.infer(message))["OUTPUT0"], FP32.pack(SUM))


@check(PROTOCOL, needs="versions", each=("", "1", "2"))
def version(target, name):
    """model_version chooses the version; empty is the highest that is ready."""
    rpc = target.rpc
    inputs = [rpc.input("x", "FP32", [1, 1])]
    answer = rpc.infer(rpc.request("versions", inputs, raw=[FP32.pack([0])], version=name))
    expect.same("model_version", answer.model_version, name or "2")
    expect.same(
        "version", raw_outputs(answer)["version"], DATA_TYPES["INT64"].pack([int(name or 2)])
    )


@check(PROTOCOL, needs="scalar")
def rank_0(target):
    """A scalar has an empty shape and 4 raw bytes."""
    rpc = target.rpc
    answer = rpc.infer(rpc.request("scalar", [rpc.input("x", "FP32", [])], raw=[FP32.pack([4])]))
    check_output(answer, "y", "FP32", [])
    expect.same("y", raw_outputs(answer)["y"], FP32.pack([8]))


@check(PROTOCOL, needs="scalar")
def rank_0_typed(target):
    """The same with typed contents."""
    rpc = target.rpc
    answer = rpc.infer(rpc.request("scalar", [rpc.input("x", "FP32", [], [4])]))
    check_output(answer, "y", "FP32", [])


@check(PROTOCOL, needs="filter")
def no_rows_out(target):
    """An output without elements has an entry without bytes."""
    rpc = target.rpc
    inputs = [rpc.input("x", "FP32", [1, 4]), rpc.input("threshold", "FP32", [1])]
    answer = rpc.infer(rpc.request("filter", inputs, raw=[FP32.pack([0] * 4), FP32.pack([5])]))
    check_output(answer, "kept", "FP32", [0, 4])
    expect.same("kept", raw_outputs(answer)["kept"], b"")


@check(STRICT, needs="add_sub")
def empty_request_is_answered_raw(target):
    """A request without any contents (here zero rows) is answered raw."""
    rpc = target.rpc
    answer = rpc.infer(rpc.request("add_sub", inputs_of(rpc, shape=(0, 16))))
    expect.same("raw_output_contents", list(answer.raw_output_contents), [b"", b""])
    check_output(answer, "OUTPUT0", "FP32", [0, 16])


def faults(rpc):
    """Messages that no server may answer, with the start of the message they deserve."""
    typed = inputs_of(rpc, typed=True)
    few = rpc.input("INPUT1", "FP32", [1, 16], RIGHT[:7])
    many = rpc.input("INPUT1", "FP32", [1, 16], RIGHT + [1.0])
    other_type = rpc.input("INPUT1", "INT64", [1, 16], [1] * 16)
    extra = rpc.input("INPUT2", "FP32", [1, 16], RIGHT)
    return {
        "raw entry missing": (rpc.request("add_sub", inputs_of(rpc), raw=RAW[:1]), "raw_input"),
        "raw entry too many": (rpc.request("add_sub", inputs_of(rpc), raw=RAW * 2), "raw_input"),
        "raw bytes missing": (
            rpc.request("add_sub", inputs_of(rpc), raw=[RAW[0], RAW[1][:-1]]),
            "raw_input_contents[1]",
        ),
        "raw bytes too many": (
            rpc.request("add_sub", inputs_of(rpc), raw=[RAW[0] + b"\0\0\0\0", RAW[1]]),
            "raw_input_contents[0]",
        ),
        "raw and typed": (rpc.request("add_sub", typed, raw=RAW), "inputs[0]"),
        "no contents": (rpc.request("add_sub", inputs_of(rpc)), "inputs[0]"),
        "too few elements": (rpc.request("add_sub", [typed[0], few]), "inputs[1]"),
        "too many elements": (rpc.request("add_sub", [typed[0], many]), "inputs[1]"),
        "wrong type": (rpc.request("add_sub", [typed[0], other_type]), "inputs[1].datatype"),
        "unknown type": (
            rpc.request("add_sub", [rpc.input("INPUT0", "FP31", [1, 16]), typed[1]]),
            "inputs[0].datatype",
        ),
        "input missing": (rpc.request("add_sub", typed[:1]), "inputs"),
        "input unknown": (rpc.request("add_sub", [*typed, extra]), "inputs[2].name"),
        "input repeated": (rpc.request("add_sub", [*typed, typed[0]]), "inputs[2].name"),
        "no inputs": (rpc.request("add_sub", []), "inputs"),
        "output unknown": (
            rpc.request("add_sub", typed, outputs=[rpc.output("OUTPUT9")]),
            "outputs[0].name",
        ),
        "output repeated": (
            rpc.request("add_sub", typed, outputs=[rpc.output("OUTPUT0")] * 2),
            "outputs[1].name",
        ),
        "rank too low": (
            rpc.request("add_sub", [typed[0], rpc.input("INPUT1", "FP32", [16], RIGHT)]),
            "inputs[1].shape",
        ),
        "negative dimension": (
            rpc.request("add_sub", [typed[0], rpc.input("INPUT1", "FP32", [-1, 16], RIGHT)]),
            "inputs[1].shape",
        ),
        "huge shape": (
            rpc.request("add_sub", [typed[0], rpc.input("INPUT1", "FP32", [2**62, 16], RIGHT)]),
            "inputs[1].shape",
        ),
    }


FAULTS = (
    "raw entry missing",
    "raw entry too many",
    "raw bytes missing",
    "raw bytes too many",
    "raw and typed",
    "no contents",
    "too few elements",
    "too many elements",
    "wrong type",
    "unknown type",
    "input missing",
    "input unknown",
    "input repeated",
    "no inputs",
    "output unknown",
    "output repeated",
    "rank too low",
    "negative dimension",
    "huge shape",
)


@check(PROTOCOL, needs="add_sub", each=FAULTS)
def fault(target, case):
    """A message that contradicts itself or the model is an error, and the next is answered."""
    rpc = target.rpc
    rpc.fails(faults(rpc)[case][0])
    check_add_sub(rpc.infer(add_sub(rpc)))


@check(STRICT, needs="add_sub", each=FAULTS)
def fault_is_invalid_argument(target, case):
    """A faulty message is INVALID_ARGUMENT, and says at which field and what was expected."""
    rpc = target.rpc
    message, path = faults(rpc)[case]
    expect.message_at(rpc.fails(message, "INVALID_ARGUMENT"), path)


@check(STRICT, needs="add_sub")
def unknown_model_is_not_found(target):
    """An unknown model or version is NOT_FOUND."""
    rpc = target.rpc
    message = add_sub(rpc)
    message.model_name = "no-such-model"
    rpc.fails(message, "NOT_FOUND")
    rpc.fails(add_sub(rpc, version="77"), "NOT_FOUND")


@check(STRICT, each=("text", "\xff\xff\xff", "\x0a\xff", "\x2a\x03\x0a\x05a", "\x00"))
def undecodable_message(target, text):
    """Bytes that are no ModelInferRequest are the client's fault: INVALID_ARGUMENT."""
    rpc = target.rpc
    rpc.error(lambda: rpc.raw_infer(text.encode("latin-1")), "INVALID_ARGUMENT")


@check(STRICT)
def unknown_method(target):
    """A method that the service does not have is UNIMPLEMENTED, said in gRPC and not in HTTP."""
    rpc = target.rpc
    method = rpc.channel.unary_unary(f"/{SERVICE}/NoSuchMethod", bytes, bytes)
    message = rpc.error(lambda: method(b"", timeout=TIMEOUT_SECONDS), "UNIMPLEMENTED")
    expect.holds("message", message, "404" not in message, "a message of the server")


@check(STRICT)
def unknown_method_of_open_stream(target):
    """The same at once where the client keeps its stream open, as a client does that looks for an
    older reflection service."""
    rpc = target.rpc
    method = rpc.channel.stream_stream("/no.such.Service/Method", bytes, bytes)
    requests = queue.SimpleQueue()
    requests.put(b"")
    try:
        answers = method(iter(requests.get, None), timeout=10)
        rpc.error(lambda: next(answers), "UNIMPLEMENTED")
    finally:
        requests.put(None)


@check(STRICT, needs="add_sub")
def server_timing_trailer(target):
    """The trailing metadata say where the time went, as the Server-Timing header does in REST."""
    rpc = target.rpc
    _, call = rpc.stub.ModelInfer.with_call(add_sub(rpc), timeout=TIMEOUT_SECONDS)
    metadata = {**dict(call.initial_metadata()), **dict(call.trailing_metadata())}
    timing = metadata.get("server-timing", "")
    for name in ("network", "data", "queue", "model", "service", "total"):
        expect.holds("server-timing", timing, f"{name};dur=" in timing, name)


@check(PROTOCOL, needs="add_sub", each=("Gzip", "Deflate"))
def compressed_message(target, algorithm):
    """gRPC's own message compression is understood or, as its specification has it, refused with
    UNIMPLEMENTED."""
    rpc = target.rpc
    compression = getattr(rpc.grpc.Compression, algorithm)
    try:
        check_add_sub(rpc.infer(add_sub(rpc), compression=compression))
    except rpc.grpc.RpcError as error:
        expect.same("gRPC status", error.code().name, "UNIMPLEMENTED")
        return "refused"


@check(STRICT, needs="add_sub")
def gzip_message(target):
    """gzip, the one algorithm that gRPC clients have in common, is understood."""
    rpc = target.rpc
    check_add_sub(rpc.infer(add_sub(rpc), compression=rpc.grpc.Compression.Gzip))


class Stream:
    """A ModelStreamInfer call that is written to as it is read."""

    def __init__(self, rpc):
        self._requests = queue.SimpleQueue()
        self.answers = rpc.stub.ModelStreamInfer(
            iter(self._requests.get, None), timeout=TIMEOUT_SECONDS
        )

    def send(self, message):
        self._requests.put(message)

    def next(self):
        return next(self.answers)

    def end(self):
        self._requests.put(None)
        return list(self.answers)


@check(PROTOCOL, needs="add_sub")
def stream(target):
    """ModelStreamInfer answers every request, and ends when the client ends."""
    rpc = target.rpc
    call = Stream(rpc)
    for number in range(20):
        call.send(add_sub(rpc, id=str(number)))
    answers = call.end()
    expect.same("answers", len(answers), 20)
    for answer in answers:
        expect.same("error_message", answer.error_message, "")
        check_add_sub(answer.infer_response)
    ids = sorted(int(answer.infer_response.id) for answer in answers)
    expect.same("ids", ids, list(range(20)))


@check(PROTOCOL, needs="add_sub")
def stream_answers_while_open(target):
    """An answer comes while the stream stays open for more requests."""
    rpc = target.rpc
    call = Stream(rpc)
    for number in range(3):
        call.send(add_sub(rpc, id=str(number)))
        expect.same("id", call.next().infer_response.id, str(number))
    expect.same("left over", call.end(), [])


@check(PROTOCOL, needs="add_sub")
def stream_survives_a_fault(target):
    """A request that fails is answered with error_message and does not end the stream."""
    rpc = target.rpc
    call = Stream(rpc)
    call.send(add_sub(rpc, id="good"))
    check_add_sub(call.next().infer_response)
    call.send(rpc.request("add_sub", inputs_of(rpc), raw=RAW[:1], id="bad"))
    message = call.next().error_message
    expect.holds("error_message", message, message, "a message")
    call.send(add_sub(rpc, id="after"))
    answer = call.next()
    expect.same("error_message", answer.error_message, "")
    expect.same("id", answer.infer_response.id, "after")
    expect.same("left over", call.end(), [])


@check(STRICT, needs="add_sub", each=FAULTS[:6])
def stream_error_names_field(target, case):
    """The error_message of a stream is the message of the unary call."""
    rpc = target.rpc
    message, path = faults(rpc)[case]
    call = Stream(rpc)
    call.send(message)
    answers = call.end()
    expect.same("answers", len(answers), 1)
    expect.message_at(answers[0].error_message, path)


@check(STRICT, needs=("add_sub", "versions"))
def stream_of_many_models(target):
    """One stream may ask several models."""
    rpc = target.rpc
    call = Stream(rpc)
    call.send(add_sub(rpc, id="a"))
    inputs = [rpc.input("x", "FP32", [1, 1], [0])]
    call.send(rpc.request("versions", inputs, version="1", id="v"))
    answers = {answer.infer_response.id: answer.infer_response for answer in call.end()}
    check_add_sub(answers["a"])
    expect.same("version", typed_outputs(answers["v"])["version"], [1])


@check(PROTOCOL)
def empty_stream(target):
    """A stream without requests ends without answers."""
    expect.same("answers", Stream(target.rpc).end(), [])
