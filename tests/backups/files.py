"""Databases and files of backups for tests, whole and damaged."""

import asyncio
import os
import random
import shlex
import shutil
import sys
from pathlib import Path

from matches import Database, Matches, MatchId
from tests.matches.scenario import CAROL, NOON, play_move, start_match

ROOT = Path(__file__).resolve().parents[2]
FIRST = MatchId(1)


async def play(matches: Matches, moves: int, match: MatchId | None = None) -> MatchId:
    """Play moves in a match, by default a new one; return its id."""
    match = (await start_match(matches, to=CAROL)).id if match is None else match
    for _ in range(moves):
        await play_move(matches, await matches.view(match, now=NOON))
    return match


async def play_in(url: str, moves: int, match: MatchId | None = None) -> MatchId:
    """Play moves in a match of a database."""
    async with await Database.open(url) as database:
        return await play(Matches(database), moves, match)


async def count_plies(url: str, match: MatchId = FIRST) -> int:
    """Return how many moves a match of a database has."""
    async with await Database.open(url) as database:
        return (await Matches(database).view(match, now=NOON)).ply


def leave_killed(path: Path, to: Path) -> None:
    """Leave a copy of a database as a killed process does: with the write-ahead log that it did not close."""
    to.parent.mkdir(exist_ok=True)
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", f"{to}{suffix}")


def file_names(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return sorted(path.name for path in folder.iterdir())


def create_empty(path: Path) -> None:
    """Create a file without content."""
    path.touch()


def damage_page(path: Path, seed: int) -> None:
    """Overwrite a page of a database, but not its first, by noise."""
    chance, content = random.Random(seed), bytearray(path.read_bytes())
    size = int.from_bytes(content[16:18], "big")
    start = chance.randrange(1, len(content) // size) * size
    content[start : start + size] = chance.randbytes(size)
    path.write_bytes(content)


async def run_commands(folder: Path, commands: list[str], **settings: str) -> str:
    """Run commands in a folder that looks like a checkout; each must succeed. Return what they print."""
    python = folder / ".venv" / "bin" / "python"
    if not python.exists():
        python.parent.mkdir(parents=True)
        python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
        python.chmod(0o755)
    printed = ""
    for command in commands:
        process = await asyncio.create_subprocess_shell(
            command,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT), **settings},
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
        )
        output, _ = await process.communicate()
        assert process.returncode == 0, f"{command}: {output.decode()}"
        printed += output.decode()
    return printed
