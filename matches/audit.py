"""``python -m matches.audit DATABASE_URL [MATCH ...]``: check a database, replay matches, report differences.

First comes the database's own check, then each match, and without match ids the ratings. Nothing is changed.
With ``--quiet`` there are lines only about what differs, and the summary at the end.
The exit code is 0 if everything agrees, 1 if something differs or the database is missing, damaged or of
another version, 2 if it could not be audited.
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
from storage import Database, StorageDamaged, StorageError, StorageTooNew, StorageTooOld
from storage.copies.integrity import check_database

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.updates import AuditResult


def main(arguments: Sequence[str] | None = None) -> int:
    """Audit, print one line a match and a summary, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m matches.audit", description="Replay stored matches.")
    parser.add_argument("database", help="sqlite:///FILE or postgresql://...")
    parser.add_argument("match", nargs="*", type=int, help="numbers of matches; without any, all")
    parser.add_argument("--quiet", action="store_true", help="no line for a match that agrees")
    parsed = parser.parse_args(arguments)
    match_ids = [MatchId(number) for number in parsed.match]
    try:
        return asyncio.run(_audit_matches(parsed.database, match_ids, is_quiet=parsed.quiet))
    except (StorageDamaged, StorageTooNew, StorageTooOld) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except (StorageError, MatchUnknown) as error:
        sys.stderr.write(f"{error}\n")
        return 2


async def _audit_matches(url: str, match_ids: Sequence[MatchId], *, is_quiet: bool) -> int:
    await check_database(url)
    audited = differing = 0
    async with await Database.open(url, only_current=True) as database:
        for match in match_ids or await list_match_ids(database):
            audited += 1
            try:
                found = await audit_match(database, match)
            except MatchUnknown:
                raise
            except Exception as error:  # noqa: BLE001 - whatever a damaged row leads to
                sys.stdout.write(f"match {match}: cannot be replayed: {_describe(error)}\n")
                differing += 1
            else:
                if found.difference is not None or not is_quiet:
                    sys.stdout.write(f"{_format_audit(found)}\n")
                differing += found.difference is not None
        agrees = bool(match_ids) or await _audit_ratings(Ratings(database))
    sys.stdout.write(f"matches: {audited}, of which {differing} differ\n")
    return int(bool(differing) or not agrees)


async def _audit_ratings(ratings: Ratings) -> bool:
    """Report differences of ratings; return whether there are none."""
    for game in await ratings.list_recomputing():
        sys.stdout.write(f"ratings of {game}: still being recomputed after a correction, checked so far\n")
    try:
        found = await ratings.audit()
    except Exception as error:  # noqa: BLE001 - whatever a damaged row leads to
        sys.stdout.write(f"ratings: cannot be replayed: {_describe(error)}\n")
        return False
    sys.stdout.writelines(f"ratings of {game}: {where}\n" for game, where in found.items())
    return not found


def _describe(error: Exception) -> str:
    return " ".join(f"{type(error).__name__} {error}".split())


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
