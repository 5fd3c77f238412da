"""How a visitor looks at a board: from which side, in which colours; kept in the address of the page."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import render

if TYPE_CHECKING:
    from collections.abc import Sequence

    from aiohttp import web

    from engine.game import Event, Game, Position, Side

THEME_COOKIE = "look"
BOARD_WIDTH = 700
YEAR_SECONDS = 365 * 24 * 3600


def cookie_theme(request: web.Request) -> render.ThemeName:
    """Return the theme that the visitor's browser keeps from before."""
    value = request.cookies.get(THEME_COOKIE, "")
    return next((theme for theme in render.ThemeName if theme.value == value), render.ThemeName.RAINBOW)


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """One way to look. `default_side` is the side at the bottom where the address names none."""

    side: Side
    theme: render.ThemeName
    default_side: Side

    @classmethod
    def from_request(cls, request: web.Request, game: Game, own_side: Side | None = None) -> ViewOptions:
        """Read what a request asks for. At the bottom is one's `own_side` side, or whoever moves first."""
        default_side, query = own_side or game.sides[0], request.query
        side = next((one for one in game.sides if one.value == query.get("side")), default_side)
        themes = {theme.value: theme for theme in render.ThemeName}
        return cls(side, themes.get(query.get("theme", "")) or cookie_theme(request), default_side)

    def save_theme(self, request: web.Request, answer: web.Response, *, secure: bool) -> None:
        """Have the browser keep the theme if this request chose it."""
        if request.query.get("theme") == self.theme:
            answer.set_cookie(
                THEME_COOKIE,
                self.theme.value,
                max_age=YEAR_SECONDS,
                httponly=True,
                samesite="Lax",
                secure=secure,
            )

    def flip(self, game: Game) -> ViewOptions:
        """Return the look from the other side."""
        opposite = next(side for side in game.sides if side is not self.side)
        return ViewOptions(opposite, self.theme, self.default_side)

    def themed(self, theme: render.ThemeName) -> ViewOptions:
        """Return the look in other colours."""
        return ViewOptions(self.side, theme, self.default_side)

    def query_string(self, **more: object) -> str:
        """Return what stands behind the ``?`` of an address for this look; values of None are left out."""
        values = {name: value for name, value in more.items() if value is not None}
        if self.side is not self.default_side:
            values["side"] = self.side.value
        return urlencode(values)

    def render_options(self, last: Sequence[Event] = (), width: int = BOARD_WIDTH) -> render.RenderOptions:
        """Return the look to the renderer, with what the last turn did."""
        return render.RenderOptions(
            bottom_side=self.side, theme=self.theme, width=width, last_turn=tuple(last)
        )

    def board_svg(self, position: Position, last: Sequence[Event]) -> str:
        """Return a board as a picture for a page."""
        return render.to_svg(render.build_scene(position, self.render_options(last)))
