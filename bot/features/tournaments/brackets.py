"""The bracket of a knock-out as it is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.tournaments.results import EntrantId
from render.tables.bracket import Bracket, Duel

if TYPE_CHECKING:
    from matches.tournaments.pairing.knock_out import Duel as PlayedDuel
    from matches.tournaments.values import TournamentView

Names = dict[EntrantId, tuple[str, str]]  # the name of each entrant and the handle, which may be empty


def build_bracket(view: TournamentView, names: Names) -> Bracket | None:
    """Return the bracket up to the shown stage; None for other kinds and without duels."""
    if not view.bracket or view.stage is None:
        return None
    rounds = view.bracket[: view.stage.dates.number]
    return Bracket("", tuple(tuple(_draw_duel(view, duel, names) for duel in duels) for duels in rounds))


def _draw_duel(view: TournamentView, duel: PlayedDuel, names: Names) -> Duel:
    places = (duel.upper, duel.lower)
    upper, lower = (("", "") if one is None else names[one] for one in places)
    seeds = [None if one is None else view.entrant(one).seed for one in places]
    return Duel(
        upper[0],
        lower[0],
        (seeds[0], seeds[1]),
        duel.points if len(duel.entrants) > 1 else None,
        None if duel.winner is None else places.index(duel.winner),
        (upper[1], lower[1]),
    )
