"""Plain facts about a slide: what it takes, stops and threatens, and what it allows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Fact
from engine.morelli.effects import find_frame
from engine.morelli.fact_keys import MorelliFact
from engine.morelli.moves import Slide
from engine.morelli.threats import SideView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Cell
    from engine.morelli.board import MorelliBoard
    from engine.morelli.moves import SlidePath
    from engine.morelli.state import MorelliState

FEWEST_THREATENED = 2
"""A threat to capture a single stone is too common to be worth a word."""

CORNERS = 3
"""So many stones of a frame are worth a word."""

MAX_STUCK_SLIDES = 24
"""With more slides a side is not looked at more closely: hardly any move takes them all away."""


def find_facts(position: MorelliState, after: MorelliState) -> Iterator[Fact]:
    """Yield the facts about a slide, the most important first; `after` is the position after it."""
    mover, enemy = position.mover, after.mover
    views = [[SideView.of_side(each, side) for each in (position, after)] for side in (mover, enemy)]
    (before, now), (enemy_before, enemy_now) = views
    cells, captured = now.board.to_cells, now.own & before.enemy
    if after.outcome and after.outcome.winner is mover:
        yield Fact(MorelliFact.WINS)
    if before.can_occupy and not now.can_occupy:
        frame = find_frame(now.board, now.own, now.own & ~before.own)
        yield Fact(MorelliFact.TAKES_CENTRE, cells(frame))
    if not after.outcome:
        yield from _find_centre_threats(views, after)
    if captured:
        yield Fact(MorelliFact.CAPTURES, cells(captured))
    if not after.outcome:
        yield from _find_corners(before, now, enemy_before, captured)
        most = now.find_most_captures()
        if most.bit_count() >= max(FEWEST_THREATENED, before.find_most_captures().bit_count() + 1):
            yield Fact(MorelliFact.THREATENS_CAPTURES, cells(most))
        yield from _find_drawbacks(after, now, enemy_now)


def _find_centre_threats(views: list[list[SideView]], after: MorelliState) -> Iterator[Fact]:
    (before, now), (enemy_before, enemy_now) = views
    prevented = enemy_before.find_centre_paths()
    if prevented and not enemy_now.find_centre_paths():
        yield Fact(MorelliFact.PREVENTS_CENTRE, _landings(now.board, prevented))
    paths = now.find_centre_paths()
    if paths and is_centre_forced(after, paths):
        yield Fact(MorelliFact.FORCES_CENTRE, _landings(now.board, paths))
    elif paths and not before.find_centre_paths():
        yield Fact(MorelliFact.THREATENS_CENTRE, _landings(now.board, paths))


def _find_drawbacks(after: MorelliState, side: SideView, enemy: SideView) -> Iterator[Fact]:
    if _can_win(after, side):
        yield Fact(MorelliFact.ALLOWS_WIN, is_drawback=True)
    allowed = enemy.find_centre_paths()
    if allowed:
        yield Fact(MorelliFact.ALLOWS_CENTRE, _landings(side.board, allowed), is_drawback=True)
    lost = enemy.find_most_captures()
    if lost:
        yield Fact(MorelliFact.ALLOWS_CAPTURES, side.board.to_cells(lost), is_drawback=True)


def is_centre_forced(after: MorelliState, paths: list[SlidePath]) -> bool:
    """Return whether the side that has just moved can take the Centre next whatever the other side replies.

    `paths` are those along which it could now; most replies leave one of them open.
    """
    blocking = sum({path.end for path in paths})
    for reply in sorted(
        _replies(after), key=lambda reply: not reply.end & blocking
    ):  # first what may stop it
        view = SideView.after_reply(after, reply)
        is_open = any(view.has_open(path) and view.takes_centre(path) for path in paths)
        if not is_open and not view.find_centre_paths():
            return False
    return True


def _find_corners(before: SideView, now: SideView, enemy: SideView, captured: int) -> Iterator[Fact]:
    """Yield that three corners of a frame are made, and that three corners of the enemy are broken."""
    cells = now.board.to_cells
    made = [frame for frame in now.find_three_corners() if (before.own & frame).bit_count() < CORNERS]
    if made:
        frame = max(made, key=lambda each: not each & now.enemy)  # rather one with an empty fourth place
        three, fourth = cells(frame & now.own), cells(frame & ~now.own)
        yield Fact(MorelliFact.MAKES_THREE_CORNERS, three + fourth)
    broken = 0
    for frame in enemy.find_three_corners():
        broken |= frame & captured
    if broken:
        yield Fact(MorelliFact.BREAKS_THREE_CORNERS, cells(broken))


def _can_win(after: MorelliState, side: SideView) -> bool:
    """Return whether the side to move can win with its next move, which takes all moves from `side`.

    Where `side` has more than :data:`MAX_STUCK_SLIDES`, this is not looked for.
    """
    if side.count_slides() > MAX_STUCK_SLIDES:
        return False
    stuck = (reply for reply in _replies(after) if not SideView.after_reply(after, reply).count_slides())
    results = (after.play(reply).outcome for reply in stuck)
    return any(result is not None and result.winner is after.mover for result in results)


def _replies(after: MorelliState) -> list[Slide]:
    return [move for move in after.legal_moves() if isinstance(move, Slide)]


def _landings(board: MorelliBoard, paths: list[SlidePath]) -> tuple[Cell, ...]:
    ends = 0
    for path in paths:
        ends |= path.end
    return board.to_cells(ends)
