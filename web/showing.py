"""What a page of a match shows to whoever looks: the same for everybody, and more for whoever sits there."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

import render
from matches import MatchState
from web import telling

if TYPE_CHECKING:
    from engine.game import Game
    from matches import MatchView, Seat
    from web.house import House
    from web.look import Look
    from web.shelf import Shown


EVENTS_KEPT = 16  # of one match: whoever names marks at will is not to fill the memory


@dataclass(frozen=True, slots=True)
class Showing:
    """One match, seen with one look, at one turn (the last one unless an earlier is asked for).

    `path` is the address of the page.
    """

    house: House
    shown: Shown
    look: Look
    turn: int
    path: str

    @classmethod
    def of(cls, house: House, shown: Shown, look: Look, turn: str | None, path: str) -> Showing:
        """Read which turn an address asks for."""
        is_past = turn is not None and turn.isascii() and turn.isdigit() and len(turn) < 6
        number = min(int(turn), shown.last) if is_past and turn is not None else shown.last
        return cls(house, shown, look, number, path)

    @property
    def view(self) -> MatchView:
        """The match."""
        return self.shown.view

    @property
    def rules(self) -> Game:
        """The game."""
        return self.house.games[self.view.game]

    @property
    def is_latest(self) -> bool:
        """Whether this is the board as it stands."""
        return self.turn == self.shown.last

    def href(self, turn: int | None, look: Look | None = None, **more: str) -> str:
        """Give the address of a turn, the last one for None, on this page."""
        query = (look or self.look).query(turn=turn, **more)
        return f"{self.path}?{query}" if query else self.path

    def values(self) -> dict[str, Any]:
        """Give what the templates of a match need."""
        words, view = self.house.words, self.view
        return {
            "match": view.id,
            "path": self.path,
            "title": telling.versus(words, view),
            "game": telling.game(words, view.game),
            "settings": telling.settings(words, self.rules, view.options),
            "mark": self.shown.mark,
            "turn": self.turn,
            "last": self.shown.last,
            "look": self.look,
            "theme": self.look.theme,
            "hrefs": self._hrefs(),
            "themes": [
                (theme.value, theme is self.look.theme, self._theme_href(theme)) for theme in render.ThemeName
            ],
            "turns": items(self.shown, 1),
            "is_over": view.state is MatchState.OVER,
            "is_started": self.shown.replay is not None,
            "reveal": telling.reveal(words, self.rules, view),
            "link": f"{self.house.base}/m/{view.id}",
            "asked": None,
            "fists": (),
            "seated": False,
            **people(self.house, view),
            **self.stage(),
        }

    def stage(self) -> dict[str, Any]:
        """Give what the board and its caption need."""
        words = self.house.words
        if self.shown.replay is None:
            return {"svg": "", "caption": "", "turn": self.turn, "last": self.shown.last}
        page = self.shown.page(self.turn)
        return {
            "svg": Markup(self.shown.board(self.turn, self.look)),  # noqa: S704 - painted by the renderer
            "caption": telling.turn(words, page),
            "turn": self.turn,
            "last": self.shown.last,
        }

    def _hrefs(self) -> dict[str, str]:
        last = self.shown.last
        return {
            "first": self.href(0),
            "back": self.href(max(0, self.turn - 1)),
            "forward": self.href(min(last, self.turn + 1)),
            "latest": self.href(None),
            "flip": self.href(None if self.is_latest else self.turn, self.look.flipped(self.rules)),
        }

    def _theme_href(self, theme: render.ThemeName) -> str:
        return self.href(None if self.is_latest else self.turn, self.look, theme=theme.value)


def people(house: House, view: MatchView) -> dict[str, Any]:
    """Give who plays, who is awaited, and what is to be said about it."""
    words, awaited = house.words, {person.account for person in view.waits_for}
    winner = view.result.winner if view.result else None
    return {
        "seats": [
            {
                "side": seat.side.value,
                "side_name": telling.side(words, seat.side),
                "name": seat.person.name,
                "is_awaited": seat.person.account in awaited,
                "has_won": seat == winner,
                **_time(view, seat),
            }
            for seat in view.seats
        ],
        "standing": telling.standing(words, view),
        "offer": telling.offer(words, view),
        "is_paused": view.time is not None and view.time.paused,
        "pause_by": view.time.offer.name if view.time is not None and view.time.offer else "",
        "is_over": view.state is MatchState.OVER,
    }


def _time(view: MatchView, seat: Seat) -> dict[str, Any]:
    """Give until when a person's time runs, for programs and for people, and whether it is over."""
    time = None if view.time is None else view.time.of(seat.person.account)
    at = None if time is None else time.deadline or time.fell_at
    return {
        "until": None if at is None else (at.isoformat(), f"{at:%Y-%m-%d %H:%M} UTC"),
        "is_late": time is not None and time.fell_at is not None,
        "is_away": time is not None and time.away,
    }


def items(shown: Shown, first: int) -> list[tuple[int, str, str]]:
    """Give number, side and words of every turn from `first` on."""
    if shown.replay is None:
        return []
    pages = shown.replay.pages[first:]
    return [
        (page.turn, str(page.side), told) for page, told in zip(pages, shown.turns[first - 1 :], strict=True)
    ]


def news(house: House, shown: Shown, look: Look, since: int | None) -> str:
    """Give as JSON what has happened since turn `since`: new lines of the list, the people, the board.

    With None the page is to be made anew: moves were taken back.
    """
    showing = Showing(house, shown, look, shown.last, f"/m/{shown.view.id}")
    parts = house.pages.part
    return json.dumps(
        {
            "last": shown.last,
            "whole": since is None,
            "started": shown.replay is not None,
            "turns": [
                [n, parts("turn.html", item=(n, side, told))]
                for n, side, told in items(shown, (since or 0) + 1)
            ],
            "people": parts("people.html", **people(house, shown.view)),
            "stage": parts("stage.html", **showing.stage()),
        },
        separators=(",", ":"),
    )


def event(house: House, shown: Shown, look: Look, since: int | None) -> bytes:
    """Give the news as an event of a stream; whoever looks alike gets the same bytes."""
    key = (since, look)
    if key not in shown.events:
        if len(shown.events) >= EVENTS_KEPT:
            shown.events.clear()
        text = f"id: {shown.mark}\nevent: news\ndata: {news(house, shown, look, since)}\n\n"
        shown.events[key] = text.encode()
    return shown.events[key]
