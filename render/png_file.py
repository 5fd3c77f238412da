"""A PNG file assembled from rows that are compressed in parts.

Each part is a sequence of whole deflate blocks that refer to no other part (RFC 1951), so a part can be
kept and used in any file; the checksum of a file follows from those of its parts (RFC 1950).
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, NamedTuple

try:
    from zlib_ng import zlib_ng as zlib
except ModuleNotFoundError:  # there is no wheel for this system; the same pixels, with more time
    import zlib  # type: ignore[no-redef]

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_ZLIB_HEADER, _FINAL_BLOCK = b"\x78\x9c", b"\x03\x00"
_LEVEL, _RAW_DEFLATE = 6, -15
_PALETTE_DEPTH, _PALETTE_COLOUR = 8, 3
_ADLER_MODULUS = 65521


class CompressedRows(NamedTuple):
    """Compressed rows of pixels, with the number of bytes and the two sums of Adler-32 before compression."""

    blocks: bytes
    length: int
    sum: int
    sum_of_sums: int


def compress_rows(rows: bytes) -> CompressedRows:
    """Compress rows, each a zero (the filter "None") and the pixels, a byte each."""
    compressor = zlib.compressobj(_LEVEL, wbits=_RAW_DEFLATE)
    blocks = compressor.compress(rows) + compressor.flush(zlib.Z_SYNC_FLUSH)
    checksum = zlib.adler32(rows, 0)
    return CompressedRows(blocks, len(rows), checksum & 0xFFFF, checksum >> 16)


def format_png(width: int, height: int, palette: Sequence[int], parts: Iterable[CompressedRows]) -> bytes:
    """Return the file of a picture whose pixels are indexes of `palette` (red, green, blue, red, ...).

    `parts` are its rows from the top.
    """
    blocks, low, high = [_ZLIB_HEADER], 1, 0
    for part in parts:
        blocks.append(part.blocks)
        high = (high + part.length * low + part.sum_of_sums) % _ADLER_MODULUS
        low = (low + part.sum) % _ADLER_MODULUS
    blocks += (_FINAL_BLOCK, struct.pack(">HH", high, low))
    header = struct.pack(">IIBBBBB", width, height, _PALETTE_DEPTH, _PALETTE_COLOUR, 0, 0, 0)
    return b"".join(
        (
            _SIGNATURE,
            _chunk(b"IHDR", header),
            _chunk(b"PLTE", bytes(palette)),
            _chunk(b"IDAT", b"".join(blocks)),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
