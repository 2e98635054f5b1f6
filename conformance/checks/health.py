"""Liveness, readiness, and gRPC's standard health and reflection services."""

from oip import expect
from oip.registry import PROTOCOL, STRICT, Skip, check
from oip.rest import model_path
from oip.rpc import SERVICE


@check(PROTOCOL)
def rest_live(target):
    """GET /v2/health/live answers 200 while the server runs."""
    target.rest.get("/v2/health/live").expect(200)


@check(PROTOCOL)
def rest_ready(target):
    """GET /v2/health/ready answers 200 when the server takes requests."""
    target.rest.get("/v2/health/ready").expect(200)


@check(STRICT, each=("live", "ready"))
def rest_health_body(target, probe):
    """Both health endpoints answer the object {"live":true,"ready":true}."""
    body = target.rest.get(f"/v2/health/{probe}").ok()
    expect.same("body", body, {"live": True, "ready": True})


@check(PROTOCOL, needs="add_sub")
def rest_model_ready(target):
    """GET /v2/models/{m}/ready answers 200 for a model that takes requests."""
    target.rest.get("/v2/models/add_sub/ready").expect(200)


@check(PROTOCOL, needs="versions", each=("1", "2"))
def rest_version_ready(target, version):
    """GET /v2/models/{m}/versions/{v}/ready answers for that version."""
    target.rest.get(model_path("versions", version) + "/ready").expect(200)


@check(STRICT, needs="add_sub")
def rest_model_ready_body(target):
    """The answer about a ready model is {"name":…,"ready":true}."""
    body = target.rest.get("/v2/models/add_sub/ready").ok()
    expect.same("body", body, {"name": "add_sub", "ready": True})


@check(PROTOCOL)
def rest_unknown_model_is_not_ready(target):
    """A model that is not there is not ready."""
    status = target.rest.get("/v2/models/no-such-model/ready").status
    expect.holds("status", status, status >= 400, "an error")


@check(STRICT, needs="add_sub", each=("no-such-model", "add_sub/versions/77"))
def rest_unknown_model_is_404(target, model):
    """Readiness of an unknown model or version is 404 with an error message."""
    target.rest.get(f"/v2/models/{model}/ready").error(404)


@check(PROTOCOL)
def grpc_live_and_ready(target):
    """ServerLive and ServerReady."""
    rpc = target.rpc
    expect.same("live", rpc.call("ServerLive", rpc.pb.ServerLiveRequest()).live, True)
    expect.same("ready", rpc.call("ServerReady", rpc.pb.ServerReadyRequest()).ready, True)


@check(PROTOCOL, needs="versions", each=("", "1", "2"))
def grpc_model_ready(target, version):
    """ModelReady, of the version the server chooses and of a named one."""
    rpc = target.rpc
    answer = rpc.call("ModelReady", rpc.pb.ModelReadyRequest(name="versions", version=version))
    expect.same("ready", answer.ready, True)


@check(STRICT, needs="add_sub")
def grpc_unknown_model_is_not_found(target):
    """ModelReady of an unknown model or version is NOT_FOUND."""
    rpc = target.rpc
    for name, version in (("no-such-model", ""), ("add_sub", "77")):
        message = rpc.pb.ModelReadyRequest(name=name, version=version)
        rpc.error(lambda: rpc.call("ModelReady", message), "NOT_FOUND")


@check(STRICT, each=("", SERVICE))
def grpc_health_service(target, service):
    """grpc.health.v1.Health/Check says SERVING for the server and for the inference service."""
    rpc = target.rpc
    answer = rpc.health.Check(rpc.health_pb.HealthCheckRequest(service=service), timeout=10)
    expect.same("status", answer.status, rpc.health_pb.HealthCheckResponse.SERVING)


@check(STRICT)
def grpc_health_of_unknown_service(target):
    """Health/Check of a service that is not there is NOT_FOUND."""
    rpc = target.rpc
    request = rpc.health_pb.HealthCheckRequest(service="no.such.Service")
    rpc.error(lambda: rpc.health.Check(request, timeout=10), "NOT_FOUND")


@check(STRICT)
def grpc_health_watch(target):
    """Health/Watch sends the present status at once."""
    rpc = target.rpc
    watch = rpc.health.Watch(rpc.health_pb.HealthCheckRequest(), timeout=10)
    try:
        status = next(watch).status
        expect.same("status", status, rpc.health_pb.HealthCheckResponse.SERVING)
    finally:
        watch.cancel()


def reflect(rpc, package, **request):
    pb = rpc.reflection_pb
    method = rpc.channel.stream_stream(
        f"/{package}.ServerReflection/ServerReflectionInfo",
        pb.ServerReflectionRequest.SerializeToString,
        pb.ServerReflectionResponse.FromString,
    )
    return next(method(iter([pb.ServerReflectionRequest(**request)]), timeout=10))


def reflection_package(rpc):
    """The version of the reflection service that the server has."""
    for package in ("grpc.reflection.v1", "grpc.reflection.v1alpha"):
        try:
            reflect(rpc, package, list_services="*")
            return package
        except rpc.grpc.RpcError as error:
            if error.code() != rpc.grpc.StatusCode.UNIMPLEMENTED:
                raise
    expect.fail("reflection", "UNIMPLEMENTED", "a reflection service")


@check(STRICT)
def grpc_reflection_lists_services(target):
    """Server reflection lists the inference and the health service."""
    rpc = target.rpc
    answer = reflect(rpc, reflection_package(rpc), list_services="*")
    names = {service.name for service in answer.list_services_response.service}
    for name in (SERVICE, "grpc.health.v1.Health"):
        expect.holds("services", sorted(names), name in names, f"{name} among them")


@check(STRICT)
def grpc_reflection_describes_service(target):
    """Server reflection gives the file that declares the service, with all twelve methods and the
    field numbers of the protocol."""
    rpc = target.rpc
    package = reflection_package(rpc)
    try:
        from google.protobuf import descriptor_pb2
    except ImportError as error:
        raise Skip(str(error)) from None
    answer = reflect(rpc, package, file_containing_symbol=SERVICE)
    files = [
        descriptor_pb2.FileDescriptorProto.FromString(file)
        for file in answer.file_descriptor_response.file_descriptor_proto
    ]
    ours = rpc.pb.DESCRIPTOR
    methods = {m.name for f in files for s in f.service for m in s.method}
    expected = {m.name for m in ours.services_by_name["GRPCInferenceService"].methods}
    expect.holds("methods", sorted(methods), expected <= methods, sorted(expected))
    messages = {m.name: {f.name: f.number for f in m.field} for f in files for m in f.message_type}
    for name in ("ModelInferRequest", "ModelInferResponse", "InferTensorContents"):
        numbers = {f.name: f.number for f in ours.message_types_by_name[name].fields}
        expect.same(f"fields of {name}", messages.get(name), numbers)
