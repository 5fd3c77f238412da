"""View options: light or dark pages; of a board the side at the bottom, and the theme, from URL or cookie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from aiohttp import web

    from engine.game import Event, Game, Position, Side
    from i18n import Texts

THEME_COOKIE = "look"
COLOURS_COOKIE = "colours"
BOARD_WIDTH = 700
EMBED_SIZE = (480, 600)  # width and height of the frame of an embedded board
YEAR_SECONDS = 365 * 24 * 3600


class PageColours(StrEnum):
    """The colours of all pages; the value is that of the cookie."""

    LIGHT = "light"
    DARK = "dark"


PAGE_GROUNDS = {PageColours.LIGHT: "#ececf0", PageColours.DARK: "#131419"}  # --ground of style.css


def parse_colours(value: str | None) -> PageColours | None:
    """Return the colours of pages with this name; None, which follows the system, if there are none."""
    return next((one for one in PageColours if one.value == value), None)


def page_colours(request: web.Request) -> PageColours | None:
    """Return the colours that the visitor has chosen; None follows the system."""
    return parse_colours(request.cookies.get(COLOURS_COOKIE))


def parse_theme(value: str | None, default: render.ThemeName = render.ThemeName.RAINBOW) -> render.ThemeName:
    """Return the theme with this name, or the default if there is none."""
    return next((theme for theme in render.ThemeName if theme.value == value), default)


def cookie_theme(request: web.Request) -> render.ThemeName:
    """Return the theme saved in the visitor's cookie, by default the rainbow one."""
    return parse_theme(request.cookies.get(THEME_COOKIE))


def set_cookie(answer: web.Response, name: str, value: str, *, secure: bool) -> None:
    """Keep a choice of the visitor in a cookie for a year."""
    answer.set_cookie(name, value, max_age=YEAR_SECONDS, httponly=True, samesite="Lax", secure=secure)


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board as SVG without a status bar, and the count of each side as (side, text)."""

    svg: str
    counts: tuple[tuple[str, str], ...]

    @classmethod
    def of(
        cls,
        scene: render.Scene,
        targets: Mapping[str, render.ClickTarget] | None = None,
        placed: render.Sprite | None = None,
    ) -> BoardPicture:
        """Return the picture of a scene; with `targets` it can be clicked on, to put a piece as `placed`."""
        return cls(render.to_svg(render.without_status_bar(scene), targets, placed), scene.counts)


@dataclass(frozen=True, slots=True)
class ViewOptions:
    """Texts, side at the bottom and theme. `default_side` is at the bottom if the URL names no side."""

    texts: Texts
    side: Side
    theme: render.ThemeName
    default_side: Side

    @classmethod
    def from_request(
        cls, texts: Texts, request: web.Request, game: Game, own_side: Side | None = None
    ) -> ViewOptions:
        """Return the options of a request. The default side is `own_side` or the side that moves first."""
        return cls.from_query(texts, request.query, game, own_side, cookie_theme(request))

    @classmethod
    def from_query(
        cls,
        texts: Texts,
        query: Mapping[str, str],
        game: Game,
        own_side: Side | None = None,
        default_theme: render.ThemeName = render.ThemeName.RAINBOW,
    ) -> ViewOptions:
        """Return the options that a query string sets."""
        default_side = own_side or game.sides[0]
        side = next((side for side in game.sides if side.value == query.get("side")), default_side)
        return cls(texts, side, parse_theme(query.get("theme"), default_theme), default_side)

    def save_theme(self, request: web.Request, answer: web.Response, *, secure: bool) -> None:
        """Save the theme in a cookie if this request chose it."""
        if request.query.get("theme") == self.theme:
            set_cookie(answer, THEME_COOKIE, self.theme.value, secure=secure)

    def flip(self, game: Game) -> ViewOptions:
        """Return the options with the other side at the bottom."""
        opposite = next(side for side in game.sides if side is not self.side)
        return replace(self, side=opposite)

    def query_string(self, **more: object) -> str:
        """Return a query string with these options and the parameters in `more` that are not None."""
        values = {name: value for name, value in more.items() if value is not None}
        if self.side is not self.default_side:
            values["side"] = self.side.value
        return urlencode(values)

    def render_options(self, last: Sequence[Event] = (), *, is_over: bool = False) -> render.RenderOptions:
        """Return the renderer's options; `last` are the events of the turn to mark."""
        return render.RenderOptions(
            self.texts, self.side, self.theme, BOARD_WIDTH, last_turn=tuple(last), is_over=is_over
        )

    def scene(self, position: Position, last: Sequence[Event], *, is_over: bool = False) -> render.Scene:
        """Return a board; `last` are the events of the turn to mark."""
        return render.build_scene(position, self.render_options(last, is_over=is_over))
