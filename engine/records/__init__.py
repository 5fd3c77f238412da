"""Records: one match as plain text, written and read back. The format is told in docs/records.md."""

from engine.records.errors import (
    Place,
    RecordError,
    RecordHeaderError,
    RecordMoveError,
    RecordResultError,
    RecordSizeError,
    RecordSyntaxError,
)
from engine.records.reading import LARGEST, LONGEST, read
from engine.records.values import AGREED, PLAYED, RESIGNED, Entry, Record, stamp
from engine.records.writing import write

__all__ = [
    "AGREED",
    "LARGEST",
    "LONGEST",
    "PLAYED",
    "RESIGNED",
    "Entry",
    "Place",
    "Record",
    "RecordError",
    "RecordHeaderError",
    "RecordMoveError",
    "RecordResultError",
    "RecordSizeError",
    "RecordSyntaxError",
    "read",
    "stamp",
    "write",
]
