"""Whether a copy of a database is a good one: it opens, and its matches replay."""

from __future__ import annotations

from random import SystemRandom
from typing import TYPE_CHECKING

from matches.log_audit import audit_match, list_match_ids
from storage import Database, StorageDamaged, StorageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from matches.values import MatchId

SAMPLE_SIZE = 50  # matches


async def verify_copy(url: str) -> tuple[int, int]:
    """Migrate a copy that nobody uses, and replay some matches.

    Return the number of matches, and how many were replayed. Raises StorageError.
    """
    async with await Database.open(url) as database:
        matches = await list_match_ids(database)
        sample = choose_sample(matches)
        await replay_matches(database, sample)
    return len(matches), len(sample)


def choose_sample(matches: Sequence[MatchId], size: int = SAMPLE_SIZE) -> Sequence[MatchId]:
    """Return the newest matches and others by chance, so that in the long run each is chosen."""
    if len(matches) <= size:
        return matches
    newest = size // 5
    return [*SystemRandom().sample(matches[:-newest], size - newest), *matches[-newest:]]


async def replay_matches(database: Database, matches: Iterable[MatchId]) -> None:
    """Replay matches. Raises StorageDamaged for the first that differs from what is stored, StorageError."""
    for match in matches:
        try:
            difference = (await audit_match(database, match)).difference
        except StorageError:
            raise
        except Exception as error:  # whatever a damaged row leads to
            raise StorageDamaged(
                f"Match {match} cannot be replayed ({type(error).__name__}). See python -m matches.audit."
            ) from error
        if difference is not None:
            raise StorageDamaged(
                f"Match {match} does not follow from its moves: it differs at ply {difference.ply} "
                f"in {difference.field}. See python -m matches.audit."
            )
