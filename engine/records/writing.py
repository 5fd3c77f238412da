"""Writing a record down in its one canonical form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.records.values import Entry, Record

GOES_ON: Final = "*"
"""The result of a match that goes on."""

_QUOTE = '"'
_BRACE = "}"

_JOINERS = "\u200c\u200d"
"""Invisible, but part of how some scripts and signs are written."""

_SHORT = {"\n": "\\n", "\t": "\\t", "\\": "\\\\"}


def write(record: Record) -> str:
    """Give the text of `record`, one turn a line. If its moves can be played, reading gives it back."""
    lines = [f'[{name} "{escaped(value, closing=_QUOTE)}"]' for name, value in _headers(record)]
    lines.append("")
    if record.comment:
        lines.append(_braced(record.comment))
    lines += [_turn(number, entry) for number, entry in enumerate(record.entries, 1)]
    return "\n".join((*lines, record.result or GOES_ON, ""))


def escaped(text: str, *, closing: str) -> str:
    """Give `text` with backslashes before `closing` and backslashes, and for what cannot be seen."""
    return "".join(_sign(sign, closing) for sign in text)


def _sign(sign: str, closing: str) -> str:
    if sign == closing:
        return f"\\{sign}"
    if sign == "\n" and closing == _BRACE:
        return sign
    if sign in _SHORT:
        return _SHORT[sign]
    if sign.isprintable() or sign in _JOINERS:
        return sign
    units = sign.encode("utf-16-be").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))


def _headers(record: Record) -> Iterator[tuple[str, str]]:
    yield "Game", record.game
    yield "Rules", str(record.rules_version)
    order = [option.name for option in record.rules.options]
    options = sorted(record.options.items(), key=lambda option: order.index(option[0]))
    yield "Options", " ".join(f"{name}={value}" for name, value in options)
    known = (
        ("Start", record.start),
        *((side.capitalize(), name) for side, name in zip(record.rules.sides, record.people, strict=True)),
        ("Began", record.began),
        ("Ended", record.ended),
        ("Pace", record.pace),
    )
    yield from ((name, value) for name, value in known if value)
    yield "Result", record.result or GOES_ON
    if record.reason:
        yield "Reason", record.reason
    yield from record.others


def _turn(number: int, entry: Entry) -> str:
    turn = f"{number}. {entry.move}"
    return f"{turn} {_braced(entry.comment)}" if entry.comment else turn


def _braced(comment: str) -> str:
    return f"{{{escaped(comment, closing=_BRACE)}}}"
