"""What a picking dialogue says: the question, the lines of its menu, the preview."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot import telling
from bot.picking.narrowing import WAYS, groups, is_cell, within
from bot.picking.steps import foreseen, so_far
from bot.picking.trail import ALL, NONE
from engine.game import Ask, Choice, EventKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bot.picking.narrowing import Group
    from bot.picking.steps import Stand
    from bot.picking.trail import Trail
    from engine.game import Event, Side
    from words import Words

GROUP = "/"
ARROWS = dict(zip(WAYS, "↑↗→↘↓↙←↖", strict=True))
OPPOSITE = dict(zip(WAYS, (*list(WAYS)[4:], *list(WAYS)[:4]), strict=True))
# What a line of a menu does not tell: its label says it, or it is asked later.
UNTOLD = frozenset(
    {
        EventKind.MOVE,
        EventKind.PLACE,
        EventKind.FLIP,
        EventKind.REMOVE,
        EventKind.RESTORE,
        EventKind.DECLINE_REMOVE,
    }
)


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a menu, or one button where it stands for a word such as yes."""

    label: str
    value: str
    about: str = ""
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Offer:
    """What is offered for the open question: lines of a menu, words as buttons, and cells to mark.

    `kind` is ``way`` or ``file`` where the lines stand for groups of cells; `many` asks for any
    number of lines.
    """

    lines: tuple[Line, ...] = ()
    words: tuple[Line, ...] = ()
    cells: tuple[str, ...] = ()
    kind: str = ""
    many: bool = False


class Wording:
    """The texts of one stand of one dialogue, for the side to move."""

    def __init__(self, words: Words, stand: Stand, trail: Trail, side: Side) -> None:
        self.words = words
        self._stand = stand
        self._trail = trail
        self._side = side
        self._idiom = stand.start.idiom

    def offer(self) -> Offer:
        """Give what can be answered; nothing once the turn is settled."""
        choice = self._stand.choice
        if choice is None:
            return Offer()
        cells = tuple(option for option in choice.options if is_cell(option))
        spoken = tuple(self._spoken(choice.ask, option) for option in choice.options if not is_cell(option))
        if choice.many:
            lines = tuple(Line(cell, cell, chosen=True) for cell in cells) if len(cells) > 1 else ()
            return Offer(lines, self._all_or_none(choice), cells, many=True)
        origin = self._stand.path[-1] if choice.ask is Ask.TARGET else ""
        shown = within(cells, origin, self._trail.group)
        parted = groups(cells, origin) if len(shown) == len(cells) else ()
        if parted:
            return Offer(tuple(map(self._group, parted)), spoken, shown, parted[0].kind)
        return Offer(tuple(map(self._cell, shown)), spoken, shown)

    def question(self) -> str:
        """Give the question that is open, or the preview's sentence."""
        choice, stand = self._stand.choice, self._stand
        if choice is None:
            return self.words("picking.preview", told=self._told(stand.events))
        return self.words.told(
            self._idiom,
            f"picking.ask.{choice.ask}",
            count=stand.due - len(stand.moves) if choice.ask is Ask.PLACE else len(choice.options),
            last=stand.path[-1] if stand.path else "",
            cells=self.words.listed(choice.options),
            done=self._done(so_far(stand)[1]),
            told=self._told(so_far(stand)[1]),
        )

    def hint(self, offer: Offer) -> str:
        """Give the words that stand in the closed menu; none where there is no menu."""
        if self._stand.choice is None or not offer.lines:
            return ""
        return self.words.told(self._idiom, f"picking.hint.{offer.kind or self._stand.choice.ask}")

    def _told(self, events: Sequence[Event]) -> str:
        """Tell what the side to move does, with its name."""
        return self.words("turn.told", side=telling.side(self.words, self._side), what=self._done(events))

    def _done(self, events: Sequence[Event]) -> str:
        return telling.done(self.words, self._idiom, self._side, events) if events else ""

    def _group(self, group: Group) -> Line:
        key = OPPOSITE.get(group.key, group.key) if self._trail.turned else group.key
        label = self.words(
            f"picking.group.{group.kind}",
            name=ARROWS.get(key, key),
            first=group.cells[0],
            last=group.cells[-1],
            count=len(group.cells),
        )
        about = self.words("picking.group.about", count=len(group.cells))
        return Line(label, f"{GROUP}{group.key}", about)

    def _cell(self, cell: str) -> Line:
        move = foreseen(self._stand, cell)
        if move is not None:
            known = so_far(self._stand)[1]
            events = [one for one in self._stand.position.events(move) if one.kind not in UNTOLD]
            return Line(cell, cell, self._done([one for one in events if one not in known]))
        following = self._stand.position.choice((*self._stand.path, cell))
        if isinstance(following, Choice) and following.ask is Ask.TARGET:
            return Line(cell, cell, self.words("picking.about", count=len(following.options)))
        return Line(cell, cell)

    def _spoken(self, ask: Ask, option: str) -> Line:
        name = "none" if option == NONE else option
        return Line(self.words.told(self._idiom, f"picking.answer.{ask}.{name}"), option)

    def _all_or_none(self, choice: Choice) -> tuple[Line, ...]:
        count = len(choice.options)
        return tuple(
            Line(self.words.told(self._idiom, f"picking.answer.{choice.ask}.{name}", count=count), value)
            for name, value in (("all", ALL), ("none", NONE))
        )
