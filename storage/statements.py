"""Helpers for queries: rows as dataclasses, and INSERT with conflict handling for both databases."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import func, select
from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import ColumnElement, Table
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.ext.asyncio import AsyncConnection

ColumnValue = str | int | None
Columns: TypeAlias = "Mapping[str, Any]"  # values by the name of their column
RowT = TypeVar("RowT")


def dialect_insert(connection: AsyncConnection | str, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an INSERT that supports ON CONFLICT, for the dialect of a connection or with a name.

    Both dialects spell it alike.
    """
    dialect = connection if isinstance(connection, str) else connection.dialect.name
    if dialect == "sqlite":
        return sqlite.insert(table)
    from sqlalchemy.dialects import postgresql  # noqa: PLC0415 - 2 MiB that SQLite needs not

    return postgresql.insert(table)


def is_not_newest(table: Table) -> ColumnElement[bool]:
    """Return the condition of rows that are not the newest of a table: SQLite gives its id to the next."""
    rows = table.alias("all_rows")
    return table.c.id < select(func.max(rows.c.id)).scalar_subquery()


def without_index(column: ColumnElement[str]) -> ColumnElement[str]:
    """Return a text column as an expression that no index covers.

    For a condition that holds for many rows next to one that holds for few: without statistics a planner
    takes the one for the other.
    """
    return column.concat("")


def columns_for(row_type: type[Any], sources: Mapping[str, ColumnElement[Any]]) -> list[ColumnElement[Any]]:
    """Return the columns that fill the dataclass `row_type`, in the order of its fields."""
    return [sources[field.name].label(field.name) for field in fields(row_type)]


def convert_rows(row_type: type[RowT], rows: Sequence[Any]) -> list[RowT]:
    """Return rows selected with :func:`columns_for` as dataclass instances."""
    return [row_type(*row) for row in rows]
