"""Generation of the legal turns, sorted by text."""

from __future__ import annotations

from itertools import compress
from operator import attrgetter
from typing import TYPE_CHECKING

from engine.morphos.board import iter_points
from engine.morphos.flips import flippable_stones
from engine.morphos.legality import can_swap
from engine.morphos.moves import PASS, SWAP, MorphosTurn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.morphos.state import MorphosState
    from engine.morphos.stones import Stones

_text_of = attrgetter("text")


def generate(position: MorphosState) -> tuple[MorphosTurn, ...]:
    """Return all legal turns, sorted by text; none when the game is over."""
    if position.must_restore or position.rules.allows_two_placements:
        return tuple(generate_with_prefix(position, ""))
    if position.outcome:
        return ()
    stones = position.board_stones
    return (
        *compress(position.rules.turn_table.placements, stones.empty_flags),
        *_other_turns(position, stones),
    )


def generate_with_prefix(position: MorphosState, prefix: str) -> Iterator[MorphosTurn]:
    """Yield the legal turns whose texts in capitals begin with `prefix`, sorted.

    Two placements (mutator c) and a captured stone to restore (mutator d) together make millions of turns, so
    each turn is made only when it is asked for.
    """
    if position.outcome:
        return
    stones, table = position.board_stones, position.rules.turn_table
    if not position.must_restore:
        yield from _regular_turns(position, stones, prefix)
        return
    for point in compress(stones.board.text_order, stones.empty_flags):
        head = f"{stones.board.cell_at[point]}+"
        if head.startswith(prefix) or prefix.startswith(head):
            restored = stones.after_placement(position.mover, point)
            for turn in _regular_turns(position, restored, prefix[len(head) :]):
                yield table.with_restore(point, turn)


def _regular_turns(position: MorphosState, stones: Stones, prefix: str) -> Iterator[MorphosTurn]:
    """Yield the turns without a restored stone, from the board `stones`, that begin with `prefix`."""
    if position.rules.allows_two_placements:
        yield from _placement_turns(position, stones, prefix)
    else:
        singles = compress(position.rules.turn_table.placements, stones.empty_flags)
        yield from (turn for turn in singles if turn.text.startswith(prefix))
    yield from (turn for turn in _other_turns(position, stones) if turn.text.upper().startswith(prefix))


def _placement_turns(position: MorphosState, stones: Stones, prefix: str) -> Iterator[MorphosTurn]:
    """Yield the turns that place one stone or two (mutator c) and begin with `prefix`."""
    table = position.rules.turn_table
    points = tuple(compress(stones.board.text_order, stones.empty_flags))
    for first in points:
        single = table.placement((first,))
        if single.text.startswith(prefix):
            yield single
        elif not prefix.startswith(f"{single.text},"):
            continue
        pairs = table.pairs[first]
        seconds = (pairs[second] for second in points if second > first)
        yield from (turn for turn in seconds if turn.text.startswith(prefix))


def _other_turns(position: MorphosState, stones: Stones) -> tuple[MorphosTurn, ...]:
    """Return the swap and the flips, or the pass if there is no other turn."""
    flips = position.rules.turn_table.flips
    points = flippable_stones(position.rules, stones, position.mover, position.flipped_point)
    found = sorted((flips[point] for point in iter_points(points)), key=_text_of)
    if position.turn_count == 1 and can_swap(position):
        return (SWAP, *found)
    return tuple(found) if found or stones.empty else (PASS,)
