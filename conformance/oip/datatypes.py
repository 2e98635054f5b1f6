"""The protocol's data types: raw form, gRPC field and values worth sending."""

import math
import struct
from dataclasses import dataclass


@dataclass(frozen=True)
class DataType:
    """code is struct's, None for BF16 and BYTES; contents is the field of InferTensorContents."""

    name: str
    code: str
    contents: str
    values: tuple

    @property
    def size(self):
        return {"BF16": 2, "BYTES": 0}.get(self.name) or (self.code and struct.calcsize(self.code))

    @property
    def integer(self):
        return "INT" in self.name

    @property
    def bounds(self):
        bits = 8 * self.size
        return (
            (0, 2**bits - 1) if self.name[0] == "U" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        )

    def pack(self, values):
        """The raw form: little-endian, row-major, no padding."""
        if self.name == "BYTES":
            return b"".join(struct.pack("<I", len(b)) + b for b in map(as_bytes, values))
        if self.name == "BF16":
            return b"".join(map(brain_float, values))
        return struct.pack(f"<{len(values)}{self.code}", *values)

    def unpack(self, raw):
        if self.name == "BYTES":
            return unpack_strings(raw)
        if self.name == "BF16":
            return [struct.unpack("<f", b"\0\0" + raw[i : i + 2])[0] for i in range(0, len(raw), 2)]
        return list(struct.unpack(f"<{len(raw) // self.size}{self.code}", raw))

    def bits(self, values):
        """As pack, for values read from JSON, where 1.0 and 1 are the same number."""
        return self.pack([float(v) for v in values] if self.name[:2] in ("FP", "BF") else values)


def as_bytes(value):
    return value if isinstance(value, bytes) else value.encode()


def brain_float(value):
    """The upper half of a single, rounded to nearest even."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    return struct.pack("<H", (bits + 0x7FFF + (bits >> 16 & 1)) >> 16)


def unpack_strings(raw):
    strings, at = [], 0
    while at < len(raw):
        (length,) = struct.unpack_from("<I", raw, at)
        at += 4 + length
        strings.append(raw[at - length : at])
    return strings


def _integer(name, code, contents):
    kind = DataType(name, code, contents, ())
    low, high = kind.bounds
    odd = (2**53 + 1,) if kind.size == 8 else (42,)
    below = (-1,) if low < 0 else (high // 2 + 1,)
    return DataType(name, code, contents, (low, high, 0, 1) + below + odd)


def _single(bits):
    return struct.unpack("<f", struct.pack("<I", bits))[0]


DATA_TYPES = {
    kind.name: kind
    for kind in (
        DataType("BOOL", "?", "bool_contents", (True, False, True, True)),
        _integer("UINT8", "B", "uint_contents"),
        _integer("UINT16", "H", "uint_contents"),
        _integer("UINT32", "I", "uint_contents"),
        _integer("UINT64", "Q", "uint64_contents"),
        _integer("INT8", "b", "int_contents"),
        _integer("INT16", "h", "int_contents"),
        _integer("INT32", "i", "int_contents"),
        _integer("INT64", "q", "int64_contents"),
        DataType("FP16", "e", "", (1.5, -0.0, 65504.0, -65504.0, 2.0**-14, 2.0**-24, 1 / 3)),
        DataType("BF16", None, "", (1.5, -0.0, _single(0x7F7F0000), _single(0x00010000), -3.0)),
        DataType(
            "FP32",
            "f",
            "fp32_contents",
            (0.1, -0.0, 1.5, _single(0x7F7FFFFF), _single(1), _single(0xFF7FFFFF), 16777216.0),
        ),
        DataType(
            "FP64",
            "d",
            "fp64_contents",
            (0.1, -0.0, 1234567.891234567, 1.7976931348623157e308, 5e-324, 2.0**53 + 2),
        ),
        DataType(
            "BYTES",
            None,
            "bytes_contents",
            ("", "a", "grüß", "日本語", "😀", 'quote " back \\ line \n tab \t', "nul \0", "x" * 5000),
        ),
    )
}
HALVES = ("FP16", "BF16")
FLOATS = HALVES + ("FP32", "FP64")
INTEGERS = tuple(name for name, kind in DATA_TYPES.items() if kind.integer)
IN_JSON = tuple(name for name in DATA_TYPES if name not in HALVES)

NAN_BITS = {
    # A quiet NaN with a payload, a negative one, both infinities.
    "FP16": (0x7E01, 0xFE00, 0x7C00, 0xFC00),
    "BF16": (0x7FC1, 0xFFC0, 0x7F80, 0xFF80),
    "FP32": (0x7FC00001, 0xFFC00000, 0x7F800000, 0xFF800000),
    "FP64": (0x7FF8000000000001, 0xFFF8000000000000, 0x7FF0000000000000, 0xFFF0000000000000),
}


def nan_raw(name):
    code = {2: "H", 4: "I", 8: "Q"}[DATA_TYPES[name].size]
    return struct.pack(f"<4{code}", *NAN_BITS[name])


def flattened(data):
    """The elements of nested lists in row-major order."""
    if not isinstance(data, list):
        return [data]
    return [element for part in data for element in flattened(part)]


def nested(values, shape):
    if len(shape) <= 1:
        return list(values)
    step = math.prod(shape[1:])
    return [nested(values[i * step : (i + 1) * step], shape[1:]) for i in range(shape[0])]
