"""Short ways to write entrants and games of a tournament."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.tournaments.results import (
    DRAW,
    LOSS,
    WIN,
    Decision,
    Entrant,
    EntrantId,
    GameState,
    TournamentGame,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

RESULTS = {"1-0": (WIN, LOSS), "draw": (DRAW, DRAW), "0-1": (LOSS, WIN)}


def entrants(count: int, *, withdrawn: Iterable[int] = (), stage: int = 1) -> list[Entrant]:
    """Return the entrants 1, 2, ... whose seeds are their numbers."""
    gone = set(withdrawn)
    return [
        Entrant(EntrantId(one), one, withdrawn_in=stage if one in gone else None)
        for one in range(1, count + 1)
    ]


def game(
    id_: int,
    first: int,
    second: int | None,
    result: str | GameState,
    decision: Decision = Decision.PLAYED,
    *,
    stage: int = 1,
    number: int = 1,
) -> TournamentGame:
    """Return a game with a result such as "1-0", or in a state."""
    other = None if second is None else EntrantId(second)
    if isinstance(result, GameState):
        return TournamentGame(id_, stage, EntrantId(first), other, result, number=number)
    return TournamentGame(
        id_, stage, EntrantId(first), other, GameState.OVER, RESULTS[result], decision, number=number
    )


def read_games(text: str) -> list[TournamentGame]:
    """Return games from lines such as ``1 2 1-0``, ``1 2 0-1 lost_clock`` or ``1 2 waiting``."""
    games = []
    for id_, line in enumerate(filter(None, map(str.strip, text.splitlines())), 1):
        first, second, result, *decision = line.split()
        value = result if result in RESULTS else GameState(result)
        games.append(game(id_, int(first), int(second), value, *map(Decision, decision)))
    return games
