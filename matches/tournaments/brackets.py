"""The bracket of a knock-out, read from the views of its stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.tournaments.pairing import knock_out
from matches.tournaments.results import Entrant, TournamentGame
from matches.tournaments.values import StageState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matches.tournaments.pairing.knock_out import Duel
    from matches.tournaments.values import EntrantView, StageView, TournamentView


def build_bracket(view: TournamentView, stages: Sequence[StageView]) -> tuple[tuple[Duel, ...], ...]:
    """Return the duels of these stages, the first ones of a tournament, by round."""
    entrants = [_plain_entrant(one, view) for one in view.entrants if one.seed is not None]
    games = [game for stage in stages for game in _plain_games(stage)]
    ended = sum(one.dates.state is StageState.OVER for one in stages)
    return knock_out.build_bracket(entrants, games, ended=ended)


def _plain_entrant(one: EntrantView, view: TournamentView) -> Entrant:
    """Return an entrant as the bracket needs it; the stage of a withdrawal is that of its time."""
    withdrawn = None
    if one.withdrawn_at is not None:
        begun = [stage.number for stage in view.stages if stage.starts_at <= one.withdrawn_at]
        withdrawn = max(begun, default=1)
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
