"""Statistics: names, counters that count, and that REST and gRPC agree."""

from checks.inference import add_sub
from oip import expect
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import model_path, request, tensor

INFER_STATS = (
    "success",
    "fail",
    "queue",
    "compute_input",
    "compute_infer",
    "compute_output",
)
CACHE_STATS = ("cache_hit", "cache_miss")
BATCH_STATS = ("compute_input", "compute_infer", "compute_output")


def stats_of(target, model, version=None):
    body = target.rest.get(model_path(model, version) + "/stats").ok()
    entries = expect.member("statistics", body, "model_stats", list)
    expect.same("model_stats", len(entries), 1)
    expect.same("name", entries[0]["name"], model)
    return entries[0]


def check_duration(where, statistics, name):
    duration = expect.member(where, statistics, name, dict)
    for part in ("count", "ns"):
        value = expect.member(f"{where}.{name}", duration, part, int)
        expect.holds(f"{where}.{name}.{part}", value, value >= 0, "0 or more")


@check(PROTOCOL, needs="add_sub")
def field_names(target):
    """model_stats has the fields that perf_analyzer reads."""
    target.rest.infer("add_sub", add_sub()).expect(200)
    entry = stats_of(target, "add_sub")
    expect.member("model_stats[0]", entry, "version", str)
    for name in ("last_inference", "inference_count", "execution_count"):
        expect.member("model_stats[0]", entry, name, int)
    infer = expect.member("model_stats[0]", entry, "inference_stats", dict)
    for name in INFER_STATS:
        check_duration("inference_stats", infer, name)
    batches = expect.member("model_stats[0]", entry, "batch_stats", list)
    expect.holds("batch_stats", batches, batches, "an entry for a batch that ran")
    for batch in batches:
        size = expect.member("batch_stats", batch, "batch_size", int)
        expect.holds("batch_size", size, size >= 0, "0 or more")
        for name in BATCH_STATS:
            check_duration("batch_stats", batch, name)


@check(STRICT, needs="add_sub")
def cache_field_names(target):
    """inference_stats has cache_hit and cache_miss."""
    infer = stats_of(target, "add_sub")["inference_stats"]
    for name in CACHE_STATS:
        check_duration("inference_stats", infer, name)


def moved(before, after, *path):
    for name in path:
        before, after = before[name], after[name]
    return after - before


@check(PROTOCOL, needs="add_sub")
def success_counts(target):
    """Each request adds one success and one execution, their durations grow, and last_inference is
    the time in milliseconds."""
    before = stats_of(target, "add_sub")
    for _ in range(3):
        target.rest.infer("add_sub", add_sub()).expect(200)
    after = stats_of(target, "add_sub")
    expect.same("success.count", moved(before, after, "inference_stats", "success", "count"), 3)
    expect.same("inference_count", moved(before, after, "inference_count"), 3)
    expect.same("execution_count", moved(before, after, "execution_count"), 3)
    grown = moved(before, after, "inference_stats", "success", "ns")
    expect.holds("success.ns", grown, grown > 0, "more than before")
    for name in ("queue", "compute_input", "compute_infer", "compute_output"):
        expect.same(f"{name}.count", moved(before, after, "inference_stats", name, "count"), 3)
    when = after["last_inference"]
    expect.holds("last_inference", when, 1_600_000_000_000 < when < 5_000_000_000_000, "ms")


@check(STRICT, needs="batch_size")
def rows_count(target):
    """inference_count counts rows, execution_count batches; batch_stats has the batch's size."""
    before = stats_of(target, "batch_size")
    document = request(tensor("x", "FP32", [3, 1], [1, 2, 3]))
    target.rest.infer("batch_size", document).expect(200)
    after = stats_of(target, "batch_size")
    expect.same("inference_count", moved(before, after, "inference_count"), 3)
    expect.same("execution_count", moved(before, after, "execution_count"), 1)
    sizes = [batch["batch_size"] for batch in after["batch_stats"]]
    expect.holds("batch sizes", sizes, 3 in sizes, "3 among them")
    expect.same("distinct batch sizes", len(set(sizes)), len(sizes))


@check(STRICT, needs="gather")
def failure_counts(target):
    """A request whose execution fails counts as fail, not as success."""
    before = stats_of(target, "gather")
    target.rest.infer("gather", request(tensor("ids", "INT64", [1], [99]))).error()
    after = stats_of(target, "gather")
    expect.same("fail.count", moved(before, after, "inference_stats", "fail", "count"), 1)
    expect.same("success.count", moved(before, after, "inference_stats", "success", "count"), 0)


@check(PROTOCOL, needs="versions", each=("1", "2"))
def of_version(target, version):
    """GET /v2/models/{m}/versions/{v}/stats is about that version."""
    document = request(tensor("x", "FP32", [1, 1], [0]))
    before = stats_of(target, "versions", version)
    target.rest.infer("versions", document, version=version).expect(200)
    after = stats_of(target, "versions", version)
    expect.same("version", after["version"], version)
    expect.same("inference_count", moved(before, after, "inference_count"), 1)


@check(PROTOCOL, needs=("add_sub", "versions"))
def of_all_models(target):
    """GET /v2/models/stats is about every version of every model."""
    body = target.rest.get("/v2/models/stats").ok()
    came = {(entry["name"], entry["version"]) for entry in body["model_stats"]}
    for entry in (("versions", "1"), ("versions", "2")):
        expect.holds("model_stats", sorted(came), entry in came, entry)
    expect.holds("model_stats", sorted(came), "add_sub" in {n for n, _ in came}, "add_sub")


@check(PROTOCOL, needs="add_sub")
def grpc_agrees(target):
    """ModelStatistics says what the stats endpoint says."""
    rpc = target.rpc
    target.rest.infer("add_sub", add_sub()).expect(200)
    body = stats_of(target, "add_sub")
    answer = rpc.call("ModelStatistics", rpc.pb.ModelStatisticsRequest(name="add_sub"))
    expect.same("model_stats", len(answer.model_stats), 1)
    entry = answer.model_stats[0]
    for name in ("name", "version", "last_inference", "inference_count", "execution_count"):
        expect.same(name, getattr(entry, name), body[name])
    for name in INFER_STATS:
        duration = getattr(entry.inference_stats, name)
        came = {"count": duration.count, "ns": duration.ns}
        expect.same(name, came, body["inference_stats"][name])
    sizes = [batch.batch_size for batch in entry.batch_stats]
    expect.same("batch sizes", sizes, [batch["batch_size"] for batch in body["batch_stats"]])


@check(PROTOCOL, needs=("add_sub", "versions"))
def grpc_of_all_models(target):
    """ModelStatistics without a name is about every version of every model."""
    rpc = target.rpc
    answer = rpc.call("ModelStatistics", rpc.pb.ModelStatisticsRequest())
    came = {(entry.name, entry.version) for entry in answer.model_stats}
    for entry in (("versions", "1"), ("versions", "2")):
        expect.holds("model_stats", sorted(came), entry in came, entry)
