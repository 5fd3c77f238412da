"""The page of a match: template contexts of its parts, and the same parts as server-sent events."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

import render
from i18n import formatting as game_formatting
from i18n import match_texts
from i18n.announcements import describe_reveal
from i18n.names import name_of
from i18n.writing import Moment, isolate
from matches import MatchState
from web.addresses import match_path
from web.match import formatting
from web.pages.rules_pages import book_path
from web.pages.view_options import EMBED_SIZE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.game import Game, Side
    from i18n import Texts
    from matches import MatchSummary, MatchView, Seat
    from web.context import WebContext
    from web.match.cache import CachedMatch
    from web.pages.view_options import BoardPicture, ViewOptions


MAX_CACHED_EVENTS = 16  # per match: clients can send any version, and each makes an event of its own


@dataclass(frozen=True, slots=True)
class MatchPage:
    """One match with one set of view options at one turn, by default the latest.

    `path` is the page's own path: the public one, or that of a seat.
    """

    context: WebContext
    cached: CachedMatch
    view_options: ViewOptions
    turn: int
    path: str

    @classmethod
    def create(
        cls, context: WebContext, cached: CachedMatch, view_options: ViewOptions, turn: str | None, path: str
    ) -> MatchPage:
        """Parse the `turn` parameter of a URL; anything but the number of a turn means the latest."""
        is_past = turn is not None and turn.isascii() and turn.isdigit() and len(turn) < 6
        number = min(int(turn), cached.last_turn) if is_past and turn is not None else cached.last_turn
        return cls(context, cached, view_options, number, path)

    @property
    def view(self) -> MatchView:
        """The match."""
        return self.cached.view

    @property
    def rules(self) -> Game:
        """The game."""
        return self.context.games[self.view.game]

    @property
    def is_latest(self) -> bool:
        """Whether the latest turn is shown."""
        return self.turn == self.cached.last_turn

    def href(
        self,
        turn: int | None,
        view_options: ViewOptions | None = None,
        query: Mapping[str, str] | None = None,
    ) -> str:
        """Return the URL of a turn on this page, with more parameters; None means the latest."""
        text = (view_options or self.view_options).query_string(turn=turn, **(query or {}))
        return f"{self.path}?{text}" if text else self.path

    def frame_context(self, **query: str) -> dict[str, Any]:
        """Return the template context of everything around players, board and seat controls.

        `query` is the turn that is being entered.
        """
        texts, view = self.context.texts, self.view
        return {
            "match": view.id,
            "now": self.context.now().isoformat(),
            "title": formatting.match_title(texts, view),
            "game": texts(f"game.{view.game}.name"),
            "settings": match_texts.format_settings(texts, view, self.rules),
            "version": self.cached.version,
            "takebacks": view.takebacks,
            "rules_url": self._rules_url(),
            "view_options": self.view_options,
            "theme": self.view_options.theme,
            "themes": [
                (theme.value, theme is self.view_options.theme, self._theme_href(theme, query))
                for theme in render.ThemeName
            ],
            "turns": turn_items(self.cached, 1),
            "is_started": self.cached.replay is not None,
            "reveal": view.reveal and describe_reveal(texts, self.rules, view.reveal),
            "link": f"{self.context.base}{match_path(view.id)}",
            "embed_size": EMBED_SIZE,
        }

    def link_context(self, **query: str) -> dict[str, Any]:
        """Return the path of the page and its links to other turns, as templates need them.

        `query` is the turn that is being entered.
        """
        hrefs = {
            **self.turn_hrefs(),
            "flip": self.href(
                None if self.is_latest else self.turn, self.view_options.flip(self.rules), query
            ),
        }
        side_query = self.view_options.query_string()
        return {
            "path": self.path,
            "hrefs": hrefs,
            "action_query": f"?{side_query}" if side_query else "",
            "page_side": self.view_options.side.value,
        }

    def turn_hrefs(self, query: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return the links to other turns, with more parameters."""
        return {
            "first": self.href(0, query=query),
            "back": self.href(max(0, self.turn - 1), query=query),
            "forward": self.href(min(self.cached.last_turn, self.turn + 1), query=query),
            "latest": self.href(None, query=query),
        }

    def board_context(self, picture: BoardPicture | None = None) -> dict[str, Any]:
        """Return the template context of the board: `picture`, by default the cached one, and a caption."""
        context: dict[str, Any] = {
            "turn": self.turn,
            "last": self.cached.last_turn,
            "is_preview": False,
            "choice": formatting.choice_texts(self.context.texts, self.view.game),
        }
        if self.cached.replay is None:
            return {**context, "svg": "", "caption": "", "counts": ()}
        if picture is None:
            picture = self.cached.board_picture(self.turn, self.view_options)
        return {
            **context,
            "svg": Markup(picture.svg),  # noqa: S704 - made by the renderer, which escapes all texts
            "counts": self._count_items(picture),
            "caption": self._caption(),
        }

    def _caption(self) -> str:
        if not self.cached.last_turn:
            return self.context.texts("web.turn.none")
        return formatting.format_turn(self.context.texts, self.cached.replay_turn(self.turn))

    def _count_items(self, picture: BoardPicture) -> list[tuple[str, str, str]]:
        """Return side, its name, and its count for each side."""
        texts, sides = self.context.texts, {side.value: side for side in self.rules.sides}
        return [
            (side, game_formatting.format_side(texts, sides[side]), count) for side, count in picture.counts
        ]

    def _theme_href(self, theme: render.ThemeName, query: Mapping[str, str]) -> str:
        return self.href(None if self.is_latest else self.turn, query={"theme": theme.value, **query})

    def _rules_url(self) -> str:
        """Return the path of the rules of this match; they depend on the edition."""
        position = self.view.position
        return book_path(self.context, self.view.game if position is None else position.vocabulary)


def players_context(
    context: WebContext, cached: CachedMatch, view: MatchView, bottom_side: Side
) -> dict[str, Any]:
    """Return the template context of the players, their clocks and the status of the match.

    The player of `bottom_side` comes last, below the board. `view` is the match as the visitor may see it.
    """
    texts, awaited_accounts = context.texts, {person.account for person in view.waits_for}
    winner = view.result.winner if view.result else None
    offer = view.pending_offer
    undone = [] if offer is None else cached.turns_since_last_of(offer.by.account)
    return {
        "seats": [
            {
                "side": seat.side.value,
                "side_name": _unless_named(texts, seat),
                "name": isolate(name_of(texts, seat.person)),
                "is_awaited": seat.person.account in awaited_accounts,
                "has_won": seat == winner,
                **clock_context(context, view, seat),
            }
            for seat in sorted(view.seats, key=lambda seat: seat.side is bottom_side)
        ],
        "status_text": formatting.format_status(texts, view),
        "offer": match_texts.format_pending_offer(texts, view, undone),
        "is_paused": view.time is not None and view.time.paused,
        "unreached": texts.join(view.time.unreached) if view.time is not None else "",
        "pause_by": isolate(name_of(texts, view.time.pause_offered_by))
        if view.time is not None and view.time.pause_offered_by
        else "",
        "is_over": view.state is MatchState.OVER,
        "names": [name_of(texts, seat.person) for seat in view.seats],
    }


def _unless_named(texts: Texts, seat: Seat) -> str:
    """Return the name of a side, but nothing for a player without a name, who is called by the side."""
    side_name = game_formatting.format_side(texts, seat.side)
    return "" if name_of(texts, seat.person) == side_name else side_name


def clock_context(context: WebContext, view: MatchView | MatchSummary, seat: Seat) -> dict[str, Any]:
    """Return a player's clock, and the deadline in words.

    `until` is the moment of a deadline, `is_late` whether it has passed. `clock` is the remaining
    time as text, empty without a clock; `ends` is when it runs out as ISO 8601, empty while it stands.
    """
    time = None if view.time is None else view.time.for_account(seat.person.account)
    deadline = None if time is None else time.deadline or time.flagged_at
    is_running = time is not None and time.deadline is not None
    remaining = None if time is None or view.state is MatchState.OVER else time.remaining
    if time is not None and time.deadline is not None:
        remaining = time.deadline - context.now()
    elif time is not None and time.flagged_at is not None:
        remaining = timedelta()
    return {
        "clock": "" if remaining is None else formatting.format_remaining(context.texts, remaining),
        "ends": deadline.isoformat() if is_running and deadline is not None else "",
        "until": None if deadline is None else Moment(deadline),
        "is_late": time is not None and time.flagged_at is not None,
        "is_away": time is not None and time.on_vacation,
    }


def turn_items(cached: CachedMatch, first_turn: int) -> list[tuple[int, str, str]]:
    """Return number, side and text of every turn from `first_turn` on."""
    if cached.replay is None:
        return []
    turns = cached.replay.turns[first_turn:]
    return [
        (turn.number, str(turn.side), text)
        for turn, text in zip(turns, cached.turn_texts[first_turn - 1 :], strict=True)
    ]


def event_payload(
    context: WebContext, cached: CachedMatch, view_options: ViewOptions, since: int | None
) -> str:
    """Return as JSON what a client that has the turns up to `since` needs: new turns, players and board.

    With None, because moves were taken back, it gets all turns.
    """
    page = MatchPage(context, cached, view_options, cached.last_turn, match_path(cached.view.id))
    render_part, board = context.pages.render, page.board_context()
    return json.dumps(
        {
            "since": since or 0,
            "over": cached.view.state is MatchState.OVER,
            "started": cached.replay is not None,
            "turns": [
                [number, render_part("turn.html", item=(number, side, text))]
                for number, side, text in turn_items(cached, (since or 0) + 1)
            ],
            "players": render_part(
                "players.html",
                **players_context(context, cached, cached.view, view_options.side),
                counts=board["counts"],
            ),
            "board": render_part("board_parts.html", **board),
        },
        separators=(",", ":"),
    )


def event_bytes(
    context: WebContext, cached: CachedMatch, view_options: ViewOptions, since: int | None
) -> bytes:
    """Return the update as a server-sent event, cached for clients with the same view options."""
    key = (since, view_options)
    if key not in cached.event_cache:
        if len(cached.event_cache) >= MAX_CACHED_EVENTS:
            cached.event_cache.clear()
        payload = event_payload(context, cached, view_options, since)
        cached.event_cache[key] = f"id: {cached.version}\nevent: update\ndata: {payload}\n\n".encode()
    return cached.event_cache[key]
