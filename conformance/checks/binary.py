"""The binary tensor extension's rules: framing, order, requested form, and what breaks them."""

import json
import struct

from checks.inference import DIFFERENCE, LEFT, RIGHT, SUM, check_add_sub
from oip import expect
from oip.datatypes import DATA_TYPES
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import (
    BINARY_LENGTH,
    binary_body,
    binary_tensor,
    output_of,
    request,
    split_binary,
    tensor,
    values_of,
    wanted,
)

FP32 = DATA_TYPES["FP32"]
BLOBS = [FP32.pack(LEFT), FP32.pack(RIGHT)]


def add_sub(sizes=(64, 64), **more):
    inputs = [
        tensor(name, "FP32", [1, 16], binary_data_size=size)
        for name, size in zip(("INPUT0", "INPUT1"), sizes)
    ]
    return request(*inputs, **more)


@check(PROTOCOL, needs="add_sub")
def blobs_in_order_of_inputs(target):
    """The blobs follow the JSON in the order of the tensors that carry them."""
    answer = target.rest.infer_binary("add_sub", add_sub(), BLOBS)
    document, blobs = split_binary(answer) if BINARY_LENGTH in answer.headers else (answer.ok(), {})
    if blobs:
        expect.same("OUTPUT0", blobs["OUTPUT0"], FP32.pack(SUM))
    else:
        check_add_sub(document)


@check(PROTOCOL, needs="add_sub", each=("INPUT0", "INPUT1"))
def one_input_binary(target, name):
    """Inputs in JSON and in binary may stand side by side."""
    document = request(
        tensor("INPUT0", "FP32", [1, 16], LEFT), tensor("INPUT1", "FP32", [1, 16], RIGHT)
    )
    place = ("INPUT0", "INPUT1").index(name)
    document["inputs"][place] = binary_tensor(name, "FP32", [1, 16], BLOBS[place])
    document["outputs"] = [
        wanted("OUTPUT0", binary_data=False),
        wanted("OUTPUT1", binary_data=False),
    ]
    check_add_sub(target.rest.infer_binary("add_sub", document, [BLOBS[place]]).ok())


@check(PROTOCOL, needs="add_sub")
def one_output_binary(target):
    """Each requested output chooses its form by binary_data."""
    document = add_sub(
        outputs=[wanted("OUTPUT0", binary_data=True), wanted("OUTPUT1", binary_data=False)]
    )
    answer, blobs = split_binary(target.rest.infer_binary("add_sub", document, BLOBS))
    expect.same("blobs", list(blobs), ["OUTPUT0"])
    expect.same("OUTPUT0", blobs["OUTPUT0"], FP32.pack(SUM))
    expect.close("OUTPUT1", values_of(answer, "OUTPUT1"), DIFFERENCE, 0)


@check(PROTOCOL, needs="add_sub")
def whole_answer_binary(target):
    """The request parameter binary_data_output makes every output binary."""
    document = add_sub(parameters={"binary_data_output": True})
    _, blobs = split_binary(target.rest.infer_binary("add_sub", document, BLOBS))
    expect.same("OUTPUT0", blobs["OUTPUT0"], FP32.pack(SUM))
    expect.same("OUTPUT1", blobs["OUTPUT1"], FP32.pack(DIFFERENCE))


@check(PROTOCOL, needs="add_sub")
def output_overrides_whole(target):
    """binary_data on an output overrides binary_data_output."""
    document = add_sub(
        parameters={"binary_data_output": True},
        outputs=[wanted("OUTPUT0", binary_data=False), wanted("OUTPUT1")],
    )
    answer, blobs = split_binary(target.rest.infer_binary("add_sub", document, BLOBS))
    expect.same("blobs", list(blobs), ["OUTPUT1"])
    expect.close("OUTPUT0", values_of(answer, "OUTPUT0"), SUM, 0)


@check(PROTOCOL, needs="add_sub")
def json_request_binary_answer(target):
    """A request without any blob may ask for a binary answer."""
    document = request(
        tensor("INPUT0", "FP32", [1, 16], LEFT),
        tensor("INPUT1", "FP32", [1, 16], RIGHT),
        parameters={"binary_data_output": True},
    )
    _, blobs = split_binary(target.rest.infer("add_sub", document))
    expect.same("OUTPUT0", blobs["OUTPUT0"], FP32.pack(SUM))


@check(STRICT, needs="add_sub")
def answer_form_follows_no_blob(target):
    """Nothing asked for means JSON, also when the request was binary; the answer then has no
    binary header."""
    reply = target.rest.infer_binary("add_sub", add_sub(), BLOBS)
    expect.same(f"header {BINARY_LENGTH}", reply.headers.get(BINARY_LENGTH), None)
    check_add_sub(reply.ok())


@check(STRICT, needs="add_sub")
def binary_answer_is_octet_stream(target):
    """A binary answer's content type is application/octet-stream."""
    document = add_sub(parameters={"binary_data_output": True})
    reply = target.rest.infer_binary("add_sub", document, BLOBS).expect(200)
    expect.same("content type", reply.headers.get_content_type(), "application/octet-stream")


@check(PROTOCOL, needs="filter")
def empty_output_in_binary(target):
    """An output without elements has binary_data_size 0."""
    document = request(
        tensor("x", "FP32", [1, 4], [0, 0, 0, 0]),
        tensor("threshold", "FP32", [1], [5]),
        outputs=[wanted("kept", binary_data=True)],
    )
    answer, blobs = split_binary(target.rest.infer("filter", document))
    output_of(answer, "kept", "FP32", [0, 4])
    expect.same("kept", blobs["kept"], b"")


def raw_body(target, model, body):
    headers = {"Content-Type": "application/octet-stream", BINARY_LENGTH: "0"}
    return target.rest.infer(model, body, headers)


@check(PROTOCOL, needs="batch_size")
def raw_body_is_the_tensor(target):
    """With header value 0 the body is the single tensor of a single-input model with at most one
    variable dimension; outputs come back binary."""
    answer, blobs = split_binary(raw_body(target, "batch_size", FP32.pack([1, 2, 3])))
    output_of(answer, "size", "INT64", [3, 1])
    expect.same("size", DATA_TYPES["INT64"].unpack(blobs["size"]), [3, 3, 3])


@check(PROTOCOL, needs="scalar")
def raw_body_of_scalar(target):
    """Header value 0 for a model without variable dimension."""
    answer, blobs = split_binary(raw_body(target, "scalar", FP32.pack([4])))
    output_of(answer, "y", "FP32", [])
    expect.same("y", blobs["y"], FP32.pack([8]))


@check(STRICT, needs=("add_sub", "identity_fp32", "batch_size"))
def raw_body_that_cannot_be_read(target):
    """Header value 0 for a model of two inputs, for one of two variable dimensions, and with bytes
    that fill no row is 400."""
    raw_body(target, "add_sub", BLOBS[0]).error(400)
    raw_body(target, "identity_fp32", BLOBS[0]).error(400)
    raw_body(target, "batch_size", b"12345").error(400)


SIZES = {
    "sum below the bytes": (64, 60),
    "sum above the bytes": (64, 68),
    "bytes moved to the other input": (68, 60),
    "not a multiple of the element": (63, 65),
    "negative": (-64, 64),
    "text": ("64", 64),
    "fraction": (64.5, 64),
    "true": (True, 64),
    "zero": (0, 128),
    "huge": (2**62, 64),
    "beyond 64 bits": (2**70, 64),
}


@check(PROTOCOL, needs="add_sub", each=SIZES)
def size_disagrees(target, case):
    """A binary_data_size that does not fit the bytes or the shape is an error; no byte of one
    tensor becomes part of the next."""
    target.rest.infer_binary("add_sub", add_sub(SIZES[case]), BLOBS).error()


@check(STRICT, needs="add_sub", each=SIZES)
def size_disagrees_names_tensor(target, case):
    """A binary_data_size that does not fit is 400 naming the tensor."""
    message = target.rest.infer_binary("add_sub", add_sub(SIZES[case]), BLOBS).error(400)
    named = any(part in message for part in ("inputs[0]", "inputs[1]", "INPUT0", "INPUT1"))
    expect.holds("error message", message, named, "the tensor's name or path")


@check(STRICT, needs="add_sub")
def surplus_and_missing_bytes(target):
    """Too few or too many bytes: 400 naming the tensor and both counts."""
    body, headers = binary_body(add_sub(), BLOBS)
    message = target.rest.infer("add_sub", body[:-1], headers).error(400)
    for part in ("63", "64"):
        expect.holds("error message", message, part in message, f"{part} in it")
    target.rest.infer("add_sub", body + b"x", headers).error(400)


@check(STRICT, needs="add_sub")
def data_and_size(target):
    """data and binary_data_size on one input contradict each other: 400 naming it."""
    document = add_sub()
    document["inputs"][1]["data"] = RIGHT
    message = target.rest.infer_binary("add_sub", document, BLOBS).error(400)
    expect.holds("error message", message, "inputs[1]" in message, "inputs[1]")


@check(STRICT, needs="add_sub")
def size_without_binary_header(target):
    """binary_data_size without the binary header: there are no bytes, 400."""
    target.rest.infer("add_sub", add_sub()).error(400)


HEADERS = ("-1", "abc", "", "1e3", "999999999", "99999999999999999999", "10", "0x10", "+5")


@check(PROTOCOL, needs="add_sub", each=HEADERS)
def header_disagrees(target, value):
    """A JSON length that is no length, reaches past the body or cuts the JSON is an error."""
    body, headers = binary_body(add_sub(), BLOBS)
    target.rest.infer("add_sub", body, {**headers, BINARY_LENGTH: value}).error()


@check(STRICT, needs="add_sub", each=HEADERS)
def header_disagrees_is_400(target, value):
    """A JSON length that does not fit the body is 400."""
    body, headers = binary_body(add_sub(), BLOBS)
    target.rest.infer("add_sub", body, {**headers, BINARY_LENGTH: value}).error(400)


STRINGS = {
    "no prefix": b"plain text",
    "prefix larger than the rest": struct.pack("<I", 100) + b"abc",
    "prefix FFFFFFFF": b"\xff\xff\xff\xffabc",
    "trailing bytes": DATA_TYPES["BYTES"].pack(["a", "b"]) + b"\0\0",
    "one string too few": DATA_TYPES["BYTES"].pack(["a"]),
    "one string too many": DATA_TYPES["BYTES"].pack(["a", "b", "c"]),
    "nothing": b"",
}


@check(PROTOCOL, needs="identity_bytes", each=STRINGS)
def string_framing(target, case):
    """BYTES whose lengths do not add up are an error."""
    raw = STRINGS[case]
    document = request(binary_tensor("INPUT0", "BYTES", [1, 2], raw))
    target.rest.infer_binary("identity_bytes", document, [raw]).error()


@check(STRICT, needs="identity_bytes", each=STRINGS)
def string_framing_names_tensor(target, case):
    """BYTES whose lengths do not add up are 400 naming the tensor, INVALID_ARGUMENT in gRPC."""
    raw = STRINGS[case]
    document = request(binary_tensor("INPUT0", "BYTES", [1, 2], raw))
    message = target.rest.infer_binary("identity_bytes", document, [raw]).error(400)
    expect.holds("error message", message, "inputs[0]" in message, "inputs[0]")
    rpc = target.rpc
    inputs = [rpc.input("INPUT0", "BYTES", [1, 2])]
    rpc.fails(rpc.request("identity_bytes", inputs, raw=[raw]), "INVALID_ARGUMENT")


@check(STRICT, needs="identity_bool")
def bool_is_0_or_1(target):
    """A BOOL is one byte, 0 or 1; another byte is refused or read as true, never passed on."""
    raw = b"\x00\x01\x02\xff"
    document = request(
        binary_tensor("INPUT0", "BOOL", [2, 2], raw),
        outputs=[wanted("OUTPUT0", binary_data=True)],
    )
    reply = target.rest.infer_binary("identity_bool", document, [raw]).expect(200, 400)
    if reply.status == 200:
        expect.same("OUTPUT0", split_binary(reply)[1]["OUTPUT0"], b"\x00\x01\x01\x01")


@check(STRICT, needs="add_sub")
def whitespace_in_json_counts(target):
    """The header counts bytes of JSON, whitespace and UTF-8 included."""
    text = json.dumps(add_sub(id="日本語"), ensure_ascii=False, indent=3).encode() + b"\n \n"
    body, headers = binary_body(text, BLOBS)
    answer = target.rest.infer("add_sub", body, headers).ok()
    expect.same("id", answer["id"], "日本語")
    check_add_sub(answer)
