"""What the queries share: rows as values, and the insert that both kinds of database know."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy.dialects import postgresql, sqlite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import ColumnElement, Table
    from sqlalchemy.ext.asyncio import AsyncConnection

Value = str | int | None
Record = TypeVar("Record")


def insert(connection: AsyncConnection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Begin an INSERT that can say what to do on a conflict; the two dialects spell it alike."""
    if connection.dialect.name == "sqlite":
        return sqlite.insert(table)
    return postgresql.insert(table)


def columns(record: type[Any], sources: Mapping[str, ColumnElement[Any]]) -> list[ColumnElement[Any]]:
    """List the columns that fill the dataclass `record`, in the order of its fields."""
    return [sources[field.name].label(field.name) for field in fields(record)]


def records(record: type[Record], rows: Sequence[Any]) -> list[Record]:
    """Make a value of each row selected with :func:`columns`."""
    return [record(*row) for row in rows]
