"""All legal turns of a position, sorted by text."""

from __future__ import annotations

from itertools import compress
from operator import attrgetter
from typing import TYPE_CHECKING

from engine.morphos.board import each
from engine.morphos.flips import flippable
from engine.morphos.judging import may_swap
from engine.morphos.moves import PASS, SWAP, Turn

if TYPE_CHECKING:
    from engine.morphos.position import MorphosPosition
    from engine.morphos.stones import Stones

_text = attrgetter("text")


def legal(position: MorphosPosition) -> tuple[Turn, ...]:
    """Give all legal turns, sorted by text; none when the game is over."""
    if position.outcome:
        return ()
    if position.owed:
        return tuple(_restoring(position))
    stones = position.standing
    swap = (SWAP,) if position.turns == 1 and may_swap(position) else ()
    return (*_placements(position, stones), *swap, *_flips(position, stones)) or (PASS,)


def _placements(position: MorphosPosition, stones: Stones) -> tuple[Turn, ...]:
    turns = position.rules.turns
    if not position.rules.doubling:
        return tuple(compress(turns.placements, stones.free))
    points = tuple(compress(stones.board.written, stones.free))
    found = []
    for first in points:
        found.append(turns.placement((first,)))
        pairs = turns.pairs[first]
        found += [pairs[second] for second in points if second > first]
    return tuple(found)


def _flips(position: MorphosPosition, stones: Stones) -> list[Turn]:
    flips = position.rules.turns.flips
    points = flippable(position.rules, stones, position.mover, position.flipped)
    found = [flips[at] for at in each(points)]
    found.sort(key=_text)
    return found


def _restoring(position: MorphosPosition) -> list[Turn]:
    """Give the turns that begin with the captured stone (mutator d)."""
    turns = position.rules.turns
    found = []
    for at in compress(position.rules.board.written, position.standing.free):
        stones = position.standing.placed(position.mover, at)
        regular = (*_placements(position, stones), *_flips(position, stones)) or (PASS,)
        found += [turns.restoring(at, turn) for turn in regular]
    return found
