"""The bracket of a knock-out for templates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matches.tournaments.pairing.knock_out import count_rounds
from matches.tournaments.results import format_points

if TYPE_CHECKING:
    from matches.tournaments.pairing.knock_out import Duel
    from matches.tournaments.values import TournamentView
    from web.tournaments.names import Names

MAX_DUELS = 16  # of a round in the bracket; larger rounds are lists


def bracket_context(names: Names, view: TournamentView) -> list[dict[str, Any]]:
    """Return the template contexts of the rounds, with empty places in those to come; none of other kinds."""
    rounds = view.bracket
    if not rounds:
        return []
    total = count_rounds(sum(one.seed is not None for one in view.entrants))
    shown = [
        _round_context(names, number, total, [_duel_context(names, duel) for duel in duels])
        for number, duels in enumerate(rounds, 1)
        if len(duels) <= MAX_DUELS
    ]
    for number in range(len(rounds) + 1, total + 1):
        count = 1 << (total - number)
        if count <= MAX_DUELS:
            shown.append(_round_context(names, number, total, [_empty_duel()] * count))
    return shown


def _round_context(names: Names, number: int, total: int, duels: list[dict[str, Any]]) -> dict[str, Any]:
    left = total - number
    key = ("final", "semi_final", "quarter_final")[left] if left < 3 else "round"
    return {"title": names.texts(f"web.tournaments.round.{key}", number=number), "duels": duels}


def _duel_context(names: Names, duel: Duel) -> dict[str, Any]:
    places = [
        {
            "entrant": None if one is None else names.item(one),
            "points": format_points(points) if one is not None and len(duel.entrants) > 1 else "",
            "has_won": one is not None and one == duel.winner,
        }
        for one, points in zip((duel.upper, duel.lower), duel.points, strict=True)
    ]
    why = "" if duel.reason is None else str(duel.reason)
    return {"places": places, "why": names.texts(f"web.tournaments.duel.{why}") if why else ""}


def _empty_duel() -> dict[str, Any]:
    return {"places": [{"entrant": None, "points": "", "has_won": False}] * 2, "why": ""}
