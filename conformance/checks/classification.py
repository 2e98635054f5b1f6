"""The classification extension: the top classes in place of the tensor."""

from oip import expect
from oip.datatypes import flattened
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import output_of, request, split_binary, tensor, wanted
from oip.rpc import check_output, raw_outputs, typed_outputs
from oip.datatypes import DATA_TYPES

# linear's y of these rows is (1.5, -1, 2.25) and (0.5, 0, 0.25).
ROWS = [[1, 0, 0, 0], [0, 0, 1, 0]]
RANKED = [[(2.25, 2), (1.5, 0), (-1.0, 1)], [(0.5, 0), (0.25, 2), (0.0, 1)]]
LABELS = ("red", "green", "blue")


def classify(classes, rows=ROWS, **more):
    return request(
        tensor("x", "FP32", [len(rows), 4], rows),
        outputs=[wanted("y", classification=classes, **more)],
    )


def check_classes(came, classes):
    """Each element is "value:index" with an optional ":label"."""
    expected = [pair for row in RANKED for pair in row[:classes]]
    expect.same("classes", len(came), len(expected))
    for text, (value, index) in zip(came, expected):
        parts = text.split(":")
        expect.holds("class", text, len(parts) in (2, 3), "<value>:<index>[:<label>]")
        expect.holds("class", text, float(parts[0]) == value, value)
        expect.same(f"index in {text}", parts[1], str(index))


@check(PROTOCOL, needs="linear", each=("1", "2", "3"))
def top_classes(target, count):
    """classification: N gives BYTES "<value>:<index>" of the N largest, of each row."""
    classes = int(count)
    answer = target.rest.infer("linear", classify(classes)).ok()
    output = output_of(answer, "y", "BYTES", [2, classes])
    check_classes(flattened(output["data"]), classes)


@check(PROTOCOL, needs="linear")
def labels(target):
    """A model with a label file has the label as the third part."""
    answer = target.rest.infer("linear", classify(3)).ok()
    came = flattened(output_of(answer, "y")["data"])
    expected = [LABELS[index] for row in RANKED for _, index in row]
    expect.same("labels", [text.split(":")[-1] for text in came], expected)


@check(STRICT, needs="linear", each=("4", "1000000"))
def more_classes_than_there_are(target, count):
    """The shape is [batch, min(N, classes)]."""
    answer = target.rest.infer("linear", classify(int(count))).ok()
    output = output_of(answer, "y", "BYTES", [2, 3])
    check_classes(flattened(output["data"]), 3)


@check(STRICT, needs="linear-v1.0.1")
def no_labels(target):
    """A model without labels has two parts only."""
    answer = target.rest.infer("linear-v1.0.1", classify(1)).ok()
    for text in flattened(output_of(answer, "y", "BYTES", [2, 1])["data"]):
        expect.same(f"parts of {text}", text.count(":"), 1)


@check(STRICT, needs="linear")
def in_binary(target):
    """Classes come in the binary form when it is asked for."""
    answer, blobs = split_binary(target.rest.infer("linear", classify(2, binary_data=True)))
    output_of(answer, "y", "BYTES", [2, 2])
    check_classes([raw.decode() for raw in DATA_TYPES["BYTES"].unpack(blobs["y"])], 2)


@check(PROTOCOL, needs="linear")
def in_grpc(target):
    """The same over gRPC."""
    rpc = target.rpc
    inputs = [rpc.input("x", "FP32", [2, 4])]
    raw = DATA_TYPES["FP32"].pack([value for row in ROWS for value in row])
    outputs = [rpc.output("y", classification=2)]
    answer = rpc.infer(rpc.request("linear", inputs, raw=[raw], outputs=outputs))
    check_output(answer, "y", "BYTES", [2, 2])
    if answer.raw_output_contents:
        came = DATA_TYPES["BYTES"].unpack(raw_outputs(answer)["y"])
    else:
        came = typed_outputs(answer)["y"]
    check_classes([text.decode() for text in came], 2)


@check(STRICT, needs="linear", each=("-1", "1.5", '"2"', "true"))
def faulty_count(target, text):
    """A count that is no whole number of at least 0 is 400 naming the output."""
    value = {"-1": -1, "1.5": 1.5, '"2"': "2", "true": True}[text]
    message = target.rest.infer("linear", classify(value)).error(400)
    expect.message_at(message, "outputs[0].parameters.classification")


@check(STRICT, needs="identity_bytes")
def of_strings(target):
    """Strings have no order as classes: 400."""
    document = request(
        tensor("INPUT0", "BYTES", [1, 2], ["a", "b"]),
        outputs=[wanted("OUTPUT0", classification=1)],
    )
    target.rest.infer("identity_bytes", document).error(400)
