"""Helpers for queries: rows as dataclasses, and INSERT with conflict handling for both databases."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from sqlalchemy import func, insert, select
from sqlalchemy.dialects import sqlite

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from sqlalchemy import ColumnElement, Executable, Select, Table
    from sqlalchemy.dialects import postgresql
    from sqlalchemy.ext.asyncio import AsyncConnection
    from sqlalchemy.sql.dml import ReturningInsert

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


async def insert_row(connection: AsyncConnection, table: Table, **values: ColumnValue) -> int:
    """Insert a row of columns and return its id."""
    row_id: int = (await connection.execute(_insert_statement(table), values)).scalar_one()
    return row_id


@cache
def _insert_statement(table: Table) -> ReturningInsert[Any]:
    return insert(table).returning(table.c.id)


async def insert_if_new(connection: AsyncConnection, table: Table, **values: ColumnValue) -> bool:
    """Insert a row unless there is one with the same key; return whether it was inserted."""
    insertion = dialect_insert(connection, table).values(**values).on_conflict_do_nothing()
    return (await connection.execute(insertion)).rowcount == 1


async def insert_or_update(
    connection: AsyncConnection, table: Table, key: Mapping[str, ColumnValue], **values: Any
) -> None:
    """Insert a row, or set the columns `values` of the one that has this key."""
    insertion = dialect_insert(connection, table).values(**key, **values)
    updated = {name: insertion.excluded[name] for name in values}
    await connection.execute(insertion.on_conflict_do_update(index_elements=list(key), set_=updated))


def is_not_newest(table: Table) -> ColumnElement[bool]:
    """Return the condition of rows that are not the newest of a table: SQLite gives its id to the next."""
    return table.c.id < select(func.max(table.alias("all_rows").c.id)).scalar_subquery()


def without_index(column: ColumnElement[str]) -> ColumnElement[str]:
    """Return a text column as an expression that no index covers.

    For a condition that holds for many rows next to one that holds for few: without statistics a planner
    takes the one for the other.
    """
    return column.concat("")


def columns_for(row_type: type[Any], sources: Mapping[str, ColumnElement[Any]]) -> list[ColumnElement[Any]]:
    """Return the columns that fill the dataclass `row_type`, in the order of its fields."""
    return [sources[field.name].label(field.name) for field in fields(row_type)]


def select_rows(row_type: type[Any], table: Table) -> Select[Any]:
    """Select the columns of a table that fill the dataclass `row_type`."""
    return select(*columns_for(row_type, dict(table.c)))


async def fetch_rows(
    connection: AsyncConnection,
    row_type: type[RowT],
    statement: Executable,
    values: Mapping[str, Any] | None = None,
) -> list[RowT]:
    """Return the rows of a statement made with :func:`columns_for`; `values` are its parameters."""
    return convert_rows(row_type, (await connection.execute(statement, values)).all())


async def fetch_row(
    connection: AsyncConnection,
    row_type: type[RowT],
    statement: Executable,
    values: Mapping[str, Any] | None = None,
) -> RowT | None:
    """Return the first row as :func:`fetch_rows` does, or None."""
    return next(iter(await fetch_rows(connection, row_type, statement, values)), None)


async def fetch_dict(connection: AsyncConnection, statement: Executable) -> dict[Any, Any]:
    """Return the rows of a statement with two columns as a dictionary."""
    return {key: value for key, value in await connection.execute(statement)}  # noqa: C416 - rows are no tuples


async def has_row(connection: AsyncConnection, statement: Executable) -> bool:
    """Return whether a statement finds anything."""
    return (await connection.execute(statement)).first() is not None


async def count_where(connection: AsyncConnection, table: Table, *where: ColumnElement[bool]) -> int:
    """Count the rows of a table for which all conditions hold."""
    statement = select(func.count()).select_from(table).where(*where)
    return (await connection.execute(statement)).scalar_one()


def convert_rows(row_type: type[RowT], rows: Sequence[Any]) -> list[RowT]:
    """Return rows selected with :func:`columns_for` as dataclass instances."""
    return [row_type(*row) for row in rows]
