"""What a picking dialogue offers: the lines of its menu and its buttons, the hint, the preview."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bot.picking.narrowing import WAYS, groups, within
from engine.game import Ask
from picking import Asking, is_cell

if TYPE_CHECKING:
    from bot.picking.narrowing import Group
    from bot.picking.trail import Trail
    from engine.game import Side
    from picking import Stand
    from words import Words

GROUP = "/"
ARROWS = dict(zip(WAYS, "↑↗→↘↓↙←↖", strict=True))
OPPOSITE = dict(zip(WAYS, (*list(WAYS)[4:], *list(WAYS)[:4]), strict=True))


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
        self._asking = Asking(words, stand, side)

    def offer(self) -> Offer:
        """Give what can be answered; nothing once the turn is settled."""
        choice = self._stand.choice
        if choice is None:
            return Offer()
        cells = tuple(option for option in choice.options if is_cell(option))
        if choice.many:
            lines = tuple(Line(cell, cell, chosen=True) for cell in cells) if len(cells) > 1 else ()
            either = tuple(Line(label, value) for label, value in self._asking.all_or_none(choice))
            return Offer(lines, either, cells, many=True)
        spoken = tuple(
            Line(self._asking.spoken(choice.ask, option), option)
            for option in choice.options
            if not is_cell(option)
        )
        origin = self._stand.path[-1] if choice.ask is Ask.TARGET else ""
        shown = within(cells, origin, self._trail.group)
        parted = groups(cells, origin) if len(shown) == len(cells) else ()
        if parted:
            return Offer(tuple(map(self._group, parted)), spoken, shown, parted[0].kind)
        lines = tuple(Line(cell, cell, self._asking.about(cell)) for cell in shown)
        return Offer(lines, spoken, shown)

    def question(self) -> str:
        """Give the question that is open, or the preview's sentence."""
        question = self._asking.question()
        return question if self._stand.choice else self.words("picking.preview", told=question)

    def hint(self, offer: Offer) -> str:
        """Give the words that stand in the closed menu; none where there is no menu."""
        if self._stand.choice is None or not offer.lines:
            return ""
        kind = offer.kind or self._stand.choice.ask
        return self.words.told(self._stand.start.idiom, f"picking.hint.{kind}")

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
