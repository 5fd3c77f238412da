"""Matches as they are shown, kept at hand until something happens in them: many look at the same few."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING
from zlib import crc32

from matches import ChoicePending, MatchNeverStarted, MatchUnknown
from web import formatting

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from i18n import Texts
    from matches import Matches, MatchFingerprint, MatchId, MatchView
    from matches.records.values import Replay, ReplayTurn
    from web.view_options import ViewOptions

MAX_MATCHES = 128  # matches
VERSION_FIELDS = 3  # parts of a mark: the last turn, how often moves were taken back, and a sum of everything
MAX_AGE = timedelta(minutes=1)  # people change their names without anything happening in a match


@dataclass(slots=True)
class CachedMatch:
    """One match as everybody may see it, with its turns in words.

    `replay` is None where there is no board. `turn_texts` has the words of each turn from the first on.
    `event_cache` keeps what streams are told, by the turn that they have had before and the look.
    """

    view: MatchView
    fingerprint: MatchFingerprint
    replay: Replay | None
    turn_texts: tuple[str, ...]
    loaded_at: datetime
    event_cache: dict[tuple[int | None, ViewOptions], bytes] = field(default_factory=dict)
    _svg_cache: dict[tuple[int, ViewOptions], str] = field(default_factory=dict)

    @property
    def last_turn(self) -> int:
        """The number of the last complete turn."""
        return len(self.turn_texts)

    @property
    def version(self) -> str:
        """What tells this state of the match from every other, for addresses and events."""
        return f"{self.last_turn}.{self.view.takebacks}.{crc32(repr(self.fingerprint).encode()):08x}"

    def last_turn_of(self, version: str) -> int | None:
        """Return the last turn of a state that was marked; None where that is no longer part of the match.

        Of what is no mark at all that is 0: nothing of the match has been seen.
        """
        parts = version.split(".")
        if len(parts) != VERSION_FIELDS or not all(_is_number(part) for part in parts[:2]):
            return 0
        turn, takebacks = int(parts[0]), int(parts[1])
        return turn if turn <= self.last_turn and takebacks == self.view.takebacks else None

    def replay_turn(self, turn: int) -> ReplayTurn:
        """Return a turn. Only where there is a board."""
        if self.replay is None:
            raise ChoicePending(match=self.view.id)
        return self.replay.turn_at(turn)

    def board_svg(self, turn: int, view_options: ViewOptions) -> str:
        """Draw the board after a turn. Only where there is a board."""
        if turn != self.last_turn:
            return self._render_svg(turn, view_options)
        if (turn, view_options) not in self._svg_cache:
            self._svg_cache[turn, view_options] = self._render_svg(turn, view_options)
        return self._svg_cache[turn, view_options]

    def _render_svg(self, turn: int, view_options: ViewOptions) -> str:
        page = self.replay_turn(turn)
        return view_options.board_svg(page.position, page.events)


class MatchCache:
    """Keeps the matches that were looked at last."""

    def __init__(self, matches: Matches, texts: Texts, now: Callable[[], datetime]) -> None:
        self._matches = matches
        self._words = texts
        self._now = now
        self._entries: OrderedDict[MatchId, CachedMatch] = OrderedDict()

    async def get(self, match: MatchId) -> CachedMatch:
        """Return a match as it stands. Raises MatchUnknown."""
        fingerprint = (await self._matches.public_queries.get_fingerprints([match])).get(match)
        if fingerprint is None:
            raise MatchUnknown(match=match)
        return await self.get_at(match, fingerprint)

    async def get_at(self, match: MatchId, fingerprint: MatchFingerprint) -> CachedMatch:
        """Return a match that has this pulse, or a later one. Raises MatchUnknown."""
        entry, now = self._entries.get(match), self._now()
        if entry is None or entry.fingerprint != fingerprint or now - entry.loaded_at > MAX_AGE:
            entry = self._entries[match] = await self._load(match, fingerprint, now)
        self._entries.move_to_end(match)
        if len(self._entries) > MAX_MATCHES:
            self._entries.popitem(last=False)
        return entry

    async def _load(self, match: MatchId, fingerprint: MatchFingerprint, now: datetime) -> CachedMatch:
        view = await self._matches.view(match, now=now)
        try:
            replay = await self._matches.replay(match, now=now)
        except (ChoicePending, MatchNeverStarted):
            return CachedMatch(view, fingerprint, None, (), now)
        turns = tuple(formatting.format_events(self._words, page) for page in replay.turns[1:])
        return CachedMatch(view, fingerprint, replay, turns, now)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7
