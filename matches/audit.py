"""``python -m matches.audit DATABASE_URL [MATCH ...]``: replay matches, say where one differs from its log.

Without numbers the ratings are replayed too.

Exit code 0 if all agree, 1 if one differs, 2 if that could not be found out.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from matches.errors import MatchUnknown
from matches.ratings.service import Ratings
from matches.replays import all_matches, audit
from matches.values import MatchId
from storage import StorageError, Store

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.steps import Audit


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit and print one line a match; give the exit code."""
    parser = argparse.ArgumentParser(prog="python -m matches.audit", description="Replay stored matches.")
    parser.add_argument("database", help="sqlite:///FILE or postgresql://...")
    parser.add_argument("match", nargs="*", type=int, help="numbers of matches; without any, all")
    given = parser.parse_args(arguments)
    try:
        return asyncio.run(_audit(given.database, [MatchId(number) for number in given.match]))
    except (StorageError, MatchUnknown) as error:
        sys.stderr.write(f"{error}\n")
        return 2


async def _audit(database: str, chosen: Sequence[MatchId]) -> int:
    async with await Store.open(database) as store:
        audits = [await audit(store, match) for match in chosen or await all_matches(store)]
        ratings = {} if chosen else await Ratings(store).audit()
    sys.stdout.writelines(f"{_line(found)}\n" for found in audits)
    sys.stdout.writelines(f"ratings of {game}: {where}\n" for game, where in ratings.items())
    return int(bool(ratings) or any(found.difference for found in audits))


def _line(found: Audit) -> str:
    if found.difference is None:
        return f"match {found.match}: {found.moves} moves, agrees"
    differs = found.difference
    stored, replayed = f"stored {differs.stored!r}", f"replayed {differs.replayed!r}"
    return f"match {found.match}: differs at ply {differs.ply} in {differs.what}: {stored}, {replayed}"


if __name__ == "__main__":
    sys.exit(main())
