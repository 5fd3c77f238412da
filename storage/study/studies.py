"""Studies and their chapters. What a state of a chapter contains is defined by the website."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import bindparam, delete, func, insert, select, update

from storage.statements import columns_for, count_where, fetch_row, fetch_rows, insert_if_new, select_rows
from storage.tables import CHAPTERS, PEOPLE, STUDIES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.ext.asyncio import AsyncConnection

    from storage.statements import ColumnValue


@dataclass(frozen=True, slots=True)
class StudyRow:
    """A study with its owner's name and the number of its chapters; times are milliseconds since 1970 UTC."""

    key: str
    owner: str
    owner_name: str
    owner_alias: str | None
    is_closed: bool
    name: str
    audience: str
    numbered: int
    changed_at: int
    hidden_at: int | None
    chapters: int


@dataclass(frozen=True, slots=True)
class ChapterNameRow:
    """A chapter without its board."""

    number: int
    place: int
    name: str
    game: str


@dataclass(frozen=True, slots=True)
class ChapterRow:
    """A chapter; see `storage.tables.CHAPTERS`."""

    study: str
    number: int
    owner: str
    place: int
    name: str
    game: str
    match: int | None
    state: str
    revision: int
    changed_at: int


async def get(connection: AsyncConnection, key: str) -> StudyRow | None:
    """Return a study, None if there is none."""
    return await fetch_row(connection, StudyRow, _study_statement(), {"study_key": key})


async def lock(connection: AsyncConnection, key: str, owner: str) -> bool:
    """Lock a study of this owner until the commit; return whether there is one."""
    where = (STUDIES.c.key == key, STUDIES.c.owner == owner)
    statement = select(STUDIES.c.key).where(*where).with_for_update(key_share=True)
    return (await connection.execute(statement)).first() is not None


async def list_of(
    connection: AsyncConnection, owner: str, audience: str | None, limit: int
) -> list[StudyRow]:
    """Return studies of an owner, the last changed first; with an audience those that are not hidden."""
    where = [STUDIES.c.owner == owner]
    if audience is not None:
        where += [STUDIES.c.audience == audience, STUDIES.c.hidden_at.is_(None)]
    order = (STUDIES.c.changed_at.desc(), STUDIES.c.key)
    return await fetch_rows(connection, StudyRow, _select_studies(*where).order_by(*order).limit(limit))


async def count(connection: AsyncConnection, owner: str) -> int:
    """Count the studies of an owner."""
    return await count_where(connection, STUDIES, STUDIES.c.owner == owner)


async def add(connection: AsyncConnection, **values: ColumnValue) -> bool:
    """Insert a study without chapters unless there is one with this key; return whether it was inserted."""
    return await insert_if_new(connection, STUDIES, numbered=0, **values)


async def change(connection: AsyncConnection, key: str, **values: Any) -> None:
    """Write columns of a study."""
    await connection.execute(update(STUDIES).where(STUDIES.c.key == key).values(**values))


async def set_hidden(connection: AsyncConnection, key: str, owner: str, hidden_at: int | None) -> str | None:
    """Hide a study of an owner from others, or with None end that; return its name if it changes anything."""
    is_other = STUDIES.c.hidden_at.is_not(None) if hidden_at is None else STUDIES.c.hidden_at.is_(None)
    where = (STUDIES.c.key == key, STUDIES.c.owner == owner, is_other)
    statement = update(STUDIES).where(*where).values(hidden_at=hidden_at).returning(STUDIES.c.name)
    name: str | None = (await connection.execute(statement)).scalar_one_or_none()
    return name


async def remove(connection: AsyncConnection, key: str) -> None:
    """Delete a study with its chapters."""
    await connection.execute(delete(CHAPTERS).where(CHAPTERS.c.study == key))
    await connection.execute(delete(STUDIES).where(STUDIES.c.key == key))


def _select_studies(*where: ColumnElement[bool]) -> Select[Any]:
    chapters = select(func.count()).where(CHAPTERS.c.study == STUDIES.c.key).scalar_subquery()
    owner = {
        "owner_name": PEOPLE.c.name,
        "owner_alias": PEOPLE.c.alias,
        "is_closed": PEOPLE.c.closed_at.is_not(None),
    }
    columns = columns_for(StudyRow, {**STUDIES.c, **owner, "chapters": chapters})
    return select(*columns).join(PEOPLE, PEOPLE.c.account == STUDIES.c.owner).where(*where)


# Chapters.


async def list_chapters(connection: AsyncConnection, study: str) -> list[ChapterNameRow]:
    """Return the chapters of a study in order."""
    return await fetch_rows(connection, ChapterNameRow, _names_statement(), {"study_key": study})


async def get_chapter(connection: AsyncConnection, study: str, number: int) -> ChapterRow | None:
    """Return a chapter, None if there is none."""
    values = {"study_key": study, "chapter": number}
    return await fetch_row(connection, ChapterRow, _chapter_statement(), values)


async def find_equal(connection: AsyncConnection, study: str, name: str, state: str) -> Sequence[ChapterRow]:
    """Return the chapters of a study with this name and state."""
    where = (CHAPTERS.c.study == study, CHAPTERS.c.name == name, CHAPTERS.c.state == state)
    return await fetch_rows(connection, ChapterRow, select_rows(ChapterRow, CHAPTERS).where(*where))


async def add_chapter(connection: AsyncConnection, chapter: ChapterRow) -> None:
    """Insert a chapter."""
    await connection.execute(insert(CHAPTERS), asdict(chapter))


async def change_chapter(connection: AsyncConnection, study: str, number: int, **values: Any) -> None:
    """Write columns of a chapter."""
    await connection.execute(update(CHAPTERS).where(*_is_chapter(study, number)).values(**values))


async def remove_chapter(connection: AsyncConnection, study: str, number: int) -> None:
    """Delete a chapter."""
    await connection.execute(delete(CHAPTERS).where(*_is_chapter(study, number)))


@cache
def _study_statement() -> Select[Any]:
    return _select_studies(STUDIES.c.key == bindparam("study_key"))


@cache
def _names_statement() -> Select[Any]:
    own = CHAPTERS.c.study == bindparam("study_key")
    order = (CHAPTERS.c.place, CHAPTERS.c.number)
    return select_rows(ChapterNameRow, CHAPTERS).where(own).order_by(*order)


@cache
def _chapter_statement() -> Select[Any]:
    own = (CHAPTERS.c.study == bindparam("study_key"), CHAPTERS.c.number == bindparam("chapter"))
    return select_rows(ChapterRow, CHAPTERS).where(*own)


def _is_chapter(study: str, number: int) -> tuple[ColumnElement[bool], ...]:
    return CHAPTERS.c.study == study, CHAPTERS.c.number == number
