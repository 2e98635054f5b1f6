"""Deadlines and clients that leave."""

import time

from oip import expect
from oip.datatypes import DATA_TYPES
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import model_path, request, tensor, values_of
from oip.rpc import raw_outputs

# Iterations of the model `slow`: a blink, and some seconds.
SHORT = 1
LONG = 60_000
PATIENCE_SECONDS = 90


def slow(iterations, **more):
    return request(tensor("iterations", "INT64", [1, 1], [iterations]), **more)


def grpc_slow(rpc, iterations, **more):
    raw = [DATA_TYPES["INT64"].pack([iterations])]
    return rpc.request("slow", [rpc.input("iterations", "INT64", [1, 1])], raw=raw, **more)


def check_answers(target):
    answer = target.rest.infer("slow", slow(SHORT)).ok()
    expect.same("done", values_of(answer, "done", "INT64", [1, 1]), [SHORT])


@check(PROTOCOL, needs="slow")
def grpc_deadline(target):
    """A call whose deadline passes is DEADLINE_EXCEEDED, and the server goes on."""
    rpc = target.rpc
    call = lambda: rpc.stub.ModelInfer(grpc_slow(rpc, LONG), timeout=0.2)  # noqa: E731
    rpc.error(call, "DEADLINE_EXCEEDED")
    answer = rpc.infer(grpc_slow(rpc, SHORT))
    expect.same("done", raw_outputs(answer)["done"], DATA_TYPES["INT64"].pack([SHORT]))


@check(PROTOCOL, needs="slow")
def grpc_deadline_that_holds(target):
    """A call within its deadline is answered."""
    rpc = target.rpc
    answer = rpc.infer(grpc_slow(rpc, SHORT))
    expect.same("done", raw_outputs(answer)["done"], DATA_TYPES["INT64"].pack([SHORT]))


@check(STRICT, needs="slow", each=("header", "parameter", "both, the earlier wins"))
def rest_deadline(target, where):
    """The deadline of Meridian-Timeout-Ms, or of the parameter timeout in microseconds, passes:
    504, and the server goes on."""
    header = {"header": "150", "both, the earlier wins": "60000"}.get(where)
    parameters = {} if where == "header" else {"timeout": 150_000}
    headers = {} if header is None else {"Meridian-Timeout-Ms": header}
    reply = target.rest.infer("slow", slow(LONG, parameters=parameters), headers)
    reply.error(504)
    check_answers(target)


@check(STRICT, needs="slow")
def rest_deadline_that_holds(target):
    """A request within its deadline is answered."""
    document = slow(SHORT, parameters={"timeout": 60_000_000})
    target.rest.infer("slow", document, {"Meridian-Timeout-Ms": "60000"}).ok()


@check(STRICT, needs="slow", each=("soon", "-5", "1.5", ""))
def rest_faulty_deadline(target, value):
    """A deadline that is no whole number of milliseconds is 400 naming the header."""
    reply = target.rest.infer("slow", slow(SHORT), {"Meridian-Timeout-Ms": value})
    message = reply.error(400)
    expect.holds("error message", message, "meridian-timeout-ms" in message.lower(), "the header")


@check(STRICT, needs="slow")
def grpc_timeout_parameter(target):
    """The parameter timeout is a deadline in gRPC too."""
    rpc = target.rpc
    rpc.fails(grpc_slow(rpc, LONG, parameters={"timeout": 150_000}), "DEADLINE_EXCEEDED")


@check(STRICT, needs="slow", each=("-1", "true", '"5"'))
def faulty_timeout_parameter(target, text):
    """A timeout that is no whole number of at least 0 is 400 naming the parameter."""
    value = {"-1": -1, "true": True, '"5"': "5"}[text]
    message = target.rest.infer("slow", slow(SHORT, parameters={"timeout": value})).error(400)
    expect.message_at(message, "parameters.timeout")


def executed_rows(target):
    body = target.rest.get(model_path("slow") + "/stats").ok()
    batches = body["model_stats"][0]["batch_stats"]
    return sum(batch["batch_size"] * batch["compute_infer"]["count"] for batch in batches)


@check(STRICT, needs="slow")
def clients_that_leave(target):
    """Requests whose clients have gone leave the queue: of 24 most are never executed."""
    check_answers(target)
    before = executed_rows(target)
    rpc = target.rpc
    calls = [rpc.stub.ModelInfer.future(grpc_slow(rpc, LONG // 2)) for _ in range(24)]
    time.sleep(0.3)
    for call in calls:
        call.cancel()
    check_answers(target)
    executed = quiet(lambda: executed_rows(target)) - before
    expect.holds("rows executed", executed, executed <= 12, "12 or fewer of 24")
    return f"{executed - 1} of 24 executed"


def quiet(read):
    """The value once it stays the same for two seconds."""
    end = time.monotonic() + PATIENCE_SECONDS
    value, since = read(), time.monotonic()
    while time.monotonic() < end and time.monotonic() - since < 2:
        time.sleep(0.2)
        now = read()
        if now != value:
            value, since = now, time.monotonic()
    return value
