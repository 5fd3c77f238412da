"""Everybody against everybody: Berger tables, and the order in which games open.

The tables are those of FIDE's handbook (C.05, annex 1). With them nobody has one side more than once more
often than the other, and an odd number of entrants leaves the place of the last number free.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from matches.tournaments.results import Blocks, EntrantId, GameState, Pairing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from matches.tournaments.results import Entrant, TournamentGame

GAMES_AT_ONCE = 5
"""How many games of a round robin are open for a player at once."""


def berger_table(size: int) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Return the rounds of an even number of entrants as pairs of numbers from 1; the first begins.

    Raises ValueError if `size` is odd or negative.
    """
    if size < 0 or size % 2:
        raise ValueError(f"a Berger table has an even number of places, not {size}")
    return tuple(_berger_round(size, number) for number in range(1, size))


def _berger_round(size: int, number: int) -> tuple[tuple[int, int], ...]:
    # In round r the numbers of two add up to r + 1, modulo size - 1. Who would meet itself meets `size`.
    cycle = size - 1
    pairs: list[tuple[int, int]] = []
    for one in range(1, size):
        other = (number + 1 - one) % cycle or cycle
        if one == other:
            pairs.insert(0, (one, size) if one <= size // 2 else (size, one))
        elif one < other:
            pairs.append((one, other) if (one + other) % 2 else (other, one))
    return tuple(pairs)


def pair_round_robin(
    entrants: Iterable[Entrant], *, blocks: Blocks = frozenset(), games: int = 1
) -> tuple[Pairing, ...]:
    """Return all games of a group by seed, in the order of rounds; there are no byes.

    Each pair plays `games` games in its round, with sides swapped from one to the next. Those who have
    blocked each other get half a point each.
    """
    ids = [one.id for one in sorted(entrants, key=lambda one: one.seed)]
    places: list[EntrantId | None] = [*ids, *([None] if len(ids) % 2 else [])]
    return tuple(
        _pairing(first, second, number, game, blocks)
        for number, pairs in enumerate(berger_table(len(places)), 1)
        for one, other in pairs
        if (first := places[one - 1]) is not None and (second := places[other - 1]) is not None
        for game in range(1, games + 1)
    )


def _pairing(first: EntrantId, second: EntrantId, number: int, game: int, blocks: Blocks) -> Pairing:
    is_blocked = frozenset((first, second)) in blocks
    if game % 2 == 0:
        first, second = second, first
    return Pairing(first, second, number, game, is_blocked=is_blocked)


def choose_games_to_open(
    games: Sequence[TournamentGame],
    *,
    limit: int | None = GAMES_AT_ONCE,
    open_elsewhere: Mapping[EntrantId, int] | None = None,
) -> tuple[TournamentGame, ...]:
    """Return the waiting games that open now, in the order of the table.

    A game waits while one of its players has `limit` open games; None opens all. `open_elsewhere` are open
    games of other tournaments that count for a player.
    """
    busy = Counter(open_elsewhere or {})
    busy.update(player for game in games if game.state is GameState.OPEN for player in game.players)
    chosen = []
    for game in sorted(games, key=lambda one: (one.stage, one.round, one.number, one.id)):
        if game.state is not GameState.WAITING:
            continue
        if limit is None or all(busy[player] < limit for player in game.players):
            busy.update(game.players)
            chosen.append(game)
    return tuple(chosen)
