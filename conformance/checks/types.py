"""Every data type in JSON, in the binary extension and in gRPC, raw and typed."""

from oip import expect
from oip.datatypes import (
    DATA_TYPES,
    FLOATS,
    HALVES,
    IN_JSON,
    INTEGERS,
    as_bytes,
    nan_raw,
    nested,
)
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import (
    binary_tensor,
    output_of,
    request,
    same_values,
    split_binary,
    tensor,
    values_of,
    wanted,
)
from oip.rpc import check_output, raw_outputs, typed_outputs

MODEL = "identity_{}"


def model_of(datatype):
    return f"identity_{datatype.lower()}"


def sample(datatype):
    """Two rows of values worth sending, the second row in reverse."""
    values = DATA_TYPES[datatype].values
    return list(values + values[::-1]), [2, len(values)]


def json_round_trip(target, datatype, data, shape, values):
    document = request(tensor("INPUT0", datatype, shape, data))
    answer = target.rest.infer(model_of(datatype), document).ok()
    came = values_of(answer, "OUTPUT0", datatype, shape)
    same_values("OUTPUT0", datatype, came, values)


@check(PROTOCOL, needs=MODEL, each=IN_JSON)
def json_flat(target, datatype):
    """Values in JSON come back as they went, down to the bit, over the type's whole range."""
    values, shape = sample(datatype)
    json_round_trip(target, datatype, values, shape, values)


@check(PROTOCOL, needs=MODEL, each=IN_JSON)
def json_nested(target, datatype):
    """The same from nested arrays."""
    values, shape = sample(datatype)
    json_round_trip(target, datatype, nested(values, shape), shape, values)


@check(STRICT, needs=MODEL, each=HALVES)
def json_half(target, datatype):
    """FP16 and BF16 have a JSON form: numbers, rounded to nearest even."""
    values, shape = sample(datatype)
    json_round_trip(target, datatype, values, shape, values)


def binary_round_trip(target, datatype, raw, shape):
    document = request(
        binary_tensor("INPUT0", datatype, shape, raw),
        outputs=[wanted("OUTPUT0", binary_data=True)],
    )
    answer, blobs = split_binary(target.rest.infer_binary(model_of(datatype), document, [raw]))
    output_of(answer, "OUTPUT0", datatype, shape)
    expect.same("OUTPUT0", blobs["OUTPUT0"], raw)


@check(PROTOCOL, needs=MODEL, each=DATA_TYPES)
def binary(target, datatype):
    """Raw bytes, little-endian and without padding, come back as they went."""
    values, shape = sample(datatype)
    binary_round_trip(target, datatype, DATA_TYPES[datatype].pack(values), shape)


@check(PROTOCOL, needs=MODEL, each=IN_JSON)
def binary_in_json_out(target, datatype):
    """The form of the answer is chosen apart from that of the request: binary in, JSON out."""
    values, shape = sample(datatype)
    raw = DATA_TYPES[datatype].pack(values)
    document = request(
        binary_tensor("INPUT0", datatype, shape, raw),
        outputs=[wanted("OUTPUT0", binary_data=False)],
    )
    answer = target.rest.infer_binary(model_of(datatype), document, [raw]).ok()
    same_values("OUTPUT0", datatype, values_of(answer, "OUTPUT0", datatype, shape), values)


@check(PROTOCOL, needs=MODEL, each=IN_JSON)
def json_in_binary_out(target, datatype):
    """JSON in, binary out."""
    values, shape = sample(datatype)
    document = request(
        tensor("INPUT0", datatype, shape, values), outputs=[wanted("OUTPUT0", binary_data=True)]
    )
    answer, blobs = split_binary(target.rest.infer(model_of(datatype), document))
    output_of(answer, "OUTPUT0", datatype, shape)
    expect.same("OUTPUT0", blobs["OUTPUT0"], DATA_TYPES[datatype].pack(values))


def grpc_raw_round_trip(target, datatype, raw, shape):
    rpc = target.rpc
    inputs = [rpc.input("INPUT0", datatype, shape)]
    answer = rpc.infer(rpc.request(model_of(datatype), inputs, raw=[raw]))
    check_output(answer, "OUTPUT0", datatype, shape)
    expect.same("OUTPUT0", raw_outputs(answer)["OUTPUT0"], raw)


@check(PROTOCOL, needs=MODEL, each=DATA_TYPES)
def grpc_raw(target, datatype):
    """raw_input_contents come back as raw_output_contents, bit for bit."""
    values, shape = sample(datatype)
    grpc_raw_round_trip(target, datatype, DATA_TYPES[datatype].pack(values), shape)


def grpc_typed_answer(target, datatype, values, shape):
    rpc = target.rpc
    inputs = [rpc.input("INPUT0", datatype, shape, values)]
    answer = rpc.infer(rpc.request(model_of(datatype), inputs))
    check_output(answer, "OUTPUT0", datatype, shape)
    return answer


@check(PROTOCOL, needs=MODEL, each=IN_JSON)
def grpc_typed(target, datatype):
    """Typed contents are understood, in the field of InferTensorContents that fits the type;
    whichever form the answer takes, its values are the same."""
    values, shape = sample(datatype)
    answer = grpc_typed_answer(target, datatype, values, shape)
    kind = DATA_TYPES[datatype]
    came = raw_outputs(answer) if answer.raw_output_contents else typed_outputs(answer)
    packed = came["OUTPUT0"] if answer.raw_output_contents else kind.pack(came["OUTPUT0"])
    expect.same("OUTPUT0", packed, kind.pack(values))


@check(STRICT, needs=MODEL, each=IN_JSON)
def grpc_answers_in_kind(target, datatype):
    """A typed request gets a typed answer."""
    values, shape = sample(datatype)
    came = typed_outputs(grpc_typed_answer(target, datatype, values, shape))
    kind = DATA_TYPES[datatype]
    expect.same("OUTPUT0", kind.pack(came["OUTPUT0"]), kind.pack(values))


@check(STRICT, needs=MODEL, each=HALVES)
def grpc_half_must_be_raw(target, datatype):
    """FP16 and BF16 have no typed field: such contents are INVALID_ARGUMENT."""
    rpc = target.rpc
    tensor_ = rpc.input("INPUT0", datatype, [1, 1])
    tensor_.contents.fp32_contents.append(1.5)
    rpc.fails(rpc.request(model_of(datatype), [tensor_]), "INVALID_ARGUMENT")


@check(STRICT, needs=MODEL, each=IN_JSON)
def grpc_wrong_field(target, datatype):
    """Contents in a field of another type are INVALID_ARGUMENT, never converted or ignored."""
    rpc = target.rpc
    tensor_ = rpc.input("INPUT0", datatype, [1, 1])
    if datatype == "BOOL":
        tensor_.contents.int_contents.append(1)
    else:
        tensor_.contents.bool_contents.append(True)
    message = rpc.fails(rpc.request(model_of(datatype), [tensor_]), "INVALID_ARGUMENT")
    expect.message_at(message, "inputs[0]")


@check(STRICT, needs=MODEL, each=("INT8", "INT16", "UINT8", "UINT16"))
def grpc_out_of_range(target, datatype):
    """A typed value outside its type is INVALID_ARGUMENT, never narrowed."""
    rpc = target.rpc
    low, high = DATA_TYPES[datatype].bounds
    for value in (high + 1,) if low == 0 else (high + 1, low - 1):
        inputs = [rpc.input("INPUT0", datatype, [1, 1], [value])]
        message = rpc.fails(rpc.request(model_of(datatype), inputs), "INVALID_ARGUMENT")
        expect.message_at(message, "inputs[0]")


@check(PROTOCOL, needs=MODEL, each=DATA_TYPES)
def no_elements_json(target, datatype):
    """A tensor of zero elements is legal: JSON."""
    for shape in ([2, 0], [0, 3]):
        document = request(tensor("INPUT0", datatype, shape, []))
        answer = target.rest.infer(model_of(datatype), document).ok()
        expect.same("OUTPUT0", values_of(answer, "OUTPUT0", datatype, shape), [])


@check(PROTOCOL, needs=MODEL, each=DATA_TYPES)
def no_elements_binary(target, datatype):
    """A tensor of zero elements is legal: binary."""
    for shape in ([2, 0], [0, 3]):
        binary_round_trip(target, datatype, b"", shape)


@check(PROTOCOL, needs=MODEL, each=DATA_TYPES)
def no_elements_grpc(target, datatype):
    """A tensor of zero elements is legal: gRPC, with an empty raw entry."""
    for shape in ([2, 0], [0, 3]):
        grpc_raw_round_trip(target, datatype, b"", shape)


@check(PROTOCOL, needs=MODEL, each=FLOATS)
def nan_bits_binary(target, datatype):
    """NaN with its bits, and both infinities, pass through the binary form."""
    binary_round_trip(target, datatype, nan_raw(datatype), [2, 2])


@check(PROTOCOL, needs=MODEL, each=FLOATS)
def nan_bits_grpc(target, datatype):
    """NaN with its bits, and both infinities, pass through gRPC."""
    grpc_raw_round_trip(target, datatype, nan_raw(datatype), [2, 2])


def refused(target, datatype, data):
    document = request(tensor("INPUT0", datatype, [1, 1], [data]))
    return target.rest.infer(model_of(datatype), document)


@check(STRICT, needs=MODEL, each=INTEGERS)
def json_out_of_range(target, datatype):
    """An integer outside its type is 400 naming the element, never narrowed."""
    low, high = DATA_TYPES[datatype].bounds
    for value in (low - 1, high + 1, 2**64, -(2**63) - 1, 10**30):
        if not low <= value <= high:
            expect.message_at(refused(target, datatype, value).error(400), "inputs[0].data")


@check(STRICT, needs=MODEL, each=INTEGERS)
def json_fraction(target, datatype):
    """A number with a fraction is not an integer."""
    expect.message_at(refused(target, datatype, 1.5).error(400), "inputs[0].data")


@check(STRICT, needs=MODEL, each=DATA_TYPES)
def json_wrong_kind(target, datatype):
    """null, an object, and a value of another kind are 400 naming the element."""
    other = 5 if datatype in ("BYTES", "BOOL") else "text"
    for value in (None, {"b64": "AA=="}, other):
        expect.message_at(refused(target, datatype, value).error(400), "inputs[0].data")


@check(PROTOCOL, needs="identity_bytes")
def bytes_that_are_not_text(target):
    """BYTES carry any bytes in binary and gRPC, empty elements too."""
    values = [b"", b"\xff\x00\xfe", bytes(range(256)), b""]
    raw = DATA_TYPES["BYTES"].pack(values)
    binary_round_trip(target, "BYTES", raw, [2, 2])
    grpc_raw_round_trip(target, "BYTES", raw, [2, 2])
    answer = grpc_typed_answer(target, "BYTES", [as_bytes(value) for value in values], [2, 2])
    packed = (
        raw_outputs(answer)["OUTPUT0"]
        if answer.raw_output_contents
        else DATA_TYPES["BYTES"].pack(typed_outputs(answer)["OUTPUT0"])
    )
    expect.same("OUTPUT0", packed, raw)
