"""Moves bound into turns, one page each: the moves of one set-up run share theirs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from matches.errors import FistsClosed, NeverStarted
from matches.reading import completes, seats_before, swapped, swaps
from matches.records.values import Page, Replay
from matches.values import MatchState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.game import Event, Position
    from matches.reading import Seats
    from matches.values import History, Played


@dataclass(frozen=True, slots=True)
class Step:
    """One move: its text, what it does, the position after it, and what is said of it."""

    text: str
    events: tuple[Event, ...]
    position: Position
    comment: str = ""


def bind(start: Position, seats: Seats, steps: Iterable[Step], comment: str = "") -> tuple[Page, ...]:
    """Give the page of the first board, with `comment`, and one for each turn; the last may be cut short."""
    pages, open_steps = [Page(turn=0, position=start, seats=seats, comment=comment)], list[Step]()
    before = start
    for step in steps:
        open_steps.append(step)
        if completes(before, step.position):
            pages.append(_page(pages[-1], open_steps))
            open_steps = []
        before = step.position
    return (*pages, _page(pages[-1], open_steps)) if open_steps else tuple(pages)


def replay_of(history: History) -> Replay:
    """Give a match to be paged through. Raises FistsClosed and NeverStarted where it has no board."""
    view = history.match
    if history.start is None:
        raise (NeverStarted if view.state is MatchState.OVER else FistsClosed)(match=view.id)
    moves = shown_moves(history)
    seats = seats_before(moves[0], view.seats) if moves else view.seats
    steps = [Step(played.text, played.events, played.position) for played in moves]
    pages = bind(history.start, seats, steps)
    return Replay(
        match=view.id,
        record=None,
        server=view.server,
        game=view.game,
        rules_version=view.rules_version,
        options=view.options,
        pages=(*pages[:-1], replace(pages[-1], result=view.result)),
    )


def shown_moves(history: History) -> Sequence[Played]:
    """Give the moves that everybody knows: a run is told when it is complete, or when the match is over."""
    if history.match.state is MatchState.OVER:
        return history.moves
    return history.moves[: len(history.moves) - len(history.match.run)]


def _page(before: Page, steps: Sequence[Step]) -> Page:
    events = tuple(event for step in steps for event in step.events)
    return Page(
        turn=before.turn + 1,
        position=steps[-1].position,
        seats=swapped(before.seats) if swaps(events) else before.seats,
        side=before.position.to_move,
        texts=tuple(step.text for step in steps),
        events=events,
        comment=" ".join(step.comment for step in steps if step.comment),
    )
