"""Models that keep a state from one request of a sequence to the next."""

from oip import expect
from oip.datatypes import DATA_TYPES
from oip.registry import STRICT, check
from oip.rest import request, tensor, values_of
from oip.rpc import raw_outputs

# The fixture `accumulator` adds its inputs and gives twice the sum.
FACTOR = 2


def add(value, **parameters):
    return request(tensor("x", "FP32", [1, 1], [value]), parameters=parameters)


def heard(target, value, **parameters):
    answer = target.rest.infer("accumulator", add(value, **parameters)).ok()
    return values_of(answer, "sum", "FP32", [1, 1])


@check(STRICT, needs="accumulator", each=(17, "call"))
def rest_sequence(target, name):
    """A sequence goes on where its last request ended, whatever others do, and ends."""
    other = f"{name}-other"
    expect.same("first", heard(target, 1, sequence_id=name, sequence_start=True), [FACTOR])
    expect.same("other", heard(target, 9, sequence_id=other, sequence_start=True), [9 * FACTOR])
    expect.same("second", heard(target, 2, sequence_id=name), [3 * FACTOR])
    expect.same("last", heard(target, 3, sequence_id=name, sequence_end=True), [6 * FACTOR])
    target.rest.infer("accumulator", add(1, sequence_id=name)).error(400)
    heard(target, 0, sequence_id=other, sequence_end=True)


@check(STRICT, needs="accumulator")
def grpc_sequence(target):
    """The same over gRPC."""
    rpc = target.rpc
    pack = DATA_TYPES["FP32"].pack

    def grpc_heard(value, **parameters):
        inputs = [rpc.input("x", "FP32", [1, 1])]
        message = rpc.request(
            "accumulator", inputs, raw=[pack([value])], parameters={"sequence_id": 41} | parameters
        )
        return raw_outputs(rpc.infer(message))["sum"]

    expect.same("first", grpc_heard(1, sequence_start=True), pack([FACTOR]))
    expect.same("last", grpc_heard(2, sequence_end=True), pack([3 * FACTOR]))


@check(STRICT, needs="accumulator", each=("none", 0, "", True))
def rest_without_a_sequence(target, name):
    """A request that names no sequence is 400 naming the parameter."""
    parameters = {} if name == "none" else {"sequence_id": name}
    message = target.rest.infer("accumulator", add(1, **parameters)).error(400)
    expect.holds("error message", message, "sequence_id" in message, "the parameter")


@check(STRICT, needs="accumulator")
def states_are_not_served(target):
    """Metadata has neither states nor inputs of a fixed value."""
    body = target.rest.get("/v2/models/accumulator").ok()
    expect.same("inputs", [each["name"] for each in body["inputs"]], ["x"])
    expect.same("outputs", [each["name"] for each in body["outputs"]], ["sum"])
