"""Names that try to leave the model repository, over every way that a name comes in."""

from urllib.parse import unquote

from oip import expect
from oip.registry import PROTOCOL, STRICT, check

# As sent in the request line; decoded, each breaks the rule for names.
NAMES = (
    "..%2f..%2fetc",
    "..%2F..%2F..%2Fetc%2Fpasswd",
    "%2e%2e%2fx",
    "..%5cx",
    "%2fetc",
    "a%00b",
    "a%0ab",
    "a%20b",
    "a%2Bb",
    "a%3Ab",
    "%e6%97%a5",
    ".hidden",
    "-dash",
    "x" * 300,
)
# These may be resolved by the server's path rules before they are names.
PATHS = (
    "/v2/models/../x/ready",
    "/v2/models/m/../../x",
    "/v2/../../../etc/passwd",
    "/v2/models/%2e%2e/ready",
    "/v2/models/%2e%2e/%2e%2e/etc/passwd",
    "/v2/models//ready",
    "/v2/models/..;/ready",
    "/v2/models/%/ready",
    "/v2/models/%zz/ready",
    "/v2/models/add_sub/versions/..%2f1/ready",
    "/v2/models/add_sub/versions/%2e%2e/ready",
    "//v2/models/add_sub/ready/..",
)
GRPC_NAMES = (
    "..",
    "../x",
    "/etc",
    "..\\x",
    "m/../../x",
    "a b",
    "",
    ".hidden",
    "a\0b",
    "日本",
    "x" * 300,
)
ACTIONS = {
    "ready": ("GET", "/v2/models/{}/ready"),
    "metadata": ("GET", "/v2/models/{}"),
    "config": ("GET", "/v2/models/{}/config"),
    "stats": ("GET", "/v2/models/{}/stats"),
    "infer": ("POST", "/v2/models/{}/infer"),
    "load": ("POST", "/v2/repository/models/{}/load"),
    "unload": ("POST", "/v2/repository/models/{}/unload"),
}


def send(target, action, name):
    method, path = ACTIONS[action]
    return target.rest.raw_reply(
        method, path.format(name), b'{"inputs":[]}' if method == "POST" else b""
    )


def check_refused(reply, sent):
    """Nothing of the disk is told: what the message repeats of the request is not from there."""
    expect.holds("status", reply.status, 400 <= reply.status < 500, "an error of the client")
    own = reply.body.replace(sent.encode(), b"").replace(unquote(sent).encode(), b"")
    for secret in (b"root:", b"No such file", b"/etc/"):
        expect.holds("body", reply.body, secret not in own, f"no {secret!r} of its own")


@check(PROTOCOL, each=NAMES)
def names(target, name):
    """A name outside the rule is refused in every path, and nothing of the disk is told."""
    for action in ACTIONS:
        check_refused(send(target, action, name), name)


@check(STRICT, each=NAMES)
def names_are_400(target, name):
    """A name outside the rule is 400 for readiness, metadata, inference, load and unload alike."""
    statuses = {action: send(target, action, name).status for action in ACTIONS}
    expect.same("statuses", statuses, dict.fromkeys(ACTIONS, 400))


@check(PROTOCOL, each=PATHS)
def paths(target, path):
    """A path with dot segments, empty segments or faulty escapes is refused and tells nothing."""
    for method in ("GET", "POST"):
        check_refused(target.rest.raw_reply(method, path), path)


@check(STRICT)
def answer_does_not_depend_on_the_disk(target):
    """The answer is the same whether what the name points at exists or not."""
    bodies = []
    for name in ("..%2f..%2fetc", "..%2f..%2fetd"):
        replies = [send(target, action, name) for action in ACTIONS]
        bodies.append([(r.status, r.body.replace(b"etd", b"etc")) for r in replies])
    expect.same("answers", bodies[0], bodies[1])


@check(STRICT, each=range(len(GRPC_NAMES)))
def grpc_names(target, position):
    """The same names in gRPC are INVALID_ARGUMENT in every method."""
    rpc = target.rpc
    name = GRPC_NAMES[position]
    messages = {
        "ModelReady": rpc.pb.ModelReadyRequest(name=name),
        "ModelMetadata": rpc.pb.ModelMetadataRequest(name=name),
        "ModelConfig": rpc.pb.ModelConfigRequest(name=name),
        "ModelInfer": rpc.request(name, []),
        "RepositoryModelLoad": rpc.pb.RepositoryModelLoadRequest(model_name=name),
        "RepositoryModelUnload": rpc.pb.RepositoryModelUnloadRequest(model_name=name),
    }
    for method, message in messages.items():
        try:
            rpc.error(lambda: rpc.call(method, message), "INVALID_ARGUMENT")
        except Exception as error:
            raise type(error)(f"{method} of {name!r}: {error}") from error


@check(STRICT, needs="add_sub", each=("..", "1/../1", "01", "latest", "x" * 300))
def grpc_versions(target, version):
    """A version that breaks its rule is INVALID_ARGUMENT or NOT_FOUND."""
    rpc = target.rpc
    for method in ("ModelReady", "ModelMetadata", "ModelConfig"):
        message = getattr(rpc.pb, method + "Request")(name="add_sub", version=version)
        rpc.error(lambda: rpc.call(method, message), "INVALID_ARGUMENT", "NOT_FOUND")


@check(PROTOCOL)
def still_there(target):
    """After all of this the server is ready."""
    target.rest.get("/v2/health/ready").expect(200)
