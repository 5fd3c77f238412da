"""A turn in the making on a page: the board to click on, the question, and all that can be answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import render
from engine.game import Ask
from picking import Asking, backward, compact, follow, is_cell, onward, sketch

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from engine.game import Choice, Event, Position, Side
    from picking import Stand
    from web.look import Look
    from words import Words

JOINT = "."
LONGEST_NUMBER = 13
# Where nearly every empty cell is on offer, marks on all of them would hide the board.
UNMARKED = frozenset({Ask.STONE, Ask.PLACE, Ask.SECOND, Ask.RESTORE})


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer on offer: what it is called, what it brings about, and where it leads."""

    label: str
    about: str
    href: str
    value: str = ""


@dataclass(frozen=True, slots=True)
class Asked:
    """One stand of a turn in the making, ready for a page.

    `cells` are answers by cell, `words` all others. With `many` any of the cells may be taken together, and
    `words` takes all or none. Nothing is on offer once the turn is settled: then it can be `confirmed` with
    `answers`, or with the `text` that was typed. `back` leads to the question before.
    """

    svg: str
    question: str
    cells: tuple[Answer, ...]
    words: tuple[Answer, ...]
    many: bool
    answers: str
    text: str
    back: str
    moves: tuple[str, ...]

    @property
    def settled(self) -> bool:
        """Whether there is nothing more to ask."""
        return not self.cells and not self.words


@dataclass(frozen=True, slots=True)
class Place:
    """Where the asking takes place: the person's side, the look, the stamp of the board, its last turn."""

    words: Words
    side: Side
    look: Look
    board: int
    last: tuple[Event, ...]

    def href(self, answers: Sequence[str]) -> str:
        """Give the address, from the page's own, where these answers lead."""
        values = {"board": str(self.board), "answers": JOINT.join(answers)}
        if self.look.side is not self.look.usual:
            values["side"] = self.look.side.value
        return "?" + urlencode(values)


def read(text: str) -> tuple[str, ...]:
    """Read answers as addresses hold them."""
    return tuple(filter(None, text.split(JOINT)))


def taken(start: Position, answers: tuple[str, ...], cells: Iterable[str]) -> tuple[str, ...]:
    """Give answers with those cells taken that were ticked, where any number may be. Raises IllegalMove."""
    choice = follow(start, answers).choice
    return answers if choice is None or not choice.many else (*answers, compact(choice, cells))


def ask(place: Place, start: Position, answers: tuple[str, ...]) -> Asked:
    """Go on from `answers` to the next question to which there is an alternative. Raises IllegalMove."""
    answers = onward(start, answers)
    back = backward(start, answers)
    stand = follow(start, answers)
    asking = Asking(place.words, stand, place.side)
    cells = _cells(place, stand, answers, asking)
    return Asked(
        svg=_svg(place, stand, answers, cells),
        question=asking.question(),
        cells=cells,
        words=_words(place, stand.choice, answers, asking),
        many=stand.choice is not None and stand.choice.many,
        answers=JOINT.join(answers),
        text="",
        back="" if back is None else place.href(back),
        moves=tuple(map(str, stand.moves)),
    )


def preview(place: Place, stand: Stand, text: str) -> Asked:
    """Show what a typed turn leads to."""
    return Asked(
        svg=_svg(place, stand, (), ()),
        question=Asking(place.words, stand, place.side).question(),
        cells=(),
        words=(),
        many=False,
        answers="",
        text=text,
        back=place.href(()),
        moves=tuple(map(str, stand.moves)),
    )


def _cells(place: Place, stand: Stand, answers: tuple[str, ...], asking: Asking) -> tuple[Answer, ...]:
    choice = stand.choice
    if choice is None:
        return ()
    return tuple(
        Answer(
            label=cell,
            about="" if choice.many else asking.about(cell),
            href="" if choice.many else place.href((*answers, cell)),
            value=cell,
        )
        for cell in choice.options
        if is_cell(cell)
    )


def _words(
    place: Place, choice: Choice | None, answers: tuple[str, ...], asking: Asking
) -> tuple[Answer, ...]:
    if choice is None:
        return ()
    if choice.many:
        offered = asking.all_or_none(choice)
    else:
        spoken = (option for option in choice.options if not is_cell(option))
        offered = tuple((asking.spoken(choice.ask, option), option) for option in spoken)
    return tuple(Answer(label, "", place.href((*answers, value)), value) for label, value in offered)


def _svg(place: Place, stand: Stand, answers: tuple[str, ...], cells: tuple[Answer, ...]) -> str:
    """Draw the board as the answers have made it, with what is on offer to be clicked on."""
    marked = stand.choice is not None and stand.choice.ask not in UNMARKED
    position, view = sketch(stand, place.look.view(), [one.label for one in cells] if marked else ())
    if not stand.path and not stand.moves:
        view = place.look.view(place.last)
    targets = _instead(place, stand, answers) | {one.label: _target(one) for one in cells}
    return render.svg(render.scene(position, view), targets)


def _target(one: Answer) -> render.Target:
    if not one.href:
        return render.Target(one.label, "switch", on=True)
    return render.Target(f"{one.label}: {one.about}" if one.about else one.label, "open", one.href)


def _instead(place: Place, stand: Stand, answers: tuple[str, ...]) -> dict[str, render.Target]:
    """Give the cells that could have been answered before: a click on one changes one's mind."""
    before = backward(stand.start, answers)
    choice = None if before is None else follow(stand.start, before).choice
    if before is None or choice is None or choice.many or not _may_change(stand):
        return {}
    return {
        cell: render.Target(place.words("web.ask.instead", cell=cell), "instead", place.href((*before, cell)))
        for cell in choice.options
        if is_cell(cell)
    }


def _may_change(stand: Stand) -> bool:
    return stand.choice is not None and stand.choice.ask is Ask.TARGET


def number_of(value: object) -> int:
    """Read a number that an address or a form holds; -1 for anything else."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < LONGEST_NUMBER else -1
