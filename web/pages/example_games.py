"""Example games: a whole game of each game for the front page, and its boards as SVG.

A game is a file of ``web/examples``; a game without one is shown with its first board.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from aiohttp import web

import render
from i18n.readers import current_language
from web.context import CONTEXT
from web.pages.view_options import BOARD_WIDTH, cookie_theme, parse_theme

if TYPE_CHECKING:
    from engine.game import Event, Game, Position
    from i18n import Texts
    from render import ThemeName

FOLDER = Path(__file__).parent / "examples"
PICTURE_HEADERS = {"Cache-Control": "public, max-age=86400", "Vary": "Accept-Encoding"}


@dataclass(frozen=True, slots=True)
class ExampleGame:
    """The boards of a game, each with the events of the move before it.

    `shown` is the number of the board on the card. `pictures` holds the boards as SVG, by number, theme and
    language.
    """

    boards: tuple[tuple[Position, tuple[Event, ...]], ...]
    shown: int
    pictures: dict[tuple[int, ThemeName, str], str] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """The number of moves; 0 if there is only the first board."""
        return len(self.boards) - 1

    def svg(self, texts: Texts, number: int, theme: ThemeName) -> str:
        """Return the board after `number` moves as SVG."""
        key = (number, theme, current_language())
        if key not in self.pictures:
            position, events = self.boards[number]
            options = render.RenderOptions(
                texts, width=BOARD_WIDTH, theme=theme, last_turn=events, is_over=position.outcome is not None
            )
            self.pictures[key] = render.to_svg(render.build_scene(position, options))
        return self.pictures[key]


EXAMPLES = web.AppKey("examples", dict[str, ExampleGame])


def load_example(game: Game, folder: Path = FOLDER) -> ExampleGame:
    """Return the example of a game. Raises GameError for a file with an illegal move."""
    path = folder / f"{game.name}.toml"
    content = tomllib.loads(path.read_text("utf-8")) if path.exists() else {}
    position = game.initial_position(**content.get("options", {}))
    boards: list[tuple[Position, tuple[Event, ...]]] = [(position, ())]
    for text in content.get("moves", ()):
        move = position.parse(text)
        boards.append((position.play(move), position.events(move)))
        position = boards[-1][0]
    return ExampleGame(tuple(boards), content.get("shown", 0))


def find_example(request: web.Request, name: str) -> ExampleGame:
    """Return the example of a game, which is loaded once. Raises HTTPNotFound."""
    examples, game = request.app[EXAMPLES], request.app[CONTEXT].games.get(name)
    if game is None:
        raise web.HTTPNotFound
    if name not in examples:
        examples[name] = load_example(game)
    return examples[name]


def picture_path(request: web.Request, name: str, number: int) -> str:
    """Return the URL of a board in the visitor's theme."""
    return f"/examples/{name}/{number}.svg?{urlencode({'theme': cookie_theme(request).value})}"


async def example_svg(request: web.Request) -> web.Response:
    """Return the board of an example after a number of moves."""
    example, number = find_example(request, request.match_info["game"]), int(request.match_info["number"])
    if number > example.last:
        raise web.HTTPNotFound
    theme = parse_theme(request.query.get("theme"), cookie_theme(request))
    text = example.svg(request.app[CONTEXT].texts, number, theme)
    answer = web.Response(text=text, content_type="image/svg+xml", headers=PICTURE_HEADERS)
    answer.enable_compression()
    return answer
