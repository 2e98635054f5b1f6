"""Many requests at once: each answer belongs to its own request."""

import random
from concurrent.futures import ThreadPoolExecutor

from oip import expect
from oip.datatypes import DATA_TYPES
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import (
    binary_tensor,
    model_path,
    output_of,
    request,
    split_binary,
    tensor,
    values_of,
    wanted,
)
from oip.rpc import raw_outputs, typed_outputs

THREADS = 16
FP32 = DATA_TYPES["FP32"]


def at_once(jobs):
    """Runs all jobs, as many as there are threads at a time; the first failure is raised."""
    with ThreadPoolExecutor(THREADS) as pool:
        return [future.result() for future in [pool.submit(job) for job in jobs]]


class Sums:
    """Requests to add_sub with numbers, an id and wishes of their own."""

    def __init__(self, target, number):
        source = random.Random(number)
        self.target = target
        self.id = f"request-{number}"
        self.rows = source.randint(1, 4)
        count = 16 * self.rows
        self.left = [float(source.randint(-1000, 1000)) for _ in range(count)]
        self.right = [float(source.randint(-1000, 1000)) for _ in range(count)]
        both = list(zip(self.left, self.right))
        self.expected = {
            "OUTPUT0": [a + b for a, b in both],
            "OUTPUT1": [a - b for a, b in both],
        }
        self.names = source.choice([["OUTPUT0"], ["OUTPUT1"], ["OUTPUT0", "OUTPUT1"]])
        self.shape = [self.rows, 16]
        self.raw = [FP32.pack(self.left), FP32.pack(self.right)]

    def json(self):
        document = request(
            tensor("INPUT0", "FP32", self.shape, self.left),
            tensor("INPUT1", "FP32", self.shape, self.right),
            outputs=[wanted(name) for name in self.names],
            id=self.id,
            parameters={"mark": self.id},
        )
        answer = self.target.rest.infer("add_sub", document).ok()
        self.check(answer, lambda name: values_of(answer, name, "FP32", self.shape))

    def binary(self):
        document = request(
            *(binary_tensor(f"INPUT{i}", "FP32", self.shape, self.raw[i]) for i in range(2)),
            outputs=[wanted(name, binary_data=True) for name in self.names],
            id=self.id,
        )
        answer, blobs = split_binary(self.target.rest.infer_binary("add_sub", document, self.raw))
        self.check(answer, lambda name: FP32.unpack(blobs[name]))

    def grpc(self, typed):
        rpc = self.target.rpc
        values = (self.left, self.right) if typed else (None, None)
        answer = rpc.infer(
            rpc.request(
                "add_sub",
                [rpc.input(f"INPUT{i}", "FP32", self.shape, values[i]) for i in range(2)],
                raw=() if typed else self.raw,
                outputs=[rpc.output(name) for name in self.names],
                id=self.id,
            )
        )
        expect.same("id", answer.id, self.id)
        expect.same("outputs", [output.name for output in answer.outputs], self.names)
        for name in self.names:
            if answer.raw_output_contents:
                came = FP32.unpack(raw_outputs(answer)[name])
            else:
                came = typed_outputs(answer)[name]
            expect.same(f"{self.id} {name}", came, self.expected[name])

    def check(self, answer, values):
        expect.same("id", answer.get("id"), self.id)
        expect.same("outputs", [output["name"] for output in answer["outputs"]], self.names)
        for name in self.names:
            expect.close(f"{self.id} {name}", values(name), self.expected[name], 0)


@check(PROTOCOL, needs="add_sub")
def rest_answers_match(target):
    """300 requests over REST, in JSON and binary, with their own rows, ids and outputs."""
    jobs = []
    for number in range(300):
        sums = Sums(target, number)
        jobs.append(sums.json if number % 2 else sums.binary)
    at_once(jobs)


@check(PROTOCOL, needs="add_sub")
def grpc_answers_match(target):
    """300 requests over one gRPC channel, raw and typed."""
    rpc = target.rpc
    at_once([lambda n=n: Sums(target, n).grpc(typed=n % 2 == 0) for n in range(300)])
    return f"over {rpc.address}"


def identity_job(target, number):
    source = random.Random(number)
    datatype = source.choice(("FP32", "INT64", "BYTES", "UINT8"))
    values = {
        "FP32": [float(source.randint(0, 10**6)) for _ in range(6)],
        "INT64": [source.randint(-(2**63), 2**63 - 1) for _ in range(6)],
        "BYTES": [f"{number}-{source.random()}" for _ in range(6)],
        "UINT8": [source.randint(0, 255) for _ in range(6)],
    }[datatype]
    document = request(tensor("INPUT0", datatype, [2, 3], values), id=str(number))
    answer = target.rest.infer(f"identity_{datatype.lower()}", document).ok()
    expect.same("id", answer["id"], str(number))
    came = values_of(answer, "OUTPUT0", datatype, [2, 3])
    expect.same(f"request {number}", [type(v)(c) for v, c in zip(values, came)], values)


MIXED = ("add_sub", "identity_fp32", "identity_int64", "identity_bytes", "identity_uint8")


@check(PROTOCOL, needs=MIXED)
def mixed_models_and_forms(target):
    """400 requests to five models in four forms at once, some of them faulty."""
    rpc = target.rpc

    def faulty(number):
        document = request(tensor("INPUT0", "FP32", [2, 3], [1] * 5), id=str(number))
        target.rest.infer("identity_fp32", document).error()
        rpc.fails(rpc.request("add_sub", [], id=str(number)))

    def job(number):
        kind = number % 6
        sums = Sums(target, number)
        if kind == 0:
            return sums.json
        if kind == 1:
            return sums.binary
        if kind in (2, 3):
            return lambda: sums.grpc(typed=kind == 2)
        return lambda: (identity_job if kind == 4 else lambda _, n: faulty(n))(target, number)

    at_once([job(number) for number in range(400)])


def gather(target, ids):
    return target.rest.infer("gather", request(tensor("ids", "INT64", [len(ids)], ids)))


def check_rows(reply, ids):
    values = values_of(reply.ok(), "rows", "FP32", [len(ids), 4])
    expect.close("rows", values, [10.0 * i + c for i in ids for c in range(4)], 0)


@check(PROTOCOL, needs="gather")
def failing_request_spoils_no_other(target):
    """Of eight requests at once one fails in the model: seven right answers and one error, in each
    of 30 rounds."""

    def job(number, bad):
        if number == bad:
            return lambda: gather(target, [1000]).error()
        return lambda: check_rows(gather(target, [number, 7 - number]), [number, 7 - number])

    for round_number in range(30):
        at_once([job(number, round_number % 8) for number in range(8)])


@check(PROTOCOL, needs="batch_size")
def batch_limit_counts_rows(target):
    """No execution has more rows than max_batch_size, however many rows each request brings."""
    limit = int(target.rest.get(model_path("batch_size") + "/config").ok()["max_batch_size"])
    expect.same("max_batch_size", limit, 8)

    def job(rows):
        document = request(tensor("x", "FP32", [rows, 1], [0] * rows))
        answer = target.rest.infer("batch_size", document).ok()
        return values_of(answer, "size", "INT64", [rows, 1])

    jobs = [lambda rows=rows: job(rows) for rows in (5, 3, 5, 1, 8, 2, 5, 3, 3, 5) * 6]
    seen = set()
    for sizes in at_once(jobs):
        expect.same("distinct sizes in one answer", len(set(sizes)), 1)
        seen.add(sizes[0])
    expect.holds("rows of an execution", sorted(seen), max(seen) <= limit, f"at most {limit}")
    return f"executions of {sorted(seen)} rows"


@check(STRICT, needs="batch_size")
def request_beyond_batch_limit(target):
    """One request with more rows than max_batch_size is 400 naming its inputs, or runs in parts
    that keep to the limit."""
    document = request(tensor("x", "FP32", [9, 1], [0] * 9))
    reply = target.rest.infer("batch_size", document).expect(200, 400)
    if reply.status == 400:
        expect.message_at(reply.error(), "inputs")
        return "refused"
    sizes = values_of(reply.ok(), "size", "INT64", [9, 1])
    expect.holds("rows of an execution", sizes, max(sizes) <= 8, "at most 8")
    return "in parts"


@check(PROTOCOL, needs=("fixed_batch", "batch_reduce"))
def graphs_that_cannot_batch(target):
    """A graph of one row only, and one that sums over its rows, answer rightly under load."""

    def fixed(number):
        document = request(tensor("x", "FP32", [1, 4], [number] * 4))
        answer = target.rest.infer("fixed_batch", document).ok()
        expect.close("y", values_of(answer, "y", "FP32", [1, 4]), [2.0 * number] * 4, 0)

    def reduce(number):
        rows = number % 3 + 1
        document = request(tensor("x", "FP32", [rows, 4], [number] * 4 * rows))
        answer = target.rest.infer("batch_reduce", document).ok()
        expect.close("sum", values_of(answer, "sum", "FP32", [4]), [float(number * rows)] * 4, 0)

    jobs = [lambda n=n: (fixed if n % 2 else reduce)(n) for n in range(120)]
    at_once(jobs)


@check(PROTOCOL, needs="versions")
def versions_stay_apart(target):
    """Requests to two versions at once are each answered by their own."""

    def job(version):
        document = request(tensor("x", "FP32", [2, 1], [0, 0]))
        answer = target.rest.infer("versions", document, version=version).ok()
        expect.same("model_version", answer["model_version"], version)
        output_of(answer, "version", "INT64", [2, 1])
        expect.same("version", values_of(answer, "version"), [int(version)] * 2)

    at_once([lambda v=v: job(v) for v in ("1", "2") * 60])


@check(STRICT, needs=("reload", "add_sub"))
def reload_without_a_gap(target):
    """While a model is loaded anew, over and over, every request to it is answered."""
    document = request(tensor("x", "FP32", [1, 1], [0]))

    def ask():
        for _ in range(40):
            answer = target.rest.infer("reload", document).ok()
            expect.same("version", values_of(answer, "version", "INT64", [1, 1]), [1])

    def load():
        for _ in range(10):
            target.rest.post("/v2/repository/models/reload/load", {}).expect(200)

    at_once([ask, ask, ask, load])
