"""``/help``: three steps for newcomers, and a page with all commands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.posts.post import Post
from bot.posts.replies import replace_message, send_private
from bot.ui import game_argument
from bot.ui.buttons import PersistentButton, view_of
from bot.ui.commands import create_command
from i18n.writing import Code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bot.context import BotClient, Interaction
    from engine.game import Game
    from i18n import Texts

COMMANDS_PAGE = "commands"


class HelpButton(PersistentButton, template=r"help1:(?P<page>commands|steps)"):
    """Shows the other page."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        is_steps = self.values["page"] != COMMANDS_PAGE
        post = (_steps_post if is_steps else _commands_post)(interaction.client)
        await replace_message(interaction, post)


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the command and its button."""
    return Feature(
        commands=(create_command(texts, "help", show_help, anywhere=True),),
        items=(HelpButton,),
    )


async def show_help(interaction: Interaction) -> None:
    """Respond with the first steps (ephemeral)."""
    post = _steps_post(interaction.client)
    await send_private(interaction, post)


def _steps_post(client: BotClient) -> Post:
    texts, games = client.texts, client.games
    examples = [
        texts("help.example", move=Code(move), game=texts(f"game.{name}.name"))
        for name, move in game_argument.example_moves(games).items()
    ]
    buttons = [
        *client.board_posts.buttons_for_newcomers(game_argument.default_game(games).name, {}),
        HelpButton.create(texts("help.all_commands"), f"help1:{COMMANDS_PAGE}"),
    ]
    text = texts("help.text", examples=texts.join(examples, "list.or"))
    return Post(text, buttons=lambda: view_of(*buttons))


def _commands_post(client: BotClient) -> Post:
    button = HelpButton.create(client.texts("help.first_steps"), "help1:steps")
    return Post(client.texts("help.commands"), buttons=lambda: view_of(button))
