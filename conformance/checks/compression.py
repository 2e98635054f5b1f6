"""Content-Encoding of requests and Accept-Encoding of answers."""

import gzip
import json
import zlib

from checks.inference import LEFT, add_sub, check_add_sub
from oip import expect
from oip.encodings import DECODERS, ENCODERS
from oip.registry import PROTOCOL, STRICT, Skip, check
from oip.rest import (
    BINARY_LENGTH,
    JSON,
    Reply,
    binary_body,
    binary_tensor,
    curl,
    curl_features,
    output_of,
    request,
    split_binary,
    strict_json,
    tensor,
    values_of,
    wanted,
)

BODY = json.dumps(add_sub()).encode()
CURL_FEATURE = {"gzip": "libz", "deflate": "libz", "br": "brotli", "zstd": "zstd"}


def encoded(target, encoding, body=BODY):
    headers = {**JSON, "Content-Encoding": encoding}
    return target.rest.infer("add_sub", body, headers)


def request_round_trip(target, encoding):
    check_add_sub(encoded(target, encoding, ENCODERS[encoding](BODY)).ok())


@check(PROTOCOL, needs="add_sub", each=("gzip", "deflate"))
def request_body(target, encoding):
    """A compressed request means what the plain one means."""
    request_round_trip(target, encoding)


@check(STRICT, needs="add_sub", each=("br", "zstd"))
def request_body_modern(target, encoding):
    """Brotli and Zstandard are understood too."""
    request_round_trip(target, encoding)


@check(STRICT, needs="add_sub", each=("GZIP", "x-gzip", "identity"))
def request_encoding_names(target, encoding):
    """Names of encodings have no case, x-gzip is gzip, and identity is none (RFC 9110, 8.4.1)."""
    body = BODY if encoding == "identity" else gzip.compress(BODY)
    check_add_sub(encoded(target, encoding, body).ok())


LONG = [1, 4000]
NUMBERS = [float(i % 100) for i in range(4000)]


def long_answer():
    """A request whose answer is long enough to be worth compressing."""
    return request(tensor("INPUT0", "FP32", LONG, NUMBERS))


def check_long(answer):
    expect.close("OUTPUT0", values_of(answer, "OUTPUT0", "FP32", LONG), NUMBERS, 0)


@check(PROTOCOL, needs="identity_fp32", each=("gzip", "deflate"))
def answer_body(target, encoding):
    """An answer is plain or in an encoding that the client accepts."""
    reply = target.rest.infer("identity_fp32", long_answer(), {"Accept-Encoding": encoding}).expect(
        200
    )
    came = reply.headers.get("Content-Encoding", "identity")
    expect.one_of("Content-Encoding", came, ["identity", encoding])
    body = reply.body if came == "identity" else DECODERS[encoding](reply.body)
    check_long(strict_json(body))
    return f"came as {came}"


@check(STRICT, needs="identity_fp32", each=("gzip", "deflate", "br", "zstd"))
def answer_body_is_compressed(target, encoding):
    """A long answer is compressed when the client accepts it."""
    reply = target.rest.infer("identity_fp32", long_answer(), {"Accept-Encoding": encoding}).expect(
        200
    )
    expect.same("Content-Encoding", reply.headers.get("Content-Encoding"), encoding)
    expect.holds("length", len(reply.body), len(reply.body) < 8000, "less than half")


@check(STRICT, needs="identity_fp32", each=CURL_FEATURE)
def answer_to_curl(target, encoding):
    """curl reads the compressed answer."""
    if CURL_FEATURE[encoding] not in curl_features():
        raise Skip(f"this curl lacks {CURL_FEATURE[encoding]}")
    url = target.rest.url + "/v2/models/identity_fp32/infer"
    headers = ["-H", f"Accept-Encoding: {encoding}", "-H", "Content-Type: application/json"]
    data = json.dumps(long_answer()).encode()
    reply = curl("--compressed", *headers, "--data-binary", "@-", url, data=data)
    check_long(reply.ok())


@check(
    PROTOCOL,
    needs="identity_fp32",
    each=("none", "identity", "gzip;q=0", "br;q=0, *;q=0, identity"),
)
def answer_stays_plain(target, accept):
    """A client that accepts no encoding gets none."""
    headers = {"Accept-Encoding": "identity" if accept == "none" else accept}
    reply = target.rest.infer("identity_fp32", long_answer(), headers).expect(200)
    expect.one_of(
        "Content-Encoding", reply.headers.get("Content-Encoding", "identity"), ["identity"]
    )
    check_long(reply.ok())


@check(PROTOCOL, needs="identity_fp32", each=("gzip", "deflate"))
def binary_body_compressed(target, encoding):
    """Lengths of the binary extension refer to the decompressed body, both ways."""
    raw = b"".join(i.to_bytes(4, "little") for i in range(4000))
    document = request(
        binary_tensor("INPUT0", "FP32", [40, 100], raw),
        outputs=[wanted("OUTPUT0", binary_data=True)],
    )
    body, headers = binary_body(document, [raw])
    headers = {**headers, "Content-Encoding": encoding, "Accept-Encoding": encoding}
    reply = target.rest.infer("identity_fp32", ENCODERS[encoding](body), headers).expect(200)
    plain = reply.body
    if reply.headers.get("Content-Encoding", "identity") != "identity":
        plain = DECODERS[reply.headers["Content-Encoding"]](plain)
    length = {BINARY_LENGTH: reply.headers.get(BINARY_LENGTH)}
    answer, blobs = split_binary(Reply(200, length, plain))
    output_of(answer, "OUTPUT0", "FP32", [40, 100])
    expect.same("OUTPUT0", blobs["OUTPUT0"], raw)


@check(STRICT, needs="add_sub", each=("compress", "sdch", "gzip, snappy", "nonsense"))
def unknown_encoding(target, encoding):
    """An encoding that the server does not read is 415, and the message lists what it reads."""
    message = encoded(target, encoding).error(415)
    expect.holds("error message", message, "gzip" in message, "the encodings that are read")


COMPRESSED = gzip.compress(BODY)
CORRUPT = {
    "plain body as gzip": ("gzip", BODY),
    "gzip cut in half": ("gzip", COMPRESSED[: len(COMPRESSED) // 2]),
    "gzip without its end": ("gzip", COMPRESSED[:-4]),
    "gzip with a wrong checksum": ("gzip", COMPRESSED[:-8] + b"\0\0\0\0" + COMPRESSED[-4:]),
    "gzip with a tail": ("gzip", COMPRESSED + b"junk"),
    "plain body as deflate": ("deflate", BODY),
    "deflate cut in half": ("deflate", zlib.compress(BODY)[: len(BODY) // 8]),
    "empty body as gzip": ("gzip", b""),
}


@check(PROTOCOL, needs="add_sub", each=CORRUPT)
def corrupt_body(target, case):
    """A compressed body that is corrupt is an error, never half an answer."""
    encoded(target, *CORRUPT[case]).error()


@check(STRICT, needs="add_sub", each=CORRUPT)
def corrupt_body_is_400(target, case):
    """A compressed body that is corrupt is 400."""
    encoded(target, *CORRUPT[case]).error(400)


@check(STRICT, needs="add_sub", each=("br", "zstd"))
def corrupt_modern_body(target, encoding):
    """The same of Brotli and Zstandard, cut short and plain."""
    encoded(target, encoding, ENCODERS[encoding](BODY)[:-20]).error(400)
    encoded(target, encoding, BODY).error(400)


@check(STRICT, needs="add_sub")
def twice_compressed(target):
    """`gzip, gzip` is either undone twice or refused with 415, never read as one."""
    reply = encoded(target, "gzip, gzip", gzip.compress(COMPRESSED)).expect(200, 415)
    if reply.status == 200:
        check_add_sub(reply.ok())
    return f"answered {reply.status}"


@check(STRICT, needs="add_sub", each=("gzip", "deflate"))
def decompression_bomb(target, encoding):
    """A small body that expands beyond the limit is 413 before it fills the memory."""
    packer = zlib.compressobj(9, wbits=31 if encoding == "gzip" else 15)
    block = b" " * (1 << 20)
    bomb = b"".join(packer.compress(block) for _ in range(400)) + packer.flush()
    encoded(target, encoding, bomb).error(413)
    check_add_sub(target.rest.infer("add_sub", add_sub()).ok())


@check(STRICT, needs="add_sub")
def errors_are_readable(target):
    """An error to a client that accepts gzip is readable too."""
    document = request({"name": "INPUT0", "datatype": "FP32", "shape": [1, 16], "data": LEFT})
    reply = target.rest.infer("add_sub", document, {"Accept-Encoding": "gzip"}).expect(400)
    packed = reply.headers.get("Content-Encoding") == "gzip"
    body = gzip.decompress(reply.body) if packed else reply.body
    expect.member("error body", strict_json(body), "error", str)
