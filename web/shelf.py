"""Matches as they are shown, kept at hand until something happens in them: many look at the same few."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING
from zlib import crc32

from matches import FistsClosed, MatchUnknown, NeverStarted
from web import telling

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from matches import Matches, MatchId, MatchView, Pulse
    from matches.records.values import Page, Replay
    from web.look import Look
    from words import Words

KEPT = 128  # matches
MARKED = 3  # parts of a mark: the last turn, how often moves were taken back, and a sum of everything
FRESH = timedelta(minutes=1)  # people change their names without anything happening in a match


@dataclass(slots=True)
class Shown:
    """One match as everybody may see it, with its turns in words.

    `replay` is None where there is no board. `turns` has the words of each turn from the first on. `events`
    keeps what streams are told, by the turn that they have had before and the look.
    """

    view: MatchView
    pulse: Pulse
    replay: Replay | None
    turns: tuple[str, ...]
    at: datetime
    events: dict[tuple[int | None, Look], bytes] = field(default_factory=dict)
    _drawn: dict[tuple[int, Look], str] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The number of the last complete turn."""
        return len(self.turns)

    @property
    def mark(self) -> str:
        """What tells this state of the match from every other, for addresses and events."""
        return f"{self.last}.{self.view.takebacks}.{crc32(repr(self.pulse).encode()):08x}"

    def since(self, mark: str) -> int | None:
        """Give the last turn of a state that was marked; None where that is no longer part of the match.

        Of what is no mark at all that is 0: nothing of the match has been seen.
        """
        parts = mark.split(".")
        if len(parts) != MARKED or not all(_is_number(part) for part in parts[:2]):
            return 0
        turn, takebacks = int(parts[0]), int(parts[1])
        return turn if turn <= self.last and takebacks == self.view.takebacks else None

    def page(self, turn: int) -> Page:
        """Give a turn. Only where there is a board."""
        if self.replay is None:
            raise FistsClosed(match=self.view.id)
        return self.replay.page(turn)

    def board(self, turn: int, look: Look) -> str:
        """Draw the board after a turn. Only where there is a board."""
        if turn != self.last:
            return self._draw(turn, look)
        if (turn, look) not in self._drawn:
            self._drawn[turn, look] = self._draw(turn, look)
        return self._drawn[turn, look]

    def _draw(self, turn: int, look: Look) -> str:
        page = self.page(turn)
        return look.svg(page.position, page.events)


class Shelf:
    """Keeps the matches that were looked at last."""

    def __init__(self, matches: Matches, words: Words, now: Callable[[], datetime]) -> None:
        self._matches = matches
        self._words = words
        self._now = now
        self._held: OrderedDict[MatchId, Shown] = OrderedDict()

    async def get(self, match: MatchId) -> Shown:
        """Give a match as it stands. Raises MatchUnknown."""
        pulse = (await self._matches.pulses([match], now=self._now())).get(match)
        if pulse is None:
            raise MatchUnknown(match=match)
        return await self.at(match, pulse)

    async def at(self, match: MatchId, pulse: Pulse) -> Shown:
        """Give a match that has this pulse, or a later one. Raises MatchUnknown."""
        held, now = self._held.get(match), self._now()
        if held is None or held.pulse != pulse or now - held.at > FRESH:
            held = self._held[match] = await self._read(match, pulse, now)
        self._held.move_to_end(match)
        if len(self._held) > KEPT:
            self._held.popitem(last=False)
        return held

    async def _read(self, match: MatchId, pulse: Pulse, now: datetime) -> Shown:
        view = await self._matches.view(match, now=now)
        try:
            replay = await self._matches.replay(match, now=now)
        except (FistsClosed, NeverStarted):
            return Shown(view, pulse, None, (), now)
        turns = tuple(telling.done(self._words, page) for page in replay.pages[1:])
        return Shown(view, pulse, replay, turns, now)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7
