"""Where HTTP ends and begins: heads that are broken or slow, odd paths, half-closed connections."""

import json
import socket
import time

from checks.inference import add_sub
from oip import expect
from oip.registry import STRICT, Skip, check
from oip.rest import TIMEOUT_SECONDS, raw_statuses

LONGEST_HEAD_SECONDS = 45
LIVE = "GET {}/v2/health/live HTTP/1.1\r\nHost: {}\r\n\r\n"
SLOW = {
    "HTTP/1.1 headers": (b"GET /v2 HTTP/1.1\r\n", b"X: y\r\n"),
    "HTTP/1.1 request line": (b"GET /", b"x"),
    "HTTP/2 preface": (b"PRI * HTTP/2.0\r\n", b""),
    "HTTP/2 headers": (
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\xff\x01\x05\0\0\0\x01",
        b"\0",
    ),
}
HEADS = {
    "no host": ("GET {}/v2 HTTP/1.1\r\n\r\n", 400),
    "two hosts": ("GET {}/v2 HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
    "broken host": ("GET {}/v2 HTTP/1.1\r\nHost: a/b c\r\n\r\n", 400),
    "version 9.9": ("GET {}/v2 HTTP/9.9\r\nHost: a\r\n\r\n", 505),
    "version 2.0 as a line": ("GET {}/v2 HTTP/2.0\r\nHost: a\r\n\r\n", 505),
}
PATHS = ("/../x", "/%2e%2e", "/v2/../v2", "/%zz", "/%", "/%00", "/v2/models/%2e%2e/ready")


@check(STRICT, each=HEADS)
def heads(target, case):
    """A request without one good Host is 400, another version than HTTP/1 is 505, and both end the
    connection (RFC 9112, 2.3 and 3.2)."""
    head, status = HEADS[case]
    received, closed = target.rest.raw(head.format(target.rest.prefix).encode())
    expect.same("statuses", raw_statuses(received), [status])
    expect.same("closed", closed, True)


@check(STRICT, each=PATHS)
def paths_are_told_the_rule(target, path):
    """A path that cannot be is 400 with what came and what was expected, and costs no connection."""
    live = LIVE.format(target.rest.prefix, target.rest.address)
    request = f"GET {target.rest.prefix}{path} HTTP/1.1\r\nHost: {target.rest.address}\r\n\r\n"
    received, _ = target.rest.raw(
        (request + live).encode(), is_whole=lambda so_far: len(raw_statuses(so_far)) == 2
    )
    expect.same("statuses", raw_statuses(received), [400, 200])
    message = json.loads(received.partition(b"\r\n\r\n")[2].partition(b"HTTP/1.1")[0])["error"]
    expect.holds("error", message, message.startswith(("path: ", "model: ")), "the field")
    expect.holds("error", message, "(expected: " in message, "what was expected")


@check(STRICT, needs="add_sub")
def half_closed(target):
    """A client that ends its output behind the request, and reads on, gets its answer."""
    if target.rest.secure:
        raise Skip("raw sockets are used on plain http only")
    body = json.dumps(add_sub()).encode()
    head = (
        f"POST {target.rest.prefix}/v2/models/add_sub/infer HTTP/1.1\r\n"
        f"Host: {target.rest.address}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    received = bytearray()
    address = (target.rest.host, target.rest.port)
    with socket.create_connection(address, TIMEOUT_SECONDS) as connection:
        connection.sendall(head.encode() + body)
        connection.shutdown(socket.SHUT_WR)
        while chunk := connection.recv(65536):
            received += chunk
    statuses = [status for status in raw_statuses(received) if status >= 200]
    expect.same("statuses", statuses, [200])


@check(STRICT)
def slow_heads(target):
    """A client that sends its headers, or the preface or headers of HTTP/2, drop by drop is cut off
    (within 45 s here; every way at once)."""
    if target.rest.secure:
        raise Skip("raw sockets are used on plain http only")
    address = (target.rest.host, target.rest.port)
    slow = {case: socket.create_connection(address, TIMEOUT_SECONDS) for case in SLOW}
    try:
        for case, connection in slow.items():
            connection.sendall(SLOW[case][0])
            connection.settimeout(0.2)
        open_still, end = set(slow), time.monotonic() + LONGEST_HEAD_SECONDS
        while open_still and time.monotonic() < end:
            open_still = {case for case in open_still if is_open(slow[case], SLOW[case][1])}
        expect.same("still open", sorted(open_still), [])
    finally:
        for connection in slow.values():
            connection.close()


def is_open(connection, drop):
    """Whether the server has not closed yet; if so, it gets another drop."""
    try:
        if connection.recv(65536) == b"":
            return False
    except socket.timeout:
        pass
    except OSError:
        return False
    try:
        connection.sendall(drop)
    except OSError:
        return False
    return True
