"""Fingerprints of matches: values that reveal changes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from matches.audience import Audience, MatchAccess
from matches.values import MatchId, MatchState, OfferId, encode_revision

if TYPE_CHECKING:
    from storage.match.fingerprints import FingerprintRow
    from storage.match.matches import MatchRow


@dataclass(frozen=True, slots=True)
class MatchFingerprint:
    """A value that differs after every visible change of a match.

    `announced_revision` is the board revision after the last complete turn, `pick_count` the number of picks
    made in a simultaneous choice, `rematch` the match that is a rematch of this one. `rest` is an opaque text
    that changes with the players, the result and the clock. `access` says who may see the match. `names` are
    the players' own, which not everybody who may see it may know: they are not in its `repr`.
    """

    access: MatchAccess
    state: MatchState
    announced_revision: int
    pick_count: int
    pending_offer: OfferId | None
    rematch: MatchId | None
    rest: str
    names: tuple[str, str] = field(repr=False)


def fingerprint_from_row(
    row: FingerprintRow | MatchRow, pick_count: int, rematch: int | None
) -> MatchFingerprint:
    """Return the fingerprint of a match as a row has it."""
    return MatchFingerprint(
        access=MatchAccess(Audience(row.audience), row.server, (row.first, row.second)),
        state=MatchState(row.state),
        announced_revision=encode_revision(row.turn_ply, row.takebacks),
        pick_count=pick_count,
        pending_offer=None if row.pending_offer is None else OfferId(row.pending_offer),
        rematch=None if rematch is None else MatchId(rematch),
        rest=f"{row.first} {row.second} {row.outcome} {row.reason} {row.deadline} {row.clock} "
        f"{row.lost if row.clock else 0} {row.first_alias!r} {row.second_alias!r}",
        names=(row.first_name, row.second_name),
    )
