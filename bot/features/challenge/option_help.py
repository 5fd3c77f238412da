"""What the options of a game mean: a private message with a line and a small picture for each of them."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Self

import render
from bot.posts import pictures
from bot.posts.option_pictures import PICTURE_WIDTH, draw_option
from bot.posts.post import Post
from bot.posts.replies import send_private
from bot.ui.buttons import PersistentButton
from i18n import formatting
from i18n.option_values import option_letters
from rules.pictures import example_scene

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from bot.context import Interaction
    from bot.posts.post import Picture
    from engine.game import Game, OptionValue
    from i18n import Texts
    from rules.content import RuleBooks


class OptionHelpButton(
    PersistentButton, template=r"options1:(?P<game>[a-z0-9]{1,20}):(?P<options>[a-z0-9=,-]{1,60})"
):
    """Explains the options that are in its custom id to the user who clicks it."""

    @classmethod
    def of(cls, texts: Texts, game: Game, options: Mapping[str, OptionValue]) -> Self | None:
        """Create the button for a game with these options; None if no value needs an explanation."""
        explained = ",".join(f"{name}={value}" for name, value in _explained(texts, game, options))
        return cls.create(texts("button.options"), f"options1:{game.name}:{explained}") if explained else None

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the explanations (ephemeral)."""
        client = interaction.client
        game = client.games[self.values["game"]]
        values: list[tuple[str, OptionValue]] = []
        for one in self.values["options"].split(","):
            name, _, value = one.partition("=")
            values.append((name, value))
        lines = [_format_line(client.texts, game, *one) for one in values]
        shown = await pictures.load_render_options(interaction)
        attached = await asyncio.to_thread(
            lambda: tuple(_draw_all(client.texts, client.rule_books, game, values, shown))
        )
        about = client.texts(f"game.{game.name}.about")
        text = client.texts.join([about, client.texts("option_help.heading"), *lines], "list.lines")
        await send_private(interaction, Post(text, attachments=attached))


def _explained(
    texts: Texts, game: Game, options: Mapping[str, OptionValue]
) -> Iterator[tuple[str, OptionValue]]:
    """Yield the values that the catalogue explains, a set of letters one by one."""
    for option in game.options:
        value = options.get(option.name, option.default)
        values = () if value is None else (value,)
        for one in str(value) if values and option_letters(option) else values:
            if texts.has(f"setting_about.{game.name}.{option.name}.{one}"):
                yield option.name, one


def _format_line(texts: Texts, game: Game, option: str, value: OptionValue) -> str:
    shown, key = formatting.describe_option(texts, game.name, option, value), f"{game.name}.{option}.{value}"
    more = texts(f"setting_more.{key}") if texts.has(f"setting_more.{key}") else ""
    return texts("option_help.line_more" if more else "option_help.line", value=shown, more=more)


def _draw_all(
    texts: Texts,
    rule_books: RuleBooks,
    game: Game,
    values: list[tuple[str, OptionValue]],
    shown: render.RenderOptions,
) -> Iterator[Picture]:
    """Yield a picture for each value that a page of the rules explains."""
    for option, value in values:
        page = rule_books.find_explanation(game.name, option, value)
        if page is not None:
            position, scene_options = example_scene(
                game.load(page.example.position), page.example, replace(shown, width=PICTURE_WIDTH)
            )
            yield draw_option(texts, game, option, value, render.build_scene(position, scene_options))
