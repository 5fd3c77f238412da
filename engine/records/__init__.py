"""Records: one match as plain text. docs/records.md describes the format.

>>> entries = (RecordEntry("D6"), RecordEntry("D2", comment="far away"))
>>> record = Record("morabaraba", 1, {"men": 12}, entries, players=("Ann", "Ben"), began="2026-11-20")
>>> text = format_record(record)
>>> print(text)
[Game "morabaraba"]
[Rules "1"]
[Options "men=12"]
[White "Ann"]
[Red "Ben"]
[Began "2026-11-20"]
[Result "*"]
<BLANKLINE>
1. D6
2. D2 {far away}
*
<BLANKLINE>
>>> parse_record(text) == record
True
>>> [str(position.to_move) for position in record.positions()]
['white', 'red', 'white']

An error has its place in the text.

>>> parse_record(text.replace("D2", "D6"))
Traceback (most recent call last):
engine.records.errors.RecordMoveError: Line 10, column 4: D6: D6 already holds a white man.
"""

from engine.records.errors import (
    RecordError,
    RecordHeaderError,
    RecordMoveError,
    RecordResultError,
    RecordSizeError,
    RecordSyntaxError,
    TextLocation,
)
from engine.records.formatting import format_record
from engine.records.parsing import MAX_RECORD_BYTES, MAX_RECORD_TURNS, parse_record
from engine.records.record import AGREED, PLAYED, RESIGNED, Record, RecordEntry, format_moment

__all__ = [
    "AGREED",
    "MAX_RECORD_BYTES",
    "MAX_RECORD_TURNS",
    "PLAYED",
    "RESIGNED",
    "Record",
    "RecordEntry",
    "RecordError",
    "RecordHeaderError",
    "RecordMoveError",
    "RecordResultError",
    "RecordSizeError",
    "RecordSyntaxError",
    "TextLocation",
    "format_moment",
    "format_record",
    "parse_record",
]
