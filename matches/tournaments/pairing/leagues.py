"""Leagues: divisions of 7 to 10 by strength, who goes up and down, and the divisions of the next season."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from matches.tournaments.results import Decision, EntrantId, GameState, games_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matches.tournaments.results import TournamentGame

LARGEST = 10
"""The most entrants of a division. The fewest are 7, except where 13 or fewer take part in all."""
MOVING = 2
"""How many go up and how many go down between two divisions, of 7 to 10."""
ABSENCE_DROP = 2
"""How many divisions somebody drops who was absent without leave."""
ABSENCES_UNTIL_OUT = 2

Divisions = tuple[tuple[EntrantId, ...], ...]


class Move(StrEnum):
    """What a place in a division means for the next season."""

    UP = "up"
    STAY = "stay"
    DOWN = "down"


@dataclass(frozen=True, slots=True)
class Participation:
    """What somebody did in a season, as far as the next one needs it.

    `is_registered`: takes part in the next one. `absences`: how many seasons the entrant has left without
    leave so far, this one included; `is_absent`: whether this one is among them.
    """

    is_registered: bool = True
    is_absent: bool = False
    absences: int = 0


def size_divisions(entrants: int) -> tuple[int, ...]:
    """Return the sizes of the divisions, as equal as possible, the larger ones first."""
    count = -(-entrants // LARGEST)
    return tuple(entrants // count + (index < entrants % count) for index in range(count))


def divide(order: Sequence[EntrantId]) -> Divisions:
    """Return entrants in the order of strength as divisions, the strongest first."""
    divisions, start = [], 0
    for size in size_divisions(len(order)):
        divisions.append(tuple(order[start : start + size]))
        start += size
    return tuple(divisions)


def count_moving(size: int) -> int:
    """Return how many go up from a division of a size, and as many down; some always stay."""
    return min(MOVING, size // 3)


def mark_places(size: int, *, is_highest: bool, is_lowest: bool) -> tuple[Move, ...]:
    """Return what each place of a division means, the first one first."""
    moving = count_moving(size)
    up = 0 if is_highest else moving
    down = 0 if is_lowest else moving
    return (Move.UP,) * up + (Move.STAY,) * (size - up - down) + (Move.DOWN,) * down


def is_registered_again(entrant: EntrantId, games: Iterable[TournamentGame]) -> bool:
    """Return whether somebody is registered for the next season without asking.

    That is so if at least half of the games were played. Games that the opponent did not play, byes and games
    of blocked pairs count neither way. Whoever had no games to play is registered.
    """
    counted = [game for game in games_of(entrant, games) if not _is_excused(entrant, game)]
    played = sum(
        game.state is GameState.OVER and game.decision is not Decision.BY_DEFAULT for game in counted
    )
    return 2 * played >= len(counted)


def _is_excused(entrant: EntrantId, game: TournamentGame) -> bool:
    if game.decision in {Decision.BYE, Decision.BLOCKED}:
        return True
    return game.decision is Decision.BY_DEFAULT and bool(game.points_of(entrant))


def form_next_season(
    divisions: Divisions,
    participation: Mapping[EntrantId, Participation],
    newcomers: Sequence[EntrantId] = (),
) -> Divisions:
    """Return the divisions of the next season.

    `divisions` are those of the last season, each in the order of its final table. Whoever is missing in
    `participation` takes part as usual. Newcomers, in the order of strength, begin below all others.

    Within a division come first those who come down, then those who stay, then those who come up, and last
    those who were absent. If places
    become free because somebody left, the sizes are made equal again in that order: so the best of those who
    were to go down stay, and further places of the division below go up.
    """
    target: list[tuple[int, bool, int, int, EntrantId]] = []
    for index, division in enumerate(divisions):
        marks = mark_places(len(division), is_highest=index == 0, is_lowest=index == len(divisions) - 1)
        for place, (entrant, mark) in enumerate(zip(division, marks, strict=True)):
            state = participation.get(entrant, Participation())
            if state.is_registered and not (state.is_absent and state.absences >= ABSENCES_UNTIL_OUT):
                target.append((index + _shift(mark, state), state.is_absent, index, place, entrant))
    order = [entrant for *_, entrant in sorted(target)]
    return divide([*order, *newcomers])


def _shift(mark: Move, state: Participation) -> int:
    if state.is_absent:
        return ABSENCE_DROP
    return {Move.UP: -1, Move.STAY: 0, Move.DOWN: 1}[mark]
