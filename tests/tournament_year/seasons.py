"""Divisions and ladders computed anew: promotion, relegation, absence; challenges, silence, idleness."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SMALLEST, LARGEST = 7, 10


def divide(order: Sequence[int]) -> list[list[int]]:
    """Return entrants in the order of strength as divisions of 7 to 10, as equal as possible."""
    left, divisions = list(order), []
    for size in _equal(len(order)):
        divisions.append(left[:size])
        left = left[size:]
    return divisions


def _equal(number: int) -> list[int]:
    count = -(-number // LARGEST)
    return [len(range(index, number, count)) for index in range(count)]


def form_divisions(
    tables: Sequence[Sequence[int]],
    playing: frozenset[int],
    absent: frozenset[int],
    newcomers: Sequence[int],
) -> list[list[int]]:
    """Return the divisions after a season: two go up and two down, who was absent goes down by two.

    `tables` are the divisions in the order of places. Who comes down is above who stays, who comes up below.
    Divisions are as equal as possible, but none gives a place to a newcomer that somebody else has earned.
    """
    ranked = []
    for division, table in enumerate(tables):
        moving = min(2, len(table) // 3)
        for place, each in enumerate(table):
            target = division
            if division and place < moving:
                target -= 1
            if division + 1 < len(tables) and place >= len(table) - moving:
                target += 1
            if each in absent:
                target = division + 2
            if each in playing:
                ranked.append((target, each in absent, division, place, each))
    result: list[list[int]] = []
    left = [*(each for *_, each in sorted(ranked)), *newcomers]
    equal = _equal(len(left))
    earned = [sum(target <= division for target, *_ in ranked) for division in range(len(tables))]
    for division in range(len(equal)):
        below, placed = len(equal) - division - 1, sum(map(len, result))
        possible = [
            size
            for size in range(min([SMALLEST, *equal]), LARGEST + 1)
            if min([SMALLEST, *equal]) * below <= len(left) - size <= LARGEST * below
        ]
        wanted = max([sum(equal[: division + 1]), *earned[division : division + 1]]) - placed
        size = min(possible, key=lambda one: abs(one - wanted))
        result.append(left[:size])
        left = left[size:]
    return result


def apply_wins(order: Sequence[int], wins: Iterable[tuple[int, int]]) -> list[int]:
    """Return the order of a ladder after games, each a winner and a loser: from below one takes the place."""
    result = list(order)
    for winner, loser in wins:
        if winner in result and loser in result and result.index(winner) > result.index(loser):
            result.remove(winner)
            result.insert(result.index(loser), winner)
    return result


def drop(order: Sequence[int], idle: frozenset[int]) -> list[int]:
    """Return the order after the idle ones went down by a tenth, the lowest first, past no idle one."""
    result, distance = list(order), -(-len(order) // 10)
    for each in reversed(order):
        if each not in idle:
            continue
        for _ in range(distance):
            place = result.index(each)
            if all(one in idle for one in result[place + 1 :]):
                break
            result[place], result[place + 1] = result[place + 1], result[place]
    return result
