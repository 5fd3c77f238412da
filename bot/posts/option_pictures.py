"""Small pictures of what the options of a game mean."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import render
from bot.posts.post import Picture
from i18n import formatting

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from engine.game import Game, OptionValue
    from i18n import Texts

PICTURE_WIDTH = 400


def draw_starts(
    texts: Texts, game: Game, options: Mapping[str, OptionValue], shown: render.RenderOptions
) -> Iterator[Picture]:
    """Yield the first board of each value that the game's secret picks can choose, in their order."""
    choice = game.simultaneous_choice
    if choice is None:
        return
    for pick in choice.picks:
        value = game.resolve_picks(pick, pick)
        position = game.initial_position(**{**options, choice.option: value})
        scene = render.build_scene(position, replace(shown, width=PICTURE_WIDTH))
        yield draw_option(texts, game, choice.option, value, scene)


def draw_option(texts: Texts, game: Game, option: str, value: OptionValue, scene: render.Scene) -> Picture:
    """Return the picture of a scene that shows a value of an option, with the value as its caption.

    A value in letters that the font of pictures does not have is in the alternative text alone.
    """
    caption = formatting.format_option(texts.plain, game.name, option, value)
    alt = f"{formatting.describe_option(texts.plain, game.name, option, value)}\n{render.to_text(scene)}"
    shown = (
        render.with_caption(scene, caption) if render.can_write(caption) else render.without_status_bar(scene)
    )
    return Picture(render.to_png(shown), alt, f"{option}-{value}.png")
