"""Values that other servers lost: decimals, NaN, halves, big integers, bytes in JSON."""

import base64
import json
import math

from oip import expect
from oip.datatypes import DATA_TYPES, flattened
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
from oip.rpc import raw_outputs

X = [0.0, 1.0, -1.0, 4.0]
Y = [0.0, 0.0, 0.0, 2.0]


def division(**more):
    return request(tensor("x", "FP32", [4], X), tensor("y", "FP32", [4], Y), **more)


def check_quotients(values):
    expect.same("length", len(values), 4)
    expect.holds("0/0", values[0], math.isnan(values[0]), "NaN")
    expect.same("1/0, -1/0, 4/2", [float(v) for v in values[1:]], [math.inf, -math.inf, 2.0])


@check(PROTOCOL, needs="identity_fp32")
def decimals_fp32(target):
    """Ordinary decimals are accepted as the nearest float, and the digits that come back read as
    the same float."""
    values = [0.96, 1.24, 0.1, 1111111.0, 16777217, 1e-45, 3.4028235e38, 123456.789]
    document = request(tensor("INPUT0", "FP32", [1, len(values)], values))
    answer = target.rest.infer("identity_fp32", document).ok()
    same_values("OUTPUT0", "FP32", values_of(answer, "OUTPUT0"), values)


@check(PROTOCOL, needs="identity_fp64")
def decimals_fp64(target):
    """Doubles keep all their digits in JSON."""
    values = [0.1, 1234567.891234567, 1 / 3, 2.0**-1074, 1e22, 123456789012345680.0]
    document = request(tensor("INPUT0", "FP64", [1, len(values)], values))
    answer = target.rest.infer("identity_fp64", document).ok()
    same_values("OUTPUT0", "FP64", values_of(answer, "OUTPUT0"), values)


@check(PROTOCOL, needs="identity_fp64", each=("1E5", "1e+5", "100000.000", "-0", "-0.0", "0.1e-2"))
def number_forms(target, text):
    """Every form of number that JSON has is read."""
    body = json.dumps(request(tensor("INPUT0", "FP64", [1, 1], ["?"]))).replace('"?"', text)
    reply = target.rest.infer("identity_fp64", body.encode(), {"Content-Type": "application/json"})
    same_values("OUTPUT0", "FP64", values_of(reply.ok(), "OUTPUT0"), [float(text)])


@check(PROTOCOL, needs="division")
def nan_in_json_is_never_invalid(target):
    """An answer with NaN or infinities is either JSON that a strict parser reads, with every
    element told apart, or a clear error: never a bare token, a gap or nulls for all."""
    reply = target.rest.infer("division", division())
    if reply.status >= 400:
        reply.error()
        return "an error"
    values = flattened(output_of(reply.ok(), "quotient", "FP32", [4])["data"])
    expect.same("length", len(values), 4)
    expect.same("distinct values", len({str(value) for value in values}), 4)
    return None


@check(STRICT, needs="division")
def nan_in_json_is_422(target):
    """NaN in a JSON answer is 422 naming the tensor and the index."""
    message = target.rest.infer("division", division()).error(422)
    for part in ("quotient", "0"):
        expect.holds("error message", message, part in message, f"{part} in it")


@check(STRICT, needs="division")
def nan_allowed(target):
    """With the parameter allow_nan the bare tokens NaN, Infinity and -Infinity are written."""
    reply = target.rest.infer("division", division(parameters={"allow_nan": True})).expect(200)
    check_quotients(values_of(json.loads(reply.body), "quotient", "FP32", [4]))


@check(STRICT, needs="identity_{}", each=("FP16", "BF16", "FP32", "FP64"))
def nan_accepted(target, datatype):
    """With allow_nan the bare tokens are accepted on input too."""
    document = request(
        tensor("INPUT0", datatype, [1, 4], [math.nan, math.inf, -math.inf, 2.0]),
        parameters={"allow_nan": True},
    )
    reply = target.rest.infer(f"identity_{datatype.lower()}", document).expect(200)
    values = values_of(json.loads(reply.body), "OUTPUT0", datatype, [1, 4])
    check_quotients(values)


@check(PROTOCOL, needs="division")
def nan_in_binary(target):
    """Binary answers carry NaN and infinities as they are."""
    reply = target.rest.infer("division", division(outputs=[wanted("quotient", binary_data=True)]))
    _, blobs = split_binary(reply)
    check_quotients(DATA_TYPES["FP32"].unpack(blobs["quotient"]))


@check(PROTOCOL, needs="division")
def nan_in_grpc(target):
    """gRPC answers carry NaN and infinities as they are."""
    rpc = target.rpc
    pack = DATA_TYPES["FP32"].pack
    inputs = [rpc.input("x", "FP32", [4]), rpc.input("y", "FP32", [4])]
    answer = rpc.infer(rpc.request("division", inputs, raw=[pack(X), pack(Y)]))
    check_quotients(DATA_TYPES["FP32"].unpack(raw_outputs(answer)["quotient"]))


@check(STRICT, needs="identity_fp16")
def fp16_rounds_to_nearest_even(target):
    """FP16 in JSON is rounded to nearest even; what is too small becomes 0."""
    values = [1e-8, 0.1, 1.0009765625, 2049, 2051, -65519]
    expected = [0.0, 0.0999755859375, 1.0009765625, 2048.0, 2052.0, -65504.0]
    document = request(tensor("INPUT0", "FP16", [1, len(values)], values))
    answer = target.rest.infer("identity_fp16", document).ok()
    same_values("OUTPUT0", "FP16", values_of(answer, "OUTPUT0"), expected)


@check(STRICT, needs="identity_fp16")
def fp16_too_large(target):
    """65520 has no finite FP16: an error or, where NaN is allowed, Infinity; never a number."""
    document = request(tensor("INPUT0", "FP16", [1, 1], [65520]), parameters={"allow_nan": True})
    reply = target.rest.infer("identity_fp16", document).expect(200, 400)
    if reply.status == 200:
        expect.same("OUTPUT0", values_of(json.loads(reply.body), "OUTPUT0"), [math.inf])


@check(STRICT, needs="identity_bf16")
def bf16_rounds_to_nearest_even(target):
    """BF16 in JSON is rounded to nearest even."""
    values = [1.00390625, 1.01171875, 0.1, 257.0]
    expected = [1.0, 1.015625, 0.10009765625, 256.0]
    document = request(tensor("INPUT0", "BF16", [1, len(values)], values))
    answer = target.rest.infer("identity_bf16", document).ok()
    same_values("OUTPUT0", "BF16", values_of(answer, "OUTPUT0"), expected)


@check(STRICT, needs="identity_int64", each=("1e3", '"5"', "true", "1.0"))
def int64_in_odd_clothes(target, text):
    """For an integer another form of a number is converted exactly or refused with 400; a string
    or a boolean likewise."""
    body = json.dumps(request(tensor("INPUT0", "INT64", [1, 1], ["?"]))).replace('"?"', text)
    reply = target.rest.infer("identity_int64", body.encode(), {"Content-Type": "application/json"})
    reply.expect(200, 400)
    if reply.status == 200:
        expected = {"1e3": 1000, '"5"': 5, "true": 1, "1.0": 1}[text]
        expect.same("OUTPUT0", values_of(reply.ok(), "OUTPUT0"), [expected])


def not_text(**parameters):
    raw = DATA_TYPES["BYTES"].pack([b"plain", b"\xff\xfe"])
    document = request(
        binary_tensor("INPUT0", "BYTES", [1, 2], raw),
        outputs=[wanted("OUTPUT0", binary_data=False, **parameters)],
    )
    return document, [raw]


@check(STRICT, needs="identity_bytes")
def bytes_not_utf8_in_json(target):
    """An element that is not UTF-8 cannot be answered in JSON: an error naming the tensor."""
    message = target.rest.infer_binary("identity_bytes", *not_text()).error(400, 422)
    expect.holds(
        "error message", message, "OUTPUT0" in message or "outputs[0]" in message, "OUTPUT0"
    )


@check(STRICT, needs="identity_bytes")
def bytes_base64_out(target):
    """With the output's parameter content_encoding base64 the elements come in base64."""
    reply = target.rest.infer_binary("identity_bytes", *not_text(content_encoding="base64"))
    output = output_of(reply.ok(), "OUTPUT0", "BYTES", [1, 2])
    expect.same("parameters", output["parameters"]["content_encoding"], "base64")
    came = [base64.b64decode(text, validate=True) for text in flattened(output["data"])]
    expect.same("OUTPUT0", came, [b"plain", b"\xff\xfe"])


@check(STRICT, needs="identity_bytes")
def bytes_base64_in(target):
    """With the input's parameter content_encoding base64 the elements are read as base64."""
    values = [b"", b"\xff\xfe", b"plain"]
    data = [base64.b64encode(value).decode() for value in values]
    document = request(
        tensor("INPUT0", "BYTES", [1, 3], data, content_encoding="base64"),
        outputs=[wanted("OUTPUT0", binary_data=True)],
    )
    _, blobs = split_binary(target.rest.infer("identity_bytes", document))
    expect.same("OUTPUT0", DATA_TYPES["BYTES"].unpack(blobs["OUTPUT0"]), values)


@check(STRICT, needs="identity_bytes", each=("not base64!", "QQ=", "AA==AA=="))
def bytes_bad_base64(target, text):
    """Faulty base64 is 400 naming the element."""
    document = request(tensor("INPUT0", "BYTES", [1, 1], [text], content_encoding="base64"))
    expect.message_at(target.rest.infer("identity_bytes", document).error(400), "inputs[0]")


@check(STRICT, needs="identity_bytes")
def bytes_lone_surrogate(target):
    """A lone surrogate in a JSON string has no UTF-8 form: 400."""
    body = json.dumps(request(tensor("INPUT0", "BYTES", [1, 1], ["?"])))
    body = body.replace('"?"', '"\\ud800"').encode()
    reply = target.rest.infer("identity_bytes", body, {"Content-Type": "application/json"})
    reply.error(400)
