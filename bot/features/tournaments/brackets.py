"""The bracket of a knock-out, read from the views of its stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.tournaments.pairing import knock_out
from matches.tournaments.results import Entrant, TournamentGame
from matches.tournaments.values import Kind, StageState
from render.tables.bracket import Bracket, Duel

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.context import BotClient
    from matches import Reader
    from matches.tournaments.values import EntrantView, StageView, TournamentView


async def load_bracket(client: BotClient, view: TournamentView, reader: Reader) -> Bracket | None:
    """Return the bracket up to the shown stage; None for other kinds and before the start."""
    if view.settings.kind is not Kind.KNOCK_OUT or view.stage is None:
        return None
    stages = [view.stage]
    for number in range(1, view.stage.dates.number):
        before = await client.matches.tournaments.view(view.id, reader, stage=number, now=client.now())
        stages += [] if before.stage is None else [before.stage]
    return build_bracket(view, stages)


def build_bracket(view: TournamentView, stages: Sequence[StageView]) -> Bracket | None:
    """Return the bracket of these stages; None if there are no duels."""
    entrants = [_plain_entrant(one, view) for one in view.entrants if one.seed is not None]
    games = [game for stage in stages for game in _plain_games(stage)]
    ended = sum(one.dates.state is StageState.OVER for one in stages)
    rounds = knock_out.build_bracket(entrants, games, ended=ended)
    if not rounds:
        return None
    return Bracket("", tuple(tuple(_draw_duel(view, duel) for duel in duels) for duels in rounds))


def _draw_duel(view: TournamentView, duel: knock_out.Duel) -> Duel:
    names, seeds = [], []
    for one in (duel.upper, duel.lower):
        entrant = None if one is None else view.entrant(one)
        names.append("" if entrant is None else entrant.person.name)
        seeds.append(None if entrant is None else entrant.seed)
    places = (duel.upper, duel.lower)
    return Duel(
        names[0],
        names[1],
        (seeds[0], seeds[1]),
        duel.points if len(duel.entrants) > 1 else None,
        None if duel.winner is None else places.index(duel.winner),
    )


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
