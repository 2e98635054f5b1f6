"""The REST side: http.client for most requests, raw sockets for those no client would send, and
curl as a second client."""

import http.client
import json
import re
import shutil
import socket
import subprocess
from contextlib import closing
from dataclasses import dataclass
from typing import Mapping
from urllib.parse import quote, urlsplit

from oip import expect
from oip.datatypes import DATA_TYPES, flattened
from oip.registry import Skip

TIMEOUT_SECONDS = 60
BINARY_LENGTH = "Inference-Header-Content-Length"
JSON = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Reply:
    """What came back. Header names are compared without regard to case."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    def json(self):
        return strict_json(self.body)

    def ok(self):
        """The JSON of a reply that must be a success."""
        self.expect(200)
        return self.json()

    def expect(self, *statuses):
        if self.status not in statuses:
            what = "status"
            raise_with = f"{self.status} {self.body[:200]!r}"
            expect.fail(what, raise_with, " or ".join(map(str, statuses)))
        return self

    def error(self, *statuses):
        """The message of a reply that must be an error, of those statuses when any are named."""
        if statuses:
            self.expect(*statuses)
        expect.holds("status", f"{self.status} {self.body[:200]!r}", self.status >= 400, "an error")
        message = expect.member("error body", self.json(), "error", str)
        expect.holds("error body.error", message, message.strip(), "a message")
        return message


class Rest:
    """Requests to the server at a URL such as http://localhost:8080."""

    def __init__(self, url):
        parts = urlsplit(url if "//" in url else "http://" + url)
        self.secure = parts.scheme == "https"
        self.host = parts.hostname
        self.port = parts.port or (443 if self.secure else 80)
        self.prefix = parts.path.rstrip("/")

    @property
    def address(self):
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def url(self):
        return f"{'https' if self.secure else 'http'}://{self.address}{self.prefix}"

    def connect(self):
        kind = http.client.HTTPSConnection if self.secure else http.client.HTTPConnection
        return closing(kind(self.host, self.port, timeout=TIMEOUT_SECONDS))

    def call(self, method, path, body=None, headers=None, on=None):
        """A request on a connection of its own, or on an open one."""
        if on is None:
            with self.connect() as connection:
                return self.call(method, path, body, headers, connection)
        if isinstance(body, (dict, list)):
            headers = {**JSON, **(headers or {})}
            body = json.dumps(body, ensure_ascii=False).encode()
        on.request(method, self.prefix + path, body=body, headers=headers or {})
        response = on.getresponse()
        return Reply(response.status, response.headers, response.read())

    def get(self, path, **more):
        return self.call("GET", path, **more)

    def post(self, path, body=None, headers=None, **more):
        return self.call("POST", path, body, headers, **more)

    def infer(self, model, body, headers=None, version=None, **more):
        return self.post(model_path(model, version) + "/infer", body, headers, **more)

    def infer_binary(self, model, document, blobs=(), headers=None, **more):
        body, binary_headers = binary_body(document, blobs)
        return self.infer(model, body, {**binary_headers, **(headers or {})}, **more)

    def raw(self, data, wait_seconds=5.0, is_whole=lambda received: False):
        """Sends bytes as they are; returns what comes until the server closes, falls silent, or has
        sent all that is wanted, and whether it closed."""
        if self.secure:
            raise Skip("raw sockets are used on plain http only")
        received = bytearray()
        with socket.create_connection((self.host, self.port), TIMEOUT_SECONDS) as connection:
            connection.settimeout(wait_seconds)
            try:
                connection.sendall(data)
                while chunk := connection.recv(65536):
                    received += chunk
                    if is_whole(received):
                        return bytes(received), False
            except socket.timeout:
                return bytes(received), False
            except (ConnectionResetError, BrokenPipeError):
                pass
        return bytes(received), True

    def raw_reply(self, method, target, body=b"", headers=()):
        """The reply to a request whose target is sent as it is."""
        lines = [f"{method} {self.prefix}{target} HTTP/1.1", f"Host: {self.address}"]
        lines += [f"Content-Length: {len(body)}", *headers]
        received, _ = self.raw(
            "\r\n".join(lines).encode() + b"\r\n\r\n" + body, is_whole=is_whole_reply
        )
        statuses = raw_statuses(received)
        expect.holds("raw reply", received, statuses, "an HTTP status line")
        return Reply(statuses[0], {}, received.partition(b"\r\n\r\n")[2])


def is_whole_reply(received):
    """Whether the head and as many bytes as it announces have come."""
    head, end, body = bytes(received).partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(end and length and len(body) >= int(length[1]))


def raw_statuses(received):
    """The statuses of all replies in what a raw connection received."""
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3})[ \r]", received)]


def strict_json(body):
    """A JSON document as RFC 8259 has it: UTF-8, no NaN, no member twice."""

    def no_constant(token):
        expect.fail("JSON", token, "a number that JSON has")

    def distinct(pairs):
        expect.same("JSON: distinct members", len({name for name, _ in pairs}), len(pairs))
        return dict(pairs)

    try:
        return json.loads(
            body.decode("utf-8"), parse_constant=no_constant, object_pairs_hook=distinct
        )
    except ValueError as error:
        expect.fail("body", body[:200], f"JSON ({error})")


def model_path(model, version=None):
    path = f"/v2/models/{quote(model, safe='')}"
    return path if version is None else f"{path}/versions/{version}"


def tensor(name, datatype, shape, data=None, **parameters):
    document = {"name": name, "datatype": datatype, "shape": list(shape)}
    if parameters:
        document["parameters"] = parameters
    if data is not None:
        document["data"] = data
    return document


def binary_tensor(name, datatype, shape, blob, **parameters):
    return tensor(name, datatype, shape, binary_data_size=len(blob), **parameters)


def request(*inputs, outputs=None, id=None, parameters=None):
    document = {"inputs": list(inputs)}
    for name, value in (("outputs", outputs), ("id", id), ("parameters", parameters)):
        if value is not None:
            document[name] = value
    return document


def wanted(name, **parameters):
    return {"name": name, "parameters": parameters} if parameters else {"name": name}


def binary_body(document, blobs):
    """The body and headers of the binary tensor extension."""
    text = document if isinstance(document, bytes) else json.dumps(document).encode()
    headers = {"Content-Type": "application/octet-stream", BINARY_LENGTH: str(len(text))}
    return text + b"".join(blobs), headers


def split_binary(reply):
    """The JSON and the blobs by output name of a reply in the binary form."""
    reply.expect(200)
    length = reply.headers.get(BINARY_LENGTH)
    expect.holds(f"header {BINARY_LENGTH}", length, length and length.isdigit(), "a number")
    document = strict_json(reply.body[: int(length)])
    at, blobs = int(length), {}
    for output in expect.member("answer", document, "outputs", list):
        size = output.get("parameters", {}).get("binary_data_size")
        if size is not None:
            expect.holds("binary answer", output, "data" not in output, "no data beside the blob")
            blobs[output["name"]] = reply.body[at : at + size]
            at += size
    expect.same("bytes after the JSON", len(reply.body), at)
    return document, blobs


def output_of(document, name, datatype=None, shape=None):
    """The output of that name, of the type and shape expected."""
    outputs = expect.member("answer", document, "outputs", list)
    found = [output for output in outputs if output.get("name") == name]
    expect.same(f"outputs named {name}", len(found), 1)
    if datatype is not None:
        expect.same(f"{name}.datatype", found[0].get("datatype"), datatype)
    if shape is not None:
        expect.same(f"{name}.shape", found[0].get("shape"), list(shape))
    return found[0]


def values_of(document, name, datatype=None, shape=None):
    """The elements of an output that came as JSON, flat."""
    return flattened(expect.member(name, output_of(document, name, datatype, shape), "data", list))


def same_values(what, datatype, came, expected):
    """Values that are the same down to the bit."""
    kind = DATA_TYPES[datatype]
    number = kind.integer or datatype == "BOOL"
    for value in came:
        right = isinstance(value, str if datatype == "BYTES" else (int if number else (int, float)))
        boolean = isinstance(value, bool) == (datatype == "BOOL")
        expect.holds(what, value, right and boolean, f"a value of {datatype}")
    try:
        bits = kind.bits(came)
    except (OverflowError, ValueError) as error:
        expect.fail(what, came, f"values of {datatype} ({error})")
    if bits != kind.bits(expected):
        expect.fail(what, came, list(expected))


def curl(*arguments, data=None):
    """Runs curl; returns the status and the body."""
    if shutil.which("curl") is None:
        raise Skip("curl is missing: apt-get install curl")
    done = subprocess.run(
        ["curl", "-sS", "--max-time", str(TIMEOUT_SECONDS), "-w", "\n%{http_code} %{http_version}"]
        + list(arguments),
        input=data,
        capture_output=True,
    )
    expect.holds("curl", done.stderr.decode(errors="replace"), done.returncode == 0, "exit code 0")
    body, _, trailer = done.stdout.rpartition(b"\n")
    status, version = trailer.decode().split()
    return Reply(int(status), {":version": version}, body)


def curl_features():
    if shutil.which("curl") is None:
        raise Skip("curl is missing: apt-get install curl")
    return subprocess.run(["curl", "-V"], capture_output=True, text=True).stdout
