"""Text in, embeddings out: the sample models minilm, minilm-int8 and their graphs for tokens."""

import math
from concurrent.futures import ThreadPoolExecutor

from oip import expect
from oip.datatypes import DATA_TYPES
from oip.registry import PROTOCOL, STRICT, check
from oip.rest import curl, model_path, request, split_binary, tensor, values_of, wanted
from oip.rpc import check_output, raw_outputs

MODELS = ("minilm", "minilm-int8")
SIZE = 384
HELLO = "Hello world"
HELLO_IDS = [101, 7592, 2088, 102]
TEXTS = (
    HELLO,
    "Where is my order?",
    "A considerably longer sentence, which makes every shorter one beside it be padded when they "
    "share a batch of the graph.",
    "",
    "Grüße, 日本語 and 😀",
)


def embed(target, model, texts):
    """The vectors of the texts, of one request."""
    document = request(tensor("text", "BYTES", [len(texts)], list(texts)))
    answer = target.rest.infer(model, document).ok()
    return rows(values_of(answer, "embedding", "FP32", [len(texts), SIZE]))


def rows(values, size=SIZE):
    return [values[i : i + size] for i in range(0, len(values), size)]


def norm(vector):
    return math.sqrt(sum(x * x for x in vector))


def cosine(one, other):
    return sum(a * b for a, b in zip(one, other)) / (norm(one) * norm(other))


def check_alike(what, one, other):
    likeness = cosine(one, other)
    expect.holds(what, likeness, likeness >= 0.9999, "a cosine of 0.9999 or more")


def tokens(target, model, ids, padding=0):
    """The graph's hidden states, a row per token."""
    count = len(ids) + padding
    columns = {
        "input_ids": ids + [0] * padding,
        "attention_mask": [1] * len(ids) + [0] * padding,
        "token_type_ids": [0] * count,
    }
    document = request(*(tensor(n, "INT64", [1, count], data) for n, data in columns.items()))
    answer = target.rest.infer(f"{model}-tokens", document).ok()
    return rows(values_of(answer, "last_hidden_state", "FP32", [1, count, SIZE]))


@check(STRICT, needs="{}", each=MODELS)
def signature(target, model):
    """text BYTES [-1] gives embedding FP32 [-1,384]."""
    body = target.rest.get(model_path(model)).ok()
    expect.same("text", body["inputs"][0]["shape"], [-1])
    expect.same("embedding", body["outputs"][0]["shape"], [-1, SIZE])


@check(STRICT, needs="{}-tokens", each=MODELS)
def signature_of_tokens(target, model):
    """The graphs take INT64 [-1,-1] and give FP32 [-1,-1,384]."""
    body = target.rest.get(model_path(f"{model}-tokens")).ok()
    for tensor_ in body["inputs"]:
        expect.same(tensor_["name"], tensor_["shape"], [-1, -1])
    expect.same("last_hidden_state", body["outputs"][0]["shape"], [-1, -1, SIZE])


@check(STRICT, needs="{}", each=MODELS)
def vectors_are_normal(target, model):
    """Each embedding has length 1."""
    for text, vector in zip(TEXTS, embed(target, model, TEXTS)):
        expect.close(f"length of {text!r}", [norm(vector)], [1.0], 1e-4)


@check(STRICT, needs=("{}", "{}-tokens"), each=MODELS)
def equals_pooled_graph(target, model):
    """The embedding is the mean of the graph's states over the tokens, normalised."""
    states = tokens(target, model, HELLO_IDS)
    mean = [sum(column) / len(states) for column in zip(*states)]
    vector = embed(target, model, [HELLO])[0]
    check_alike("cosine", vector, mean)
    length = norm(mean)
    expect.close("embedding", vector, [x / length for x in mean], 1e-3)


@check(STRICT, needs="minilm-tokens")
def padding_changes_nothing(target):
    """Tokens that the attention mask leaves out do not change the others' states."""
    plain = tokens(target, "minilm", HELLO_IDS)
    padded = tokens(target, "minilm", HELLO_IDS, padding=5)
    for position, (one, other) in enumerate(zip(plain, padded)):
        check_alike(f"token {position}", one, other)


@check(STRICT, needs="{}", each=MODELS)
def alone_or_together(target, model):
    """A text has the same vector alone and beside other texts of its request."""
    together = embed(target, model, TEXTS)
    for text, vector in zip(TEXTS, together):
        check_alike(repr(text), vector, embed(target, model, [text])[0])


@check(STRICT, needs="{}", each=MODELS)
def alone_or_under_load(target, model):
    """A text has the same vector whatever else is being served."""
    alone = {text: embed(target, model, [text])[0] for text in TEXTS}
    with ThreadPoolExecutor(8) as pool:
        asked = [TEXTS[n % len(TEXTS)] for n in range(40)]
        answers = pool.map(lambda text: embed(target, model, [text])[0], asked)
        for text, vector in zip(asked, answers):
            check_alike(repr(text), vector, alone[text])


@check(STRICT, needs="{}", each=MODELS)
def meaning(target, model):
    """Texts of like meaning are nearer than others."""
    order, parcel, cat = embed(
        target,
        model,
        ["Where is my order?", "When will my parcel arrive?", "The cat sleeps on the sofa."],
    )
    near, far = cosine(order, parcel), cosine(order, cat)
    expect.holds("cosines", (near, far), near > far + 0.2, "the first well above the second")


@check(STRICT, needs="{}", each=MODELS)
def forms_agree(target, model):
    """JSON, binary and gRPC give the same vector."""
    expected = DATA_TYPES["FP32"].pack(embed(target, model, [HELLO])[0])
    document = request(
        tensor("text", "BYTES", [1], [HELLO]), outputs=[wanted("embedding", binary_data=True)]
    )
    _, blobs = split_binary(target.rest.infer(model, document))
    expect.same("binary", blobs["embedding"], expected)
    rpc = target.rpc
    raw = [DATA_TYPES["BYTES"].pack([HELLO])]
    answer = rpc.infer(rpc.request(model, [rpc.input("text", "BYTES", [1])], raw=raw))
    check_output(answer, "embedding", "FP32", [1, SIZE])
    expect.same("gRPC", raw_outputs(answer)["embedding"], expected)


@check(STRICT, needs="{}", each=MODELS)
def no_texts(target, model):
    """No texts are no vectors."""
    expect.same("embedding", embed(target, model, []), [])


@check(STRICT, needs="{}", each=MODELS)
def long_text(target, model):
    """A text longer than the model allows is refused, or cut and the answer says so; never a fault
    of an operator."""
    document = request(tensor("text", "BYTES", [2], ["word " * 5000, HELLO]))
    reply = target.rest.infer(model, document).expect(200, 400)
    if reply.status == 400:
        expect.message_at(reply.error(), "inputs[0].data[0]")
        return "refused"
    answer = reply.ok()
    notes = answer.get("parameters", {})
    expect.holds("parameters", notes, any("trunc" in name for name in notes), "truncated")
    vectors = rows(values_of(answer, "embedding", "FP32", [2, SIZE]))
    check_alike("the short text", vectors[1], embed(target, model, [HELLO])[0])
    return f"cut, {notes}"


@check(STRICT, needs="{}", each=MODELS)
def short_text_is_not_marked(target, model):
    """An answer whose texts were not cut says nothing of truncation."""
    document = request(tensor("text", "BYTES", [1], [HELLO]))
    notes = target.rest.infer(model, document).ok().get("parameters", {})
    expect.holds("parameters", notes, not any(notes.get(n) for n in notes if "trunc" in n), "none")


@check(PROTOCOL, needs="minilm")
def text_that_is_not_utf8(target):
    """A text that is not UTF-8 is refused or replaced, never a fault."""
    rpc = target.rpc
    raw = [DATA_TYPES["BYTES"].pack([b"\xff\xfe\xfd"])]
    message = rpc.request("minilm", [rpc.input("text", "BYTES", [1])], raw=raw)
    try:
        check_output(rpc.infer(message), "embedding", "FP32", [1, SIZE])
    except rpc.grpc.RpcError as error:
        expect.same("gRPC status", error.code().name, "INVALID_ARGUMENT")


@check(STRICT, needs="minilm")
def curl_example(target):
    """The request of the README's first screen works as it is written there."""
    body = (
        '{"inputs":[{"name":"text","shape":[1],"datatype":"BYTES","data":["Where is my order?"]}]}'
    )
    answer = curl("-s", target.rest.url + "/v2/models/minilm/infer", "-d", body).ok()
    vector = values_of(answer, "embedding", "FP32", [1, SIZE])
    check_alike("embedding", vector, embed(target, "minilm", ["Where is my order?"])[0])
