"""Building a move by picking: a stone, where it goes, what it captures, whether it occupies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import cells
from engine.game import Ask, Cell, Choice, IllegalMove
from engine.morelli.board import board
from engine.morelli.editions import Phase
from engine.morelli.judging import effect
from engine.morelli.lines import lines
from engine.morelli.moves import Placement, Slide
from engine.morelli.reasons import Reason
from engine.texts import quoted

if TYPE_CHECKING:
    from engine.game import Move
    from engine.morelli.position import MorelliPosition

NOTHING = "-"
"""The answer that chooses none of many."""

YES, NO = "yes", "no"


def choice(position: MorelliPosition, path: tuple[str, ...]) -> Choice | Move:
    """Give the question after the answers in `path`, or the finished move. Raises IllegalMove."""
    if position.outcome:
        raise _refusal(position, Reason.OVER)
    return _placing(position, path) if position.phase is not Phase.PLAY else _sliding(position, path)


def _placing(position: MorelliPosition, path: tuple[str, ...]) -> Choice | Move:
    question = Choice(Ask.PLACE, cells.in_order(Cell(str(move)) for move in position.legal_moves()))
    if not path:
        return question
    _check(position, question, path[0])
    _check_end(position, path[1:])
    return Placement(Cell(path[0]))


def _sliding(position: MorelliPosition, path: tuple[str, ...]) -> Choice | Move:
    if not path:
        return Choice(Ask.STONE, position.movable)
    landings = Choice(Ask.TARGET, _landings(position, path[0]))
    if not landings.options:
        raise _refusal(position, Reason.NOT_OFFERED, answer=quoted(path[0]))
    if len(path) == 1:
        return landings
    _check(position, landings, path[1])
    slide = lines(position.size).tracks[f"{path[0]}-{path[1]}"].bare
    if position.edition.optional:
        return _declining(position, slide, path[2:])
    _check_end(position, path[2:])
    return slide


def _landings(position: MorelliPosition, answer: str) -> tuple[Cell, ...]:
    """Give where the mover's stone on the cell `answer` can go; nothing where there is no such stone."""
    own, _ = position.own_and_adverse
    stone = Cell(answer)
    return position.landings(stone) if own & board(position.size).bit.get(stone, 0) else ()


def _declining(position: MorelliPosition, slide: Slide, path: tuple[str, ...]) -> Choice | Move:
    """Ask which captures to carry out, then, if those earn the Centre, whether to occupy it (§5.4, §6.8)."""
    on = board(position.size)
    capturable, occupies = _brings(position, slide)
    if capturable:
        question = Choice(Ask.CAPTURES, on.names(capturable), many=True)
        if not path:
            return question
        _check(position, question, path[0])
        slide = slide.track.slide(capturable & ~on.bits(_chosen(path[0])))
        _, occupies = _brings(position, slide)
        path = path[1:]
    if occupies:
        question = Choice(Ask.OCCUPY, (YES, NO))
        if not path:
            return question
        _check(position, question, path[0])
        if path[0] == NO:
            slide = slide.track.slide(slide.declined | on.centre_bit)
        path = path[1:]
    _check_end(position, path)
    return slide


def _brings(position: MorelliPosition, slide: Slide) -> tuple[int, bool]:
    """Give the stones that the legal `slide` captures, as bits, and whether it occupies the Centre."""
    does = effect(position, slide)
    assert does is not None  # noqa: S101 - the slide was on offer
    taken, _, _, occupies = does
    return taken, occupies


def _chosen(answer: str) -> list[Cell]:
    return [] if answer == NOTHING else [Cell(name) for name in answer.split(",")]


def _check(position: MorelliPosition, question: Choice, answer: str) -> None:
    if question.many:
        chosen = _chosen(answer)
        offered = answer == (",".join(name for name in question.options if name in chosen) or NOTHING)
    else:
        offered = answer in question.options
    if not offered:
        raise _refusal(position, Reason.NOT_OFFERED, answer=quoted(answer))


def _check_end(position: MorelliPosition, rest: tuple[str, ...]) -> None:
    if rest:
        raise _refusal(position, Reason.PATH_TOO_LONG, answer=quoted(rest[0]))


def _refusal(position: MorelliPosition, reason: Reason, answer: str = "") -> IllegalMove:
    return IllegalMove(reason.say(position.edition.words, answer=answer), text=answer, position=position)
