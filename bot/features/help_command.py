"""``/help``: three steps for newcomers, and a page with all commands."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any

from bot.feature import Feature
from bot.posts.post import Post
from bot.posts.replies import replace_message, send_private
from bot.ui import game_argument
from bot.ui.buttons import PersistentButton, link_button, view_of
from bot.ui.commands import define_command
from i18n.writing import Code

if TYPE_CHECKING:
    import discord

    from bot.context import BotClient, Interaction

COMMANDS_PAGE = "commands"
MAX_LINKS = 4  # to openings of games, so that they and the button for the first steps are one row


class HelpButton(PersistentButton, template=r"help1:(?P<page>commands|steps)"):
    """Shows the other page."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        is_steps = self.values["page"] != COMMANDS_PAGE
        post = (_steps_post if is_steps else _commands_post)(interaction.client)
        await replace_message(interaction, post)


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
    texts, website = client.texts, client.seat_links
    buttons: list[discord.ui.Item[Any]] = [HelpButton.create(texts("help.first_steps"), "help1:steps")]
    if website is not None:
        buttons += [
            link_button(texts("web.explorer.of", game=texts(f"game.{name}.name")), website.explorer_url(name))
            for name in islice(client.games, MAX_LINKS)
        ]
    return Post(texts("help.commands"), buttons=lambda: view_of(*buttons))


FEATURE = Feature(
    commands=(define_command("help", show_help, anywhere=True),),
    items=(HelpButton,),
)
