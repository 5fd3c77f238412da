"""Studies: stored, changed and shared by their owners, and read by others."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from matches.errors import Refusal
from matches.names import clean_line
from matches.studies.values import (
    MAX_CHAPTERS,
    MAX_NAME_LENGTH,
    MAX_STUDIES,
    Chapter,
    ChapterBoard,
    ChapterOutline,
    Study,
    StudyAudience,
    StudyKey,
    StudyOutline,
)
from matches.times import from_millis, to_millis
from matches.values import MatchId, Person
from storage.people import personal_data
from storage.study import studies
from storage.study.studies import ChapterRow

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from storage import Connection, Database
    from storage.study.studies import StudyRow


class Studies:
    """The studies of a database.

    Methods that take `owner` raise `study_unknown` for a study of anybody else, as for one that does not
    exist; those that take the number of a chapter also `chapter_unknown`.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list_own(self, owner: str) -> tuple[StudyOutline, ...]:
        """Return the studies of an account, the last changed first."""
        return await self._list(owner, None)

    async def list_public(self, owner: str) -> tuple[StudyOutline, ...]:
        """Return the studies that the page of an account shows."""
        return await self._list(owner, StudyAudience.PUBLIC)

    async def load(self, key: StudyKey, reader: str | None, *, is_moderator: bool = False) -> Study:
        """Return a study for the account `reader`, None for somebody who is not signed in.

        Raises `study_unknown`, also for a study that the reader may not see. A moderator sees one that is
        hidden, but none that is private.
        """
        async with self._database.read() as connection:
            return await _load(connection, key, reader, is_moderator=is_moderator)

    async def load_chapter(
        self, key: StudyKey, number: int, reader: str | None, *, is_moderator: bool = False
    ) -> tuple[Study, Chapter]:
        """Return a chapter with its study, as :meth:`load` does. Raises `chapter_unknown` too."""
        async with self._database.read() as connection:
            study = await _load(connection, key, reader, is_moderator=is_moderator)
            row = await _get_chapter(connection, key, number)
        board = ChapterBoard(row.game, row.state, None if row.match is None else MatchId(row.match))
        return study, Chapter(row.number, row.name, board, row.revision)

    async def add_chapter(
        self,
        key: StudyKey,
        owner: str,
        name: str,
        board: ChapterBoard,
        *,
        new_study: str | None = None,
        now: datetime,
    ) -> int:
        """Add a chapter at the end and return its number; the same again returns that of the first.

        `new_study` is the name of the study if it is to be made, private; if the owner has made one with this
        key before, it is that. Raises `chapter_name`, `study_full`, `study_name`, `studies_full`, and
        `signed_out` for an account that does not exist any more.
        """
        name = _check_name(name, "chapter_name")
        async with self._database.transaction() as connection:
            # Before the study, as an erasure does; so counting is safe too.
            if not await personal_data.lock_person(connection, owner, completely=False):
                raise Refusal("signed_out")
            if new_study is not None:
                await _create(connection, key, owner, _check_name(new_study), now)
            await _lock(connection, key, owner)
            for equal in await studies.find_equal(connection, key, name, board.state):
                if (equal.game, equal.match) == (board.game, board.match):
                    return equal.number
            row = await studies.get(connection, key)
            chapters = await studies.list_chapters(connection, key)
            if row is None or len(chapters) >= MAX_CHAPTERS:
                raise Refusal("study_full", limit=MAX_CHAPTERS)
            added = ChapterRow(
                study=key,
                number=row.numbered + 1,
                owner=owner,
                place=max((one.place for one in chapters), default=0) + 1,
                name=name,
                game=board.game,
                match=board.match,
                state=board.state,
                revision=1,
                changed_at=to_millis(now),
            )
            await studies.add_chapter(connection, added)
            await studies.change(connection, key, numbered=added.number, changed_at=to_millis(now))
        return added.number

    async def save_chapter(
        self, key: StudyKey, number: int, owner: str, revision: int, board: ChapterBoard, *, now: datetime
    ) -> int:
        """Replace the board of a chapter and return its new revision.

        `revision` is the one that the board was made from. Raises `chapter_changed` if the chapter has
        another board by now; the same again is no change.
        """
        async with self._change(key, owner, now) as connection:
            row = await _get_chapter(connection, key, number)
            if (row.game, row.match, row.state) == (board.game, board.match, board.state):
                return row.revision
            if row.revision != revision:
                raise Refusal("chapter_changed")
            values = {"game": board.game, "match": board.match, "state": board.state}
            changed = {"revision": revision + 1, "changed_at": to_millis(now)}
            await studies.change_chapter(connection, key, number, **values, **changed)
        return revision + 1

    async def change(
        self, key: StudyKey, owner: str, name: str, audience: StudyAudience, *, now: datetime
    ) -> None:
        """Rename a study and say who sees it; one that is hidden stays hidden. Raises `study_name`."""
        name = _check_name(name)
        async with self._change(key, owner, now) as connection:
            await studies.change(connection, key, name=name, audience=audience.value)

    async def rename_chapter(
        self, key: StudyKey, number: int, owner: str, name: str, *, now: datetime
    ) -> None:
        """Rename a chapter. Raises `chapter_name`."""
        name = _check_name(name, "chapter_name")
        async with self._change(key, owner, now) as connection:
            await _get_chapter(connection, key, number)
            await studies.change_chapter(connection, key, number, name=name)

    async def move_chapter(self, key: StudyKey, number: int, owner: str, by: int, *, now: datetime) -> None:
        """Move a chapter `by` places towards the end, or with a negative number the beginning."""
        async with self._change(key, owner, now) as connection:
            order = [one.number for one in await studies.list_chapters(connection, key)]
            if number not in order:
                raise Refusal("chapter_unknown")
            place = max(0, order.index(number) + by)
            order.remove(number)
            order.insert(place, number)
            for place, one in enumerate(order, 1):
                await studies.change_chapter(connection, key, one, place=place)

    async def delete_chapter(self, key: StudyKey, number: int, owner: str, *, now: datetime) -> None:
        """Delete a chapter; nothing if it is gone."""
        async with self._change(key, owner, now) as connection:
            await studies.remove_chapter(connection, key, number)

    async def delete(self, key: StudyKey, owner: str) -> None:
        """Delete a study with its chapters."""
        async with self._database.transaction() as connection:
            await _lock(connection, key, owner)
            await studies.remove(connection, key)

    @asynccontextmanager
    async def _change(self, key: StudyKey, owner: str, now: datetime) -> AsyncIterator[Connection]:
        """Begin a change of a study, which is locked; it is committed at the end of the block."""
        async with self._database.transaction() as connection:
            await _lock(connection, key, owner)
            yield connection
            await studies.change(connection, key, changed_at=to_millis(now))

    async def _list(self, owner: str, audience: StudyAudience | None) -> tuple[StudyOutline, ...]:
        async with self._database.read() as connection:
            # Two joined accounts can have more than one may have.
            rows = await studies.list_of(connection, owner, audience, 2 * MAX_STUDIES)
        return tuple(map(_outline, rows))


async def _load(connection: Connection, key: StudyKey, reader: str | None, *, is_moderator: bool) -> Study:
    row = await studies.get(connection, key)
    if row is None or not _is_visible(row, reader, is_moderator=is_moderator):
        raise Refusal("study_unknown")
    return Study(
        outline=_outline(row),
        owner=Person(row.owner, row.owner_name),
        has_alias=row.owner_alias is not None,
        is_own=row.owner == reader,
        chapters=tuple(
            ChapterOutline(one.number, one.name, one.game)
            for one in await studies.list_chapters(connection, key)
        ),
    )


async def _create(connection: Connection, key: StudyKey, owner: str, name: str, now: datetime) -> None:
    """Create a study unless the owner, who is locked, has one with this key."""
    if await studies.lock(connection, key, owner):
        return
    if await studies.count(connection, owner) >= MAX_STUDIES:
        raise Refusal("studies_full", limit=MAX_STUDIES)
    private = StudyAudience.PRIVATE.value
    await studies.add(
        connection, key=key, owner=owner, name=name, audience=private, changed_at=to_millis(now)
    )


async def _lock(connection: Connection, key: StudyKey, owner: str) -> None:
    if not await studies.lock(connection, key, owner):
        raise Refusal("study_unknown")


async def _get_chapter(connection: Connection, key: StudyKey, number: int) -> ChapterRow:
    row = await studies.get_chapter(connection, key, number)
    if row is None:
        raise Refusal("chapter_unknown")
    return row


def _is_visible(row: StudyRow, reader: str | None, *, is_moderator: bool) -> bool:
    if row.owner == reader:
        return True
    is_shared = row.audience != StudyAudience.PRIVATE and not row.is_closed and row.hidden_at is None
    return is_shared or (is_moderator and row.audience != StudyAudience.PRIVATE)


def _outline(row: StudyRow) -> StudyOutline:
    return StudyOutline(
        key=StudyKey(row.key),
        name=row.name,
        audience=StudyAudience(row.audience),
        hidden_at=None if row.hidden_at is None else from_millis(row.hidden_at),
        chapters=row.chapters,
        changed_at=from_millis(row.changed_at),
    )


def _check_name(text: str, key: str = "study_name") -> str:
    name = clean_line(text)
    if not 0 < len(name) <= MAX_NAME_LENGTH:
        raise Refusal(key, limit=MAX_NAME_LENGTH)
    return name
