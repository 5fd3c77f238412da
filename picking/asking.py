"""What is said while a turn is built: the question, the words on offer, what an answer would do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import Ask, Choice, EventKind
from picking.steps import ALL, NONE, foreseen, so_far
from words import telling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Event, Side
    from picking.steps import Stand
    from words import Words

# What need not be told of an answer on offer: the answer itself says it, or it is asked later.
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


class Asking:
    """The texts of one stand, for the side to move. They may hold ``**emphasis**``, and nobody's name."""

    def __init__(self, words: Words, stand: Stand, side: Side) -> None:
        self.words = words
        self._stand = stand
        self._side = side
        self._idiom = stand.start.idiom

    def question(self) -> str:
        """Give the question that is open; once the turn is settled, what it does."""
        choice, stand = self._stand.choice, self._stand
        if choice is None:
            return self.told(stand.events)
        return self.words.told(
            self._idiom,
            f"picking.ask.{choice.ask}",
            count=stand.due - len(stand.moves) if choice.ask is Ask.PLACE else len(choice.options),
            last=stand.path[-1] if stand.path else "",
            cells=self.words.listed(choice.options),
            done=self._done(so_far(stand)[1]),
            told=self.told(so_far(stand)[1]),
        )

    def told(self, events: Sequence[Event]) -> str:
        """Tell what the side to move does, with its name."""
        return self.words("turn.told", side=telling.side(self.words, self._side), what=self._done(events))

    def spoken(self, ask: Ask, option: str) -> str:
        """Give the label of an option that is no cell."""
        name = "none" if option == NONE else option
        return self.words.told(self._idiom, f"picking.answer.{ask}.{name}")

    def all_or_none(self, choice: Choice) -> tuple[tuple[str, str], ...]:
        """Give labels and answers for taking every option of a question, and for taking none."""
        count = len(choice.options)
        return tuple(
            (self.words.told(self._idiom, f"picking.answer.{choice.ask}.{name}", count=count), answer)
            for name, answer in (("all", ALL), ("none", NONE))
        )

    def about(self, cell: str) -> str:
        """Tell what answering with a cell brings about, or how much follows; empty where that is plain."""
        stand = self._stand
        move = foreseen(stand, cell)
        if move is not None:
            known = so_far(stand)[1]
            events = [one for one in stand.position.events(move) if one.kind not in UNTOLD]
            return self._done([one for one in events if one not in known])
        following = stand.position.choice((*stand.path, cell))
        if isinstance(following, Choice) and following.ask is Ask.TARGET:
            return self.words("picking.about", count=len(following.options))
        return ""

    def _done(self, events: Sequence[Event]) -> str:
        return telling.done(self.words, self._idiom, self._side, events) if events else ""
