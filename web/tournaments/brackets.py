"""The bracket of a knock-out for templates, read from the views of its stages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matches.tournaments.pairing.knock_out import build_bracket, count_rounds
from matches.tournaments.results import Entrant, TournamentGame
from matches.tournaments.values import StageState
from web.tournaments.names import format_points

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.tournaments.pairing.knock_out import Duel
    from matches.tournaments.values import EntrantView, StageView, TournamentView
    from web.tournaments.names import Names

MAX_DUELS = 16  # of a round in the bracket; larger rounds are lists


def bracket_context(names: Names, view: TournamentView, stages: Sequence[StageView]) -> list[dict[str, Any]]:
    """Return the template contexts of the rounds, with empty places in those to come."""
    entrants = [_plain_entrant(one, view) for one in view.entrants if one.seed is not None]
    games = [game for stage in stages for game in _plain_games(stage)]
    ended = sum(one.state is StageState.OVER for one in view.stages)
    rounds = build_bracket(entrants, games, ended=ended)
    total = count_rounds(len(entrants))
    shown = [
        _round_context(names, number, total, [_duel_context(names, duel) for duel in duels])
        for number, duels in enumerate(rounds, 1)
    ]
    for number in range(len(rounds) + 1, total + 1):
        empty = [_empty_duel() for _ in range(1 << (total - number))]
        shown.append(_round_context(names, number, total, empty))
    return [one for one in shown if len(one["duels"]) <= MAX_DUELS]


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


def _plain_entrant(one: EntrantView, view: TournamentView) -> Entrant:
    """Return an entrant as the bracket needs it; the stage of a withdrawal is that of its time."""
    withdrawn = None
    if one.withdrawn_at is not None:
        withdrawn = max(
            (stage.number for stage in view.stages if stage.starts_at <= one.withdrawn_at), default=1
        )
    return Entrant(one.id, one.seed or 0, float(one.rating or 0), withdrawn)


def _plain_games(stage: StageView) -> list[TournamentGame]:
    return [
        TournamentGame(
            id=game.id,
            stage=stage.dates.number,
            first=game.first,
            second=game.second,
            state=game.state,
            points=game.points,
            decision=game.decision,
            match=game.match,
            round=game.round,
            number=game.number,
        )
        for group in stage.groups
        for game in group.games
    ]
