"""Formatting of a record as its canonical text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.records.record import Record, RecordEntry

ONGOING: Final = "*"
"""The result of an unfinished match."""

_QUOTE = '"'
_BRACE = "}"

_ZERO_WIDTH_JOINERS = "\u200c\u200d"
"""Invisible characters that some scripts and emoji need; they are not escaped."""

_SHORT_ESCAPES = {"\n": "\\n", "\t": "\\t", "\\": "\\\\"}


def format_record(record: Record) -> str:
    """Return the text of `record` with one turn on each line.

    If all moves are legal, :func:`~engine.records.parsing.parse_record` returns an equal record.
    """
    lines = [f'[{name} "{escape(value, closing=_QUOTE)}"]' for name, value in _header_pairs(record)]
    lines.append("")
    if record.comment:
        lines.append(_format_comment(record.comment))
    lines += [_format_entry(number, entry) for number, entry in enumerate(record.entries, 1)]
    return "\n".join((*lines, record.result or ONGOING, ""))


def escape(text: str, *, closing: str) -> str:
    """Return `text` with `closing`, backslashes and characters that are not printable escaped."""
    return "".join(_escape_character(character, closing) for character in text)


def _escape_character(character: str, closing: str) -> str:
    if character == closing:
        return f"\\{character}"
    if character == "\n" and closing == _BRACE:
        return character
    if character in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[character]
    if character.isprintable() or character in _ZERO_WIDTH_JOINERS:
        return character
    units = character.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _header_pairs(record: Record) -> Iterator[tuple[str, str]]:
    yield "Game", record.game
    yield "Rules", str(record.rules_version)
    order = [option.name for option in record.rules.options]
    options = sorted(record.options.items(), key=lambda option: order.index(option[0]))
    yield "Options", " ".join(f"{name}={value}" for name, value in options)
    known = (
        ("Start", record.start),
        *((side.capitalize(), name) for side, name in zip(record.rules.sides, record.players, strict=True)),
        ("Began", record.began),
        ("Ended", record.ended),
        ("TimeControl", record.time_control),
    )
    yield from ((name, value) for name, value in known if value)
    yield "Result", record.result or ONGOING
    if record.reason:
        yield "Reason", record.reason
    yield from record.other_headers


def _format_entry(number: int, entry: RecordEntry) -> str:
    text = f"{number}. {entry.move}"
    return f"{text} {_format_comment(entry.comment)}" if entry.comment else text


def _format_comment(comment: str) -> str:
    return f"{{{escape(comment, closing=_BRACE)}}}"
