"""The models that checks ask for, by name and tensors. README.md lists what each computes."""

from oip.datatypes import DATA_TYPES


def _model(inputs, outputs):
    """Tensors as {name: datatype}, from "name TYPE, name TYPE"."""
    return tuple(dict(t.split() for t in side.split(", ")) for side in (inputs, outputs))


TOKENS = "input_ids INT64, attention_mask INT64, token_type_ids INT64"
TEXT = {
    "minilm": _model("text BYTES", "embedding FP32"),
    "minilm-int8": _model("text BYTES", "embedding FP32"),
    "minilm-tokens": _model(TOKENS, "last_hidden_state FP32"),
    "minilm-int8-tokens": _model(TOKENS, "last_hidden_state FP32"),
}
FIXTURES = {
    **{
        f"identity_{name.lower()}": _model(f"INPUT0 {name}", f"OUTPUT0 {name}")
        for name in DATA_TYPES
    },
    "add_sub": _model("INPUT0 FP32, INPUT1 FP32", "OUTPUT0 FP32, OUTPUT1 FP32"),
    "division": _model("x FP32, y FP32", "quotient FP32"),
    "linear": _model("x FP32", "y FP32"),
    "linear-v1.0.1": _model("x FP32", "y FP32"),
    "scalar": _model("x FP32", "y FP32"),
    "filter": _model("x FP32, threshold FP32", "kept FP32"),
    "gather": _model("ids INT64", "rows FP32"),
    "accumulator": _model("x FP32", "sum FP32"),
    "batch_size": _model("x FP32", "size INT64"),
    "batch_reduce": _model("x FP32", "sum FP32"),
    "fixed_batch": _model("x FP32", "y FP32"),
    "slow": _model("iterations INT64", "done INT64"),
    "versions": _model("x FP32", "version INT64"),
    "reload": _model("x FP32", "version INT64"),
}
SETS = {"fixtures": FIXTURES, "text": TEXT}


def tensors_of(name):
    return (FIXTURES | TEXT)[name]
