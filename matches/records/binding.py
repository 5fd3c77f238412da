"""Moves bound into turns, one page each: the moves of one set-up run share theirs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from matches.reading import completes, swapped, swaps
from matches.records.values import Page

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.game import Event, Outcome, Position
    from matches.reading import Seats


@dataclass(frozen=True, slots=True)
class Step:
    """One move: its text, what it does, the position after it, and what is said of it."""

    text: str
    events: tuple[Event, ...]
    position: Position
    comment: str = ""


def bind(first: Page, steps: Iterable[Step], outcome: Outcome | None, reason: str) -> tuple[Page, ...]:
    """Give the page of the first board and one for each turn after it, the last of which may be cut short."""
    pages, turn = [first], list[Step]()
    before = first.position
    for step in steps:
        turn.append(step)
        if completes(before, step.position):
            pages.append(_page(pages[-1], turn))
            turn = []
        before = step.position
    if turn:
        pages.append(_page(pages[-1], turn))
    return (*pages[:-1], replace(pages[-1], outcome=outcome, reason=reason))


def first_page(position: Position, seats: Seats, comment: str = "") -> Page:
    """Give the page of the first board."""
    return Page(turn=0, position=position, seats=seats, comment=comment)


def _page(before: Page, steps: Sequence[Step]) -> Page:
    events = tuple(event for step in steps for event in step.events)
    return Page(
        turn=before.turn + 1,
        position=steps[-1].position,
        seats=swapped(before.seats) if swaps(events) else before.seats,
        side=before.position.to_move,
        texts=tuple(step.text for step in steps),
        events=events,
        comment="\n".join(step.comment for step in steps if step.comment),
    )
