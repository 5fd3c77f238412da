"""The picture of a turn in the making: the board so far, and what is on offer marked on it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engine.game import Cell, EventKind, SelectionKind
from move_builder.state import find_implied_move, is_cell, preview_board
from render import Mark, MarkKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from engine.game import Event, Position
    from move_builder.state import MoveBuilderState
    from render import RenderOptions


def preview(
    state: MoveBuilderState, options: RenderOptions, cells: Sequence[str] = (), *, show_names: bool = False
) -> tuple[Position, RenderOptions]:
    """Return the position to be painted, and `options` with what has been done and marks on what is on offer.

    `cells` are those of the offer; where they are `show_names`, each mark bears its cell's name.
    """
    position, events = preview_board(state)
    marks = tuple(_marks(state, cells, show_names=show_names, is_advanced=position is not state.position))
    return position, replace(options, last_turn=(*events, *_possible_occupation(state)), marks=marks)


def _marks(
    state: MoveBuilderState, cells: Sequence[str], *, show_names: bool, is_advanced: bool
) -> Iterator[Mark]:
    if state.choice is None:
        return
    for answer in filter(is_cell, () if is_advanced else state.path):
        yield Mark(MarkKind.SELECTED, Cell(answer))
    kind = MarkKind.TO_CAPTURE if state.choice.multiple else MarkKind.SELECTABLE
    for cell in cells:
        yield Mark(kind, Cell(cell), cell if show_names else "")


def _possible_occupation(state: MoveBuilderState) -> Iterator[Event]:
    """Return the occupation that is only asked, so that the stones that earn it can be seen."""
    if state.choice is not None and state.choice.kind is SelectionKind.OCCUPY:
        move = find_implied_move(state, "yes")
        if move is not None:
            yield from (event for event in state.position.events(move) if event.kind is EventKind.OCCUPY)
