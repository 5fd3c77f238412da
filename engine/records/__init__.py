"""Records: one match as plain text. docs/records.md describes the format."""

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
