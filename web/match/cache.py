"""Cache of rendered matches, invalidated when a match changes."""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from i18n.readers import current_language
from matches import NoBoard, ShownNames, replay_from_history
from web.match import formatting
from web.pages.view_options import BoardPicture

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.game import Side
    from i18n import Texts
    from matches import LoggedMove, Matches, MatchFingerprint, MatchId, MatchView
    from matches.records.values import Replay, ReplayTurn
    from render import Scene, ThemeName
    from web.pages.view_options import ViewOptions

MAX_MATCHES = 128
CHECKSUM_BYTES = 4
VERSION_FIELDS = 3  # last turn, number of takebacks, checksum of the fingerprint


@dataclass(slots=True)
class CachedMatch:
    """One match, without anything secret, with the names that somebody sees, in the language of readers.

    `checksum` is that of the fingerprint. `moves` are the announced ones. `replay` is None if the match has
    no board. `turn_texts` holds the text of each turn from turn 1 on. `event_cache` holds server-sent events
    by the last turn that the client has and its view options, `picture_cache` the latest board by what its
    picture depends on: turn, bottom side and theme.
    """

    view: MatchView
    fingerprint: MatchFingerprint
    checksum: str
    names: ShownNames
    moves: tuple[LoggedMove, ...]
    replay: Replay | None
    turn_texts: tuple[str, ...]
    language: str = field(default_factory=current_language)
    event_cache: dict[tuple[int | None, ViewOptions], bytes] = field(default_factory=dict)
    picture_cache: dict[tuple[int, Side, ThemeName], BoardPicture] = field(default_factory=dict)

    @property
    def last_turn(self) -> int:
        """The number of the last complete turn."""
        return len(self.turn_texts)

    @property
    def version(self) -> str:
        """An id of this state of the match, for pages and events."""
        return f"{self.last_turn}.{self.view.takebacks}.{self.checksum}"

    def last_turn_of(self, version: str) -> int | None:
        """Return the last turn of an earlier version; None if its moves were taken back.

        For malformed text return 0: the client has seen nothing of the match.
        """
        parts = version.split(".")
        if len(parts) != VERSION_FIELDS or not all(_is_number(part) for part in parts[:2]):
            return 0
        turn, takebacks = int(parts[0]), int(parts[1])
        return turn if turn <= self.last_turn and takebacks == self.view.takebacks else None

    def replay_turn(self, turn: int) -> ReplayTurn:
        """Return a turn. Raises `choice_pending` if the match has no board."""
        if self.replay is None:
            raise NoBoard("choice_pending", match=self.view.id)
        return self.replay.turn_at(turn)

    def board_picture(self, turn: int, view_options: ViewOptions) -> BoardPicture:
        """Return the board after a turn for a page; the latest one is cached.

        Raises `choice_pending` if the match has no board.
        """
        key = (turn, view_options.side, view_options.theme)
        if key not in self.picture_cache:
            picture = BoardPicture.of(self.scene(turn, view_options))
            if turn != self.last_turn:
                return picture
            self.picture_cache[key] = picture
        return self.picture_cache[key]

    def scene(self, turn: int, view_options: ViewOptions) -> Scene:
        """Return the board after a turn. Raises `choice_pending` if the match has no board."""
        shown = self.replay_turn(turn)
        is_over = turn == self.last_turn and self.view.result is not None
        return view_options.scene(shown.position, shown.events, is_over=is_over)

    def turns_since_last_of(self, account: str) -> list[tuple[str, str]]:
        """Return the last turn of a player and all later ones, each as its player's name and its text."""
        if self.replay is None:
            return []
        found: list[tuple[str, str]] = []
        for turn, text in reversed(list(zip(self.replay.turns[1:], self.turn_texts, strict=True))):
            mover = self.replay.seat_of(turn).person
            found.insert(0, (mover.name, text))
            if mover.account == account:
                return found
        return []


class MatchCache:
    """The matches that were requested last, at most MAX_MATCHES.

    With a `secret` nobody can guess from a checksum what it is made of, such as the accounts of players.
    """

    def __init__(self, matches: Matches, texts: Texts, secret: str) -> None:
        self._matches = matches
        self._texts = texts
        self._key = hashlib.sha256(secret.encode()).digest()
        self._entries: OrderedDict[tuple[MatchId, ShownNames, str], CachedMatch] = OrderedDict()

    async def get_at(self, match: MatchId, fingerprint: MatchFingerprint, names: ShownNames) -> CachedMatch:
        """Return a match with this fingerprint, or a later one, for readers of the current language.

        Raises MatchUnknown.
        """
        key = (match, names, current_language())
        entry = self._entries.get(key)
        if entry is None or entry.fingerprint != fingerprint:
            entry = self._entries[key] = await self._load(match, names, fingerprint.rematch, entry)
        self._entries.move_to_end(key)
        if len(self._entries) > MAX_MATCHES:
            self._entries.popitem(last=False)
        return entry

    def checksum(self, fingerprint: MatchFingerprint) -> str:
        """Return the part of a match's version that changes with every change of the match."""
        text = repr(fingerprint).encode()
        return hashlib.blake2s(text, key=self._key, digest_size=CHECKSUM_BYTES).hexdigest()

    async def _load(
        self, match: MatchId, names: ShownNames, rematch: MatchId | None, earlier: CachedMatch | None
    ) -> CachedMatch:
        """Load a match. What `earlier` has is not made again; a `rematch` stays known."""
        known = () if earlier is None else earlier.moves
        history = await self._matches.views.history(match, names, known)
        fingerprint = replace(history.fingerprint, rematch=rematch)
        checksum, moves = self.checksum(fingerprint), history.moves
        try:
            replay = replay_from_history(history)
        except NoBoard:
            return CachedMatch(history.match, fingerprint, checksum, names, moves, None, ())
        turns = tuple(self._turn_texts(replay, earlier))
        return CachedMatch(history.match, fingerprint, checksum, names, moves, replay, turns)

    def _turn_texts(self, replay: Replay, earlier: CachedMatch | None) -> Iterator[str]:
        old = () if earlier is None or earlier.replay is None else earlier.replay.turns[1:]
        for index, turn in enumerate(replay.turns[1:]):
            is_known = index < len(old) and old[index].position is turn.position
            if earlier is not None and is_known:
                yield earlier.turn_texts[index]
            else:
                yield formatting.format_events(self._texts, turn)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 7
