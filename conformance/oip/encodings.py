"""Compressed bodies. Brotli and Zstandard have no encoder in the standard library, so these write
blocks that are stored, which every decoder must read."""

import gzip
import struct
import zlib

BLOCK = 1 << 16


def brotli_stored(body):
    """RFC 7932: a window of 16 bits, uncompressed meta-blocks, an empty last meta-block."""
    out = bytearray()
    for start in range(0, len(body), BLOCK):
        block = body[start : start + BLOCK]
        # WBITS = 16 is one 0 bit, on the first only; ISLAST 0, MNIBBLES 0 (4), MLEN-1, then
        # ISUNCOMPRESSED 1 and padding to a byte.
        header = (len(block) - 1) << 3 | 1 << 19
        if start == 0:
            header <<= 1
        out += header.to_bytes(3, "little") + block
    return bytes(out) + b"\x03" if body else b"\x06"


def zstd_stored(body):
    """RFC 8878: magic, a single-segment frame with its content size, raw blocks."""
    out = bytearray(struct.pack("<IB", 0xFD2FB528, 0b1110_0000) + struct.pack("<Q", len(body)))
    starts = range(0, max(len(body), 1), BLOCK)
    for start in starts:
        block = body[start : start + BLOCK]
        last = 1 if start == starts[-1] else 0
        out += (len(block) << 3 | last).to_bytes(3, "little") + block
    return bytes(out)


ENCODERS = {
    "gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": brotli_stored,
    "zstd": zstd_stored,
}
DECODERS = {"gzip": gzip.decompress, "deflate": zlib.decompress}
