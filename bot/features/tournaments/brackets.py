"""The bracket of a knock-out, read from the views of its stages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.tournaments.brackets import build_bracket
from matches.tournaments.values import Kind
from render.tables.bracket import Bracket, Duel

if TYPE_CHECKING:
    from bot.context import BotClient
    from matches import Reader
    from matches.tournaments.pairing.knock_out import Duel as PlayedDuel
    from matches.tournaments.values import TournamentView


async def load_bracket(client: BotClient, view: TournamentView, reader: Reader) -> Bracket | None:
    """Return the bracket up to the shown stage; None for other kinds and without duels."""
    if view.settings.kind is not Kind.KNOCK_OUT or view.stage is None:
        return None
    stages = [view.stage]
    for number in range(1, view.stage.dates.number):
        before = await client.matches.tournaments.view(view.id, reader, stage=number, now=client.now())
        stages += [] if before.stage is None else [before.stage]
    rounds = build_bracket(view, stages)
    if not rounds:
        return None
    return Bracket("", tuple(tuple(_draw_duel(view, duel) for duel in duels) for duels in rounds))


def _draw_duel(view: TournamentView, duel: PlayedDuel) -> Duel:
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
