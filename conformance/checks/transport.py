"""HTTP as it is on the wire: one port for all, large bodies, framing, curl as a second client."""

import json
import struct
import tempfile

from checks.inference import add_sub, check_add_sub
from oip import expect
from oip.datatypes import DATA_TYPES
from oip.registry import PROTOCOL, STRICT, Skip, check
from oip.rest import (
    JSON,
    binary_tensor,
    curl,
    curl_features,
    raw_statuses,
    request,
    split_binary,
    strict_json,
    tensor,
    wanted,
)
from oip.rpc import SERVICE, raw_outputs

BODY = json.dumps(add_sub()).encode()
INFER = "/v2/models/add_sub/infer"
MEBIBYTE = 1 << 20
LIMIT = 64 * MEBIBYTE


@check(PROTOCOL, needs="add_sub")
def curl_infers(target):
    """curl posts JSON and reads the answer."""
    reply = curl(
        "-H",
        "Content-Type: application/json",
        "--data-binary",
        "@-",
        target.rest.url + INFER,
        data=BODY,
    )
    check_add_sub(reply.ok())


@check(STRICT, needs="add_sub")
def curl_with_plain_d(target):
    """curl -d, which says application/x-www-form-urlencoded, works."""
    check_add_sub(curl("-d", BODY.decode(), target.rest.url + INFER).ok())


@check(PROTOCOL, needs="add_sub")
def curl_binary(target):
    """curl posts and reads the binary extension."""
    raw = DATA_TYPES["FP32"].pack([1.0] * 16)
    text = json.dumps(
        request(
            *(binary_tensor(f"INPUT{i}", "FP32", [1, 16], raw) for i in range(2)),
            outputs=[wanted("OUTPUT0", binary_data=True)],
        )
    ).encode()
    with tempfile.NamedTemporaryFile() as headers:
        reply = curl(
            "-D",
            headers.name,
            "-H",
            "Content-Type: application/octet-stream",
            "-H",
            f"Inference-Header-Content-Length: {len(text)}",
            "--data-binary",
            "@-",
            target.rest.url + INFER,
            data=text + raw + raw,
        ).expect(200)
        lines = headers.read().decode().lower().splitlines()
    lengths = [line.split(":")[1] for line in lines if line.startswith("inference-header-")]
    expect.same("answer headers", len(lengths), 1)
    blob = reply.body[int(lengths[0]) :]
    expect.same("OUTPUT0", blob, DATA_TYPES["FP32"].pack([2.0] * 16))


@check(
    STRICT, needs="add_sub", each=("--http1.1", "--http2-prior-knowledge", "--http2", "--http1.0")
)
def curl_versions(target, option):
    """One port speaks HTTP/1.0, HTTP/1.1 and HTTP/2, with prior knowledge and by upgrade."""
    if "http2" in option and "HTTP2" not in curl_features():
        raise Skip("this curl lacks HTTP2")
    headers = ["-H", "Content-Type: application/json"]
    reply = curl(option, *headers, "--data-binary", "@-", target.rest.url + INFER, data=BODY)
    check_add_sub(reply.ok())
    return f"HTTP/{reply.headers[':version']}"


@check(STRICT, needs="add_sub")
def grpc_on_the_same_port(target):
    """gRPC is spoken on the port of REST."""
    rpc = target.rpc
    channel = rpc.open(target.rest.address)
    method = channel.unary_unary(
        f"/{SERVICE}/ServerLive",
        rpc.pb.ServerLiveRequest.SerializeToString,
        rpc.pb.ServerLiveResponse.FromString,
    )
    try:
        expect.same("live", method(rpc.pb.ServerLiveRequest(), timeout=10).live, True)
    finally:
        channel.close()


@check(STRICT)
def grpc_web(target):
    """gRPC-Web, over plain HTTP/1.1, is spoken on the same port."""
    headers = {"Content-Type": "application/grpc-web+proto", "X-Grpc-Web": "1"}
    reply = target.rest.post(f"/{SERVICE}/ServerLive", b"\0\0\0\0\0", headers).expect(200)
    frames, at = [], 0
    while at < len(reply.body):
        flag, length = struct.unpack_from(">BI", reply.body, at)
        frames.append((flag, reply.body[at + 5 : at + 5 + length]))
        at += 5 + length
    expect.same("frames", [flag for flag, _ in frames], [0, 0x80])
    expect.same("message", frames[0][1], b"\x08\x01")
    trailer = frames[1][1].decode().lower().replace(" ", "")
    expect.holds("trailers", trailer, "grpc-status:0" in trailer, "grpc-status: 0")


@check(PROTOCOL, needs="add_sub")
def chunked_body(target):
    """A request body in chunks is read as one."""
    pieces = (BODY[i : i + 50] for i in range(0, len(BODY), 50))
    with target.rest.connect() as connection:
        connection.request("POST", target.rest.prefix + INFER, pieces, JSON, encode_chunked=True)
        response = connection.getresponse()
        expect.same("status", response.status, 200)
        check_add_sub(strict_json(response.read()))


@check(PROTOCOL, needs="add_sub")
def expect_continue(target):
    """A client that waits for 100 Continue before it sends the body gets it, or is answered."""
    headers = ["-H", "Expect: 100-continue", "-H", "Content-Type: application/json"]
    reply = curl("--http1.1", *headers, "--data-binary", "@-", target.rest.url + INFER, data=BODY)
    check_add_sub(reply.ok())


@check(PROTOCOL, needs="add_sub")
def connection_is_kept(target):
    """A connection serves many requests, errors between them too."""
    with target.rest.connect() as connection:
        for number in range(20):
            check_add_sub(target.rest.infer("add_sub", add_sub(), on=connection).ok())
            if number % 4 == 0:
                target.rest.infer("add_sub", b"{", JSON, on=connection).error()
                target.rest.get("/v2/nothing", on=connection).error()


def raw_request(target, *headers, line=f"POST {INFER} HTTP/1.1", body=BODY):
    lines = [line, f"Host: {target.rest.address}", "Content-Type: application/json", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


@check(STRICT, needs="add_sub")
def pipelined_requests(target):
    """Requests sent before the answers have come are answered in order (HTTP/1.1)."""
    one = raw_request(target, f"Content-Length: {len(BODY)}")
    live = f"GET {target.rest.prefix}/v2/nothing HTTP/1.1\r\nHost: {target.rest.address}\r\n"
    last = live.encode() + b"Connection: close\r\n\r\n"
    received, _ = target.rest.raw(one + one + last)
    expect.same("statuses", raw_statuses(received), [200, 200, 404])


CHUNKS = f"{len(BODY):x}\r\n".encode() + BODY + b"\r\n0\r\n\r\n"
HIDDEN = b"GET /v2/health/live HTTP/1.1\r\nHost: hidden\r\n\r\n"
FRAMINGS = {
    "two lengths": ((f"Content-Length: {len(BODY)}", "Content-Length: 5"), BODY),
    "length list": ((f"Content-Length: {len(BODY)}, 5",), BODY),
    "negative length": (("Content-Length: -1",), BODY),
    "signed length": ((f"Content-Length: +{len(BODY)}",), BODY),
    "unknown coding": (("Transfer-Encoding: xchunked",), CHUNKS),
    "chunked is not last": (("Transfer-Encoding: chunked, identity",), CHUNKS),
    "space before colon": (("Transfer-Encoding : chunked",), CHUNKS),
    "bad chunk size": (("Transfer-Encoding: chunked",), b"zz\r\n" + BODY + b"\r\n0\r\n\r\n"),
}


@check(STRICT, needs="add_sub", each=FRAMINGS)
def faulty_framing(target, case):
    """A request whose length cannot be told is an error and the connection is closed: nothing after
    it is read as a request (RFC 9112, 6.3)."""
    headers, body = FRAMINGS[case]
    received, closed = target.rest.raw(raw_request(target, *headers, body=body + HIDDEN))
    statuses = raw_statuses(received)
    expect.holds(
        "statuses", statuses, len(statuses) <= 1 and set(statuses) <= {400, 411, 501}, [400]
    )
    expect.same("closed", closed, True)


@check(STRICT, needs="add_sub", each=("length first", "length last"))
def length_and_chunks(target, order):
    """Content-Length beside Transfer-Encoding is 400, or read in chunks and the connection closed
    (RFC 9112, 6.1): a hidden request is never answered."""
    headers = [f"Content-Length: {len(CHUNKS) + len(HIDDEN)}", "Transfer-Encoding: chunked"]
    if order == "length last":
        headers.reverse()
    received, closed = target.rest.raw(raw_request(target, *headers, body=CHUNKS + HIDDEN))
    statuses = raw_statuses(received)
    expect.holds("statuses", statuses, statuses in ([400], [200]), "[400], or [200] and no more")
    expect.same("closed", closed, True)


@check(
    STRICT, each=("no HTTP at all\r\n\r\n", "GET\r\n\r\n", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc")
)
def no_http(target, text):
    """What is no HTTP is refused, and the server goes on."""
    received, _ = target.rest.raw(text.encode("latin-1"), wait_seconds=2)
    statuses = raw_statuses(received)
    expect.holds("statuses", statuses, all(400 <= status < 600 for status in statuses), [400])
    target.rest.get("/v2/health/live").expect(200)


@check(STRICT)
def long_header(target):
    """Headers beyond a limit are refused with 4xx, never a fault."""
    received, _ = target.rest.raw(
        raw_request(target, "X-Long: " + "x" * 200_000, line="GET /v2 HTTP/1.1", body=b"")
    )
    statuses = raw_statuses(received)
    expect.holds("statuses", statuses, all(400 <= status < 500 for status in statuses), [431])
    target.rest.get("/v2/health/live").expect(200)


def large(mebibytes):
    """The shape and the bytes of one row of FP32."""
    return [1, mebibytes * MEBIBYTE // 4], bytes(mebibytes * MEBIBYTE)


@check(PROTOCOL, needs="identity_fp32")
def five_mebibytes(target):
    """A request and an answer of 5 MiB pass in REST."""
    shape, raw = large(5)
    document = request(
        binary_tensor("INPUT0", "FP32", shape, raw),
        outputs=[wanted("OUTPUT0", binary_data=True)],
    )
    _, blobs = split_binary(target.rest.infer_binary("identity_fp32", document, [raw]))
    expect.holds("OUTPUT0", len(blobs["OUTPUT0"]), blobs["OUTPUT0"] == raw, "what was sent")


@check(PROTOCOL, needs="identity_fp32")
def five_mebibytes_grpc(target):
    """A request and an answer of 5 MiB, above gRPC's own default of 4, pass."""
    rpc = target.rpc
    shape, raw = large(5)
    answer = rpc.infer(
        rpc.request("identity_fp32", [rpc.input("INPUT0", "FP32", shape)], raw=[raw])
    )
    came = raw_outputs(answer)["OUTPUT0"]
    expect.holds("OUTPUT0", len(came), came == raw, "what was sent")


@check(STRICT, needs="identity_fp32")
def almost_the_limit(target):
    """60 MiB pass in both protocols: the default limit is 64 MiB."""
    shape, raw = large(60)
    rpc = target.rpc
    answer = rpc.infer(
        rpc.request("identity_fp32", [rpc.input("INPUT0", "FP32", shape)], raw=[raw])
    )
    expect.same("length", len(raw_outputs(answer)["OUTPUT0"]), len(raw))
    document = request(
        binary_tensor("INPUT0", "FP32", shape, raw),
        outputs=[wanted("OUTPUT0", binary_data=True)],
    )
    _, blobs = split_binary(target.rest.infer_binary("identity_fp32", document, [raw]))
    expect.same("length", len(blobs["OUTPUT0"]), len(raw))


@check(STRICT, needs="identity_fp32")
def beyond_the_limit_grpc(target):
    """A message above the limit is RESOURCE_EXHAUSTED, and the channel stays usable."""
    rpc = target.rpc
    shape, raw = large(66)
    rpc.fails(
        rpc.request("identity_fp32", [rpc.input("INPUT0", "FP32", shape)], raw=[raw]),
        "RESOURCE_EXHAUSTED",
    )
    expect.same("live", rpc.call("ServerLive", rpc.pb.ServerLiveRequest()).live, True)


@check(STRICT, needs="add_sub", each=("announced", "in chunks"))
def beyond_the_limit(target, how):
    """A body above the limit is 413, whether its length is announced or not."""
    sent = b"x" * MEBIBYTE
    headers = {**JSON}
    if how == "announced":
        headers["Content-Length"] = str(LIMIT + MEBIBYTE)
    with target.rest.connect() as connection:
        try:
            blocks = (sent for _ in range(LIMIT // MEBIBYTE + 1))
            connection.request(
                "POST",
                target.rest.prefix + INFER,
                blocks,
                headers,
                encode_chunked=how != "announced",
            )
        except (BrokenPipeError, ConnectionResetError):
            pass  # answered before all was sent: the answer is what counts
        response = connection.getresponse()
        expect.same("status", response.status, 413)
        expect.member("error body", strict_json(response.read()), "error", str)
    check_add_sub(target.rest.infer("add_sub", add_sub()).ok())


@check(STRICT, needs="add_sub")
def head_has_no_body(target):
    """HEAD is answered as GET without its body, or refused with 405."""
    with target.rest.connect() as connection:
        reply = target.rest.call("HEAD", "/v2/health/live", on=connection).expect(200, 405)
        expect.same("body", reply.body, b"")
        target.rest.get("/v2/health/live", on=connection).expect(200)


@check(STRICT, needs="identity_fp32")
def error_mentions_no_internals(target):
    """An error shows no stack trace and no class name."""
    replies = [
        target.rest.infer("identity_fp32", b"{", JSON),
        target.rest.infer("identity_fp32", request(tensor("INPUT0", "FP32", [1], [1]))),
        target.rest.get("/v2/nothing"),
    ]
    for reply in replies:
        message = reply.error()
        for part in ("\tat ", "Exception", "java.", "com.fasterxml", "com.linecorp", "io.netty"):
            expect.holds("error message", message, part not in message, f"no {part!r}")
