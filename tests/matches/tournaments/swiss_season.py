"""A Swiss tournament played by drawn results, for tests and for benchmarks."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from typing import TYPE_CHECKING, Self

from matches.tournaments.results import (
    DRAW,
    LOSS,
    WIN,
    Decision,
    Entrant,
    EntrantId,
    GameState,
    Pairing,
    TournamentGame,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

RESULTS = ((WIN, LOSS), (DRAW, DRAW), (LOSS, WIN))


@dataclass(slots=True)
class SwissSeason:
    """The entrants and games so far."""

    random: Random
    entrants: list[Entrant]
    games: list[TournamentGame] = field(default_factory=list)
    stage: int = 0

    @classmethod
    def of(cls, players: int, random: Random) -> Self:
        """Return a season of so many players with seeds by number."""
        return cls(random, [Entrant(EntrantId(number), number) for number in range(1, players + 1)])

    def play(self, pairings: Iterable[Pairing], *, leaving: float = 0) -> None:
        """Play a round to its end; afterwards each entrant leaves with a probability."""
        self.stage += 1
        ids = count(len(self.games) + 1)
        for pairing in pairings:
            self.games.append(self._game(next(ids), pairing))
        self.entrants = [
            replace(one, withdrawn_in=self.stage)
            if one.withdrawn_in is None and self.random.random() < leaving
            else one
            for one in self.entrants
        ]

    def _game(self, id_: int, pairing: Pairing) -> TournamentGame:
        return TournamentGame(
            id_,
            self.stage,
            pairing.first,
            pairing.second,
            GameState.OVER,
            pairing.points or self.random.choice(RESULTS),
            pairing.decision or Decision.PLAYED,
            round=pairing.round,
            number=pairing.number,
        )

    @property
    def active(self) -> list[Entrant]:
        """Return who has not left."""
        return [one for one in self.entrants if one.withdrawn_in is None]
