"""Comments on positions of an analysis board. The link holds them compressed, so that many fit into it."""

from __future__ import annotations

import base64
import binascii
import json
import unicodedata
import zlib
from typing import TYPE_CHECKING

from matches import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    Line = tuple[str, ...]
    Comment = tuple[Line, str]  # the moves before the position, and the text

MAX_COMMENTS = 100
MAX_COMMENT_LENGTH = 1000  # characters
MAX_CHARACTERS = 12_000  # of all comments of a link
MAX_BYTES = 5 * MAX_CHARACTERS  # of them before they are compressed, with the numbers of their positions
# They turn the direction of the text after them, so that it reads as something else; emoji need other signs
# of their category.
TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
RAW = -zlib.MAX_WBITS  # without header and checksum


def find_comment(comments: Sequence[Comment], moves: Line) -> str:
    """Return the comment on the position after some moves, empty if there is none."""
    return next((text for line, text in comments if line == moves), "")


def set_comment(comments: Sequence[Comment], moves: Line, text: str) -> tuple[Comment, ...]:
    """Return the comments with one on the position after some moves; an empty text removes it.

    Raises `comment_length`, `analysis_full`.
    """
    text = clean_comment(text)
    if len(text) > MAX_COMMENT_LENGTH:
        raise Refusal("comment_length", limit=MAX_COMMENT_LENGTH, size=len(text))
    others = tuple(one for one in comments if one[0] != moves)
    if text and (len(others) == MAX_COMMENTS or _count(others) + len(text) > MAX_CHARACTERS):
        raise Refusal("analysis_full")
    return (*others, (moves, text)) if text else others


def keep_on_lines(comments: Sequence[Comment], lines: Sequence[Line]) -> tuple[Comment, ...]:
    """Return the comments whose positions are on one of the lines."""
    return tuple(one for one in comments if _find_line(lines, one[0]) is not None)


def move_comments(
    comments: Sequence[Comment], lines: Sequence[Line], new_lines: Sequence[Line]
) -> tuple[Comment, ...]:
    """Return the comments on the lines that take the places of `lines`, move for move as far as they go."""
    moved: dict[Line, str] = {}
    for moves, text in comments:
        index = _find_line(lines, moves)
        if index is not None and len(new_lines[index]) >= len(moves):
            moved.setdefault(new_lines[index][: len(moves)], text)
    return tuple(moved.items())


def encode_comments(comments: Sequence[Comment], lines: Sequence[Line]) -> str:
    """Return the comments as text for a link; each names a line and how many of its moves are played."""
    rows = sorted((_find_line(lines, moves) or 0, len(moves), text) for moves, text in comments)
    data = json.dumps(rows, ensure_ascii=False, separators=(",", ":")).encode()
    packer = zlib.compressobj(9, wbits=RAW)
    return base64.urlsafe_b64encode(packer.compress(data) + packer.flush()).decode().rstrip("=")


def decode_comments(text: str, lines: Sequence[Line]) -> tuple[Comment, ...]:
    """Return the comments of a link. Raises `comments_unreadable`."""
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        found = json.loads(zlib.decompressobj(RAW).decompress(data, MAX_BYTES))
        comments = tuple(dict(_read_rows(found, lines)).items())
    except (binascii.Error, zlib.error, ValueError, TypeError, IndexError, RecursionError) as error:
        raise Refusal("comments_unreadable") from error
    if _count(comments) > MAX_CHARACTERS:
        raise Refusal("comments_unreadable")
    return comments


def _read_rows(rows: object, lines: Sequence[Line]) -> Iterator[Comment]:
    if not isinstance(rows, list) or len(rows) > MAX_COMMENTS:
        raise TypeError
    for index, count, text in rows:
        if not (isinstance(index, int) and isinstance(count, int) and isinstance(text, str)):
            raise TypeError
        cleaned = clean_comment(text)[:MAX_COMMENT_LENGTH]
        if index >= 0 and 0 <= count <= len(lines[index]) and cleaned:
            yield lines[index][:count], cleaned


def clean_comment(text: str) -> str:
    """Return a text without control characters and what no text can hold; lines and emoji stay."""
    text = text.replace("\r\n", "\n")
    return "".join(sign for sign in text if sign == "\n" or not _is_control(sign)).strip()


def _is_control(sign: str) -> bool:
    return sign in TURNING or unicodedata.category(sign) in {"Cc", "Cs"}


def _count(comments: Sequence[Comment]) -> int:
    return sum(len(text) for _, text in comments)


def _find_line(lines: Sequence[Line], moves: Line) -> int | None:
    """Return the first line that begins with some moves."""
    return next((index for index, line in enumerate(lines) if line[: len(moves)] == moves), None)
