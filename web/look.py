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

COOKIE = "look"
WIDTH = 700
A_YEAR = 365 * 24 * 3600


def kept_theme(request: web.Request) -> render.ThemeName:
    """Give the theme that the visitor's browser keeps from before."""
    kept = request.cookies.get(COOKIE, "")
    return next((theme for theme in render.ThemeName if theme.value == kept), render.ThemeName.RAINBOW)


@dataclass(frozen=True, slots=True)
class Look:
    """One way to look. `usual` is the side at the bottom where the address names none."""

    side: Side
    theme: render.ThemeName
    usual: Side

    @classmethod
    def of(cls, request: web.Request, game: Game, own: Side | None = None) -> Look:
        """Read what a request asks for. At the bottom is one's `own` side, or whoever moves first."""
        usual, asked = own or game.sides[0], request.query
        side = next((one for one in game.sides if one.value == asked.get("side")), usual)
        themes = {theme.value: theme for theme in render.ThemeName}
        return cls(side, themes.get(asked.get("theme", "")) or kept_theme(request), usual)

    def keep(self, request: web.Request, answer: web.Response, *, secure: bool) -> None:
        """Have the browser keep the theme if this request chose it."""
        if request.query.get("theme") == self.theme:
            answer.set_cookie(
                COOKIE, self.theme.value, max_age=A_YEAR, httponly=True, samesite="Lax", secure=secure
            )

    def flipped(self, game: Game) -> Look:
        """Give the look from the other side."""
        other = next(side for side in game.sides if side is not self.side)
        return Look(other, self.theme, self.usual)

    def themed(self, theme: render.ThemeName) -> Look:
        """Give the look in other colours."""
        return Look(self.side, theme, self.usual)

    def query(self, **more: object) -> str:
        """Give what stands behind the ``?`` of an address for this look; values of None are left out."""
        values = {name: value for name, value in more.items() if value is not None}
        if self.side is not self.usual:
            values["side"] = self.side.value
        return urlencode(values)

    def view(self, last: Sequence[Event] = (), width: int = WIDTH) -> render.View:
        """Give the look to the renderer, with what the last turn did."""
        return render.View(side=self.side, theme=self.theme, width=width, last=tuple(last))

    def svg(self, position: Position, last: Sequence[Event]) -> str:
        """Give a board as a picture for a page."""
        return render.svg(render.scene(position, self.view(last)))
