"""The legal turns of a position, sorted by text."""

from __future__ import annotations

from itertools import compress
from operator import attrgetter
from typing import TYPE_CHECKING

from engine.morphos.board import each
from engine.morphos.flips import flippable
from engine.morphos.judging import may_swap
from engine.morphos.moves import PASS, SWAP, Turn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morphos.position import MorphosPosition
    from engine.morphos.stones import Stones

_text = attrgetter("text")


def legal(position: MorphosPosition) -> tuple[Turn, ...]:
    """Give all legal turns; none when the game is over."""
    if position.owed or position.rules.doubling:
        return tuple(beginning(position, ""))
    if position.outcome:
        return ()
    stones = position.standing
    return (*compress(position.rules.turns.placements, stones.free), *_others(position, stones))


def beginning(position: MorphosPosition, start: str) -> Iterator[Turn]:
    """Give the legal turns whose texts in capitals begin with `start`, one by one.

    Two placements in a turn (mutator c) or a captured stone to be put back (mutator d) make many turns,
    both together millions.
    """
    if position.outcome:
        return
    stones, turns = position.standing, position.rules.turns
    if not position.owed:
        yield from _regular(position, stones, start)
        return
    for at in compress(stones.board.written, stones.free):
        head = f"{stones.board.cell_at[at]}+"
        if head.startswith(start) or start.startswith(head):
            restored = stones.placed(position.mover, at)
            for turn in _regular(position, restored, start[len(head) :]):
                yield turns.restoring(at, turn)


def _regular(position: MorphosPosition, stones: Stones, start: str) -> Iterator[Turn]:
    """Give the regular turns with `stones` on the board whose texts in capitals begin with `start`."""
    if position.rules.doubling:
        yield from _doubled(position, stones, start)
    else:
        singles = compress(position.rules.turns.placements, stones.free)
        yield from (turn for turn in singles if turn.text.startswith(start))
    yield from (turn for turn in _others(position, stones) if turn.text.upper().startswith(start))


def _doubled(position: MorphosPosition, stones: Stones, start: str) -> Iterator[Turn]:
    """Give the turns that place on one point or on two (mutator c)."""
    turns = position.rules.turns
    points = tuple(compress(stones.board.written, stones.free))
    for first in points:
        single = turns.placement((first,))
        if single.text.startswith(start):
            yield single
        elif not start.startswith(f"{single.text},"):
            continue
        pairs = turns.pairs[first]
        seconds = (pairs[second] for second in points if second > first)
        yield from (turn for turn in seconds if turn.text.startswith(start))


def _others(position: MorphosPosition, stones: Stones) -> tuple[Turn, ...]:
    """Give the regular turns that place nothing: a swap, flips, or the pass where there is no turn else."""
    flips = position.rules.turns.flips
    points = flippable(position.rules, stones, position.mover, position.flipped)
    found = sorted((flips[at] for at in each(points)), key=_text)
    if position.turns == 1 and may_swap(position):
        return (SWAP, *found)
    return tuple(found) if found or stones.empty else (PASS,)
