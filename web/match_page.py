"""What a page of a match shows to whoever looks: the same for everybody, and more for whoever sits there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

import render
from matches import MatchState
from web import formatting

if TYPE_CHECKING:
    from engine.game import Game
    from matches import MatchView, Seat
    from web.cache import CachedMatch
    from web.context import WebContext
    from web.view_options import ViewOptions


MAX_CACHED_EVENTS = 16  # of one match: whoever names marks at will is not to fill the memory


@dataclass(frozen=True, slots=True)
class MatchPage:
    """One match, seen with one look, at one turn (the last one unless an earlier is asked for).

    `path` is the address of the page.
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
        """Read which turn an address asks for."""
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
        """Whether this is the board as it stands."""
        return self.turn == self.cached.last_turn

    def href(self, turn: int | None, view_options: ViewOptions | None = None, **more: str) -> str:
        """Return the address of a turn, the last one for None, on this page."""
        query = (view_options or self.view_options).query_string(turn=turn, **more)
        return f"{self.path}?{query}" if query else self.path

    def template_context(self) -> dict[str, Any]:
        """Return what the templates of a match need."""
        texts, view = self.context.texts, self.view
        return {
            "match": view.id,
            "path": self.path,
            "title": formatting.match_title(texts, view),
            "game": formatting.game_name(texts, view.game),
            "settings": formatting.format_options(texts, self.rules, view.options),
            "mark": self.cached.version,
            "turn": self.turn,
            "last": self.cached.last_turn,
            "look": self.view_options,
            "theme": self.view_options.theme,
            "hrefs": self._hrefs(),
            "themes": [
                (theme.value, theme is self.view_options.theme, self._theme_href(theme))
                for theme in render.ThemeName
            ],
            "turns": turn_items(self.cached, 1),
            "is_over": view.state is MatchState.OVER,
            "is_started": self.cached.replay is not None,
            "reveal": formatting.format_reveal(texts, self.rules, view),
            "link": f"{self.context.base}/m/{view.id}",
            "asked": None,
            "picks": (),
            "seated": False,
            **players_context(self.context, view),
            **self.board_context(),
        }

    def board_context(self) -> dict[str, Any]:
        """Return what the board and its caption need."""
        texts = self.context.texts
        choice = {"choice": formatting.choice_texts(texts, self.view.game)}
        if self.cached.replay is None:
            return {"svg": "", "caption": "", "turn": self.turn, "last": self.cached.last_turn, **choice}
        page = self.cached.replay_turn(self.turn)
        return {
            "svg": Markup(self.cached.board_svg(self.turn, self.view_options)),  # noqa: S704 - painted by the renderer
            "caption": formatting.format_turn(texts, page),
            "turn": self.turn,
            "last": self.cached.last_turn,
            **choice,
        }

    def _hrefs(self) -> dict[str, str]:
        last = self.cached.last_turn
        return {
            "first": self.href(0),
            "back": self.href(max(0, self.turn - 1)),
            "forward": self.href(min(last, self.turn + 1)),
            "latest": self.href(None),
            "flip": self.href(None if self.is_latest else self.turn, self.view_options.flip(self.rules)),
        }

    def _theme_href(self, theme: render.ThemeName) -> str:
        return self.href(None if self.is_latest else self.turn, self.view_options, theme=theme.value)


def players_context(context: WebContext, view: MatchView) -> dict[str, Any]:
    """Return who plays, who is awaited, and what is to be said about it."""
    texts, awaited_accounts = context.texts, {person.account for person in view.waits_for}
    winner = view.result.winner if view.result else None
    return {
        "seats": [
            {
                "side": seat.side.value,
                "side_name": formatting.format_side(texts, seat.side),
                "name": seat.person.name,
                "is_awaited": seat.person.account in awaited_accounts,
                "has_won": seat == winner,
                **_clock_context(view, seat),
            }
            for seat in view.seats
        ],
        "standing": formatting.format_status(texts, view),
        "offer": formatting.format_offer(texts, view),
        "is_paused": view.time is not None and view.time.paused,
        "pause_by": view.time.pause_offered_by.name
        if view.time is not None and view.time.pause_offered_by
        else "",
        "is_over": view.state is MatchState.OVER,
    }


def _clock_context(view: MatchView, seat: Seat) -> dict[str, Any]:
    """Return until when a person's time runs, for programs and for people, and whether it is over."""
    time = None if view.time is None else view.time.for_account(seat.person.account)
    deadline = None if time is None else time.deadline or time.flagged_at
    return {
        "until": None if deadline is None else (deadline.isoformat(), f"{deadline:%Y-%m-%d %H:%M} UTC"),
        "is_late": time is not None and time.flagged_at is not None,
        "is_away": time is not None and time.on_vacation,
    }


def turn_items(cached: CachedMatch, first_turn: int) -> list[tuple[int, str, str]]:
    """Return number, side and words of every turn from `first_turn` on."""
    if cached.replay is None:
        return []
    pages = cached.replay.turns[first_turn:]
    return [
        (page.number, str(page.side), told)
        for page, told in zip(pages, cached.turn_texts[first_turn - 1 :], strict=True)
    ]


def event_payload(
    context: WebContext, cached: CachedMatch, view_options: ViewOptions, since: int | None
) -> str:
    """Return as JSON what has happened since turn `since`: new lines of the list, the people, the board.

    With None the page is to be made anew: moves were taken back.
    """
    page = MatchPage(context, cached, view_options, cached.last_turn, f"/m/{cached.view.id}")
    render_part = context.pages.render
    return json.dumps(
        {
            "last": cached.last_turn,
            "whole": since is None,
            "started": cached.replay is not None,
            "turns": [
                [n, render_part("turn.html", item=(n, side, told))]
                for n, side, told in turn_items(cached, (since or 0) + 1)
            ],
            "people": render_part("people.html", **players_context(context, cached.view)),
            "stage": render_part("stage.html", **page.board_context()),
        },
        separators=(",", ":"),
    )


def event_bytes(
    context: WebContext, cached: CachedMatch, view_options: ViewOptions, since: int | None
) -> bytes:
    """Return the news as an event of a stream; whoever looks alike gets the same bytes."""
    key = (since, view_options)
    if key not in cached.event_cache:
        if len(cached.event_cache) >= MAX_CACHED_EVENTS:
            cached.event_cache.clear()
        text = f"id: {cached.version}\nevent: news\ndata: {event_payload(context, cached, view_options, since)}\n\n"  # noqa: E501
        cached.event_cache[key] = text.encode()
    return cached.event_cache[key]
