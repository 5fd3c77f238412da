"""The puzzles that are shipped: ``first_set/GAME.txt``, a puzzle a line (:meth:`engine.puzzle.Puzzle.parse`).

A file is read into the database when it differs from the one that was read last. What is not in it any more
is withdrawn. Lines that begin with ``#`` and empty ones do not count.
"""

from __future__ import annotations

import asyncio
import hashlib
from importlib.resources import files
from typing import TYPE_CHECKING

from engine.puzzle import Puzzle
from matches.puzzles.values import Withdrawal, new_row
from matches.times import to_millis
from storage.puzzle import puzzles

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime
    from importlib.resources.abc import Traversable

    from engine.game import Game
    from storage import Connection, Database


def first_set_folder() -> Traversable:
    """Return the folder of the shipped puzzles."""
    return files(__package__).joinpath("first_set")


async def read_first_set(
    database: Database, folder: Traversable, games: Mapping[str, Game], now: datetime
) -> None:
    """Read the files of `games` that have changed since they were read last."""
    contents = await asyncio.to_thread(_read_files, folder, games)
    async with database.read() as connection:
        known = await puzzles.list_digests(connection)
    for game, data in contents.items():
        digest = hashlib.sha256(data).hexdigest()
        if known.get(game) == digest:
            continue
        found = await asyncio.to_thread(_parse, data, games)
        async with database.transaction() as connection:
            before = await puzzles.find_digest(connection, game)
            # Whoever comes second waits here, and finds everything done.
            await puzzles.save_digest(connection, game, digest, to_millis(now))
            if before != digest:
                await _replace_set(connection, game, found, to_millis(now))


def _read_files(folder: Traversable, games: Mapping[str, Game]) -> dict[str, bytes]:
    paths = {game: folder.joinpath(f"{game}.txt") for game in games}
    return {game: path.read_bytes() for game, path in paths.items() if path.is_file()}


def _parse(data: bytes, games: Mapping[str, Game]) -> dict[str, Puzzle]:
    """Return the puzzles of a file by key. Raises PuzzleError."""
    lines = (line.strip() for line in data.decode("utf-8").splitlines())
    found = (Puzzle.parse(line, games) for line in lines if line and not line.startswith("#"))
    return {puzzle.key: puzzle for puzzle in found}


async def _replace_set(connection: Connection, game: str, found: Mapping[str, Puzzle], now: int) -> None:
    """Make the stored puzzles of a game those of its file, with the ratings that they have got since."""
    stored = await puzzles.list_shipped(connection, game)
    new = [new_row(one, is_shipped=True) for key, one in found.items() if key not in stored]
    await puzzles.add_all(connection, new, now)
    for key, row in stored.items():
        puzzle = found.get(key)
        if puzzle is None:
            continue
        if row.withdrawn == Withdrawal.REMOVED or (row.withdrawn is None and row.text != str(puzzle)):
            text, themes = str(puzzle), puzzle.themes
            await puzzles.replace_shipped(connection, key, game=game, text=text, themes=themes)
    removed = [key for key, row in stored.items() if key not in found and row.withdrawn is None]
    if removed:
        await puzzles.withdraw(connection, removed, Withdrawal.REMOVED, now)
