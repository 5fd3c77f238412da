"""``python -m matches.audit DATABASE_URL [MATCH ...]``: replay matches and report where one differs.

Without match ids it audits all matches and the ratings. The exit code is 0 if everything agrees, 1 if
something differs, 2 if the audit failed.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from typing import TYPE_CHECKING

from matches.errors import MatchUnknown
from matches.log_audit import audit_match, list_match_ids
from matches.ratings.service import Ratings
from matches.values import MatchId
from storage import Database, StorageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.updates import AuditResult


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit, print one line a match, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m matches.audit", description="Replay stored matches.")
    parser.add_argument("database", help="sqlite:///FILE or postgresql://...")
    parser.add_argument("match", nargs="*", type=int, help="numbers of matches; without any, all")
    parsed = parser.parse_args(arguments)
    try:
        return asyncio.run(_audit_matches(parsed.database, [MatchId(number) for number in parsed.match]))
    except (StorageError, MatchUnknown) as error:
        sys.stderr.write(f"{error}\n")
        return 2


async def _audit_matches(url: str, match_ids: Sequence[MatchId]) -> int:
    async with await Database.open(url) as database:
        audits = [await audit_match(database, match) for match in match_ids or await list_match_ids(database)]
        ratings = {} if match_ids else await Ratings(database).audit()
    sys.stdout.writelines(f"{_format_audit(result)}\n" for result in audits)
    sys.stdout.writelines(f"ratings of {game}: {where}\n" for game, where in ratings.items())
    return int(bool(ratings) or any(found.difference for found in audits))


def _format_audit(result: AuditResult) -> str:
    if result.difference is None:
        return f"match {result.match}: {result.moves} moves, agrees"
    difference = result.difference
    stored, replayed = f"stored {difference.stored!r}", f"replayed {difference.replayed!r}"
    return (
        f"match {result.match}: differs at ply {difference.ply} in {difference.field}: {stored}, {replayed}"
    )


if __name__ == "__main__":
    sys.exit(main())
