"""The preview of an unfinished turn: the board so far, with the cells that can be selected next."""

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
    """Return the position to render, and `options` with the events so far and marks on `cells`.

    `cells` are the cells that can be selected next; with `show_names` each mark shows the name of its cell.
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
    """Return the occupation that the open question is about, so that its four stones can be highlighted."""
    if state.choice is not None and state.choice.kind is SelectionKind.OCCUPY:
        move = find_implied_move(state, "yes")
        if move is not None:
            yield from (event for event in state.position.events(move) if event.kind is EventKind.OCCUPY)
