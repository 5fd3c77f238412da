"""Commands in context menus: challenge a user, see their profile, see the board of a message."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord import app_commands

from bot.feature import Feature
from bot.features.challenge.feature import make_challenge
from bot.features.ratings.profile import show_profile
from bot.posts.post import Post
from bot.posts.replies import ask, replace_message
from bot.posts.view_button import ViewButton, show_posted_board
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style
from bot.ui.interactions import handle_interaction
from bot.ui.permissions import check_can_be_challenged
from i18n import clocks
from matches import MatchId, Person, Refusal

if TYPE_CHECKING:
    import re
    from collections.abc import Awaitable, Callable

    from bot.context import Interaction
    from bot.ui.commands import CommandBuilder


# discord.py reads the kind of a menu from the annotation of the second parameter of its callback.
AnyUser = discord.Member | discord.User


class ChallengeGameButton(
    PersistentButton, template=r"challenge1:(?P<game>[a-z0-9]{1,20}):(?P<user>\d{1,20}):(?P<name>.{1,40})"
):
    """Challenges a user to a game, with options for a first game; the id holds the name of the user."""

    async def on_click(self, interaction: Interaction) -> None:
        """Close the question and post the challenge."""
        game = self.values["game"]
        opponent = Person(ids.stored_id(int(self.values["user"])), self.values["name"])
        text = interaction.client.texts(
            "menu.challenging",
            game=interaction.client.texts(f"game.{game}.name"),
            name=opponent,
        )
        await replace_message(interaction, Post(text))
        await make_challenge(interaction, opponent, game, is_first_game=True)


def _define_user_menu(key: str, handler: Callable[[Interaction, AnyUser], Awaitable[None]]) -> CommandBuilder:
    """Define a command in the menu of a user; its name is the text ``menu.KEY``."""

    async def callback(interaction: Interaction, user: AnyUser) -> None:
        await handle_interaction(interaction, lambda: handler(interaction, user))

    return _menu_builder(key, callback)


def _define_message_menu(
    key: str, handler: Callable[[Interaction, discord.Message], Awaitable[None]]
) -> CommandBuilder:
    """Define a command in the menu of a message; its name is the text ``menu.KEY``."""

    async def callback(interaction: Interaction, message: discord.Message) -> None:
        await handle_interaction(interaction, lambda: handler(interaction, message))

    return _menu_builder(key, callback)


def _menu_builder(key: str, callback: Any) -> CommandBuilder:
    return lambda texts, _games: app_commands.ContextMenu(
        name=texts(f"menu.{key}"), callback=callback, auto_locale_strings=False
    )


async def _ask_for_game(interaction: Interaction, user: AnyUser) -> None:
    """Ask which game to challenge a user to (ephemeral)."""
    client, opponent = interaction.client, ids.to_person(user)
    texts = client.texts
    if opponent.bot or user.id == interaction.user.id:
        await make_challenge(interaction, opponent, None)  # refused with the sentence of /challenge
        return
    check_can_be_challenged(interaction, user)
    buttons = [
        ChallengeGameButton.create(
            texts(f"game.{game}.name"), f"challenge1:{game}:{user.id}:{opponent.name}", Style.primary
        )
        for game in client.games
    ]
    vacation = (await client.matches.clocks.vacations.budget(opponent, now=client.now())).current_vacation
    away = () if vacation is None else ((opponent, vacation.ends_at),)
    question = texts("menu.which_game", name=opponent)
    text = texts.join([*clocks.describe_vacations(texts, away), question], "list.lines")
    await ask(interaction, text, *buttons)


async def _show_board(interaction: Interaction, message: discord.Message) -> None:
    """Show the board that a message of the bot is about (ephemeral). Raises Refusal for any other message."""
    is_own = message.author.id == interaction.client.application_id
    found = _find_board(message) if is_own else None
    if found is None:
        raise Refusal("no_board_in_message")
    await show_posted_board(interaction, MatchId(int(found["match"])), int(found["stamp"]))


def _find_board(message: discord.Message) -> re.Match[str] | None:
    """Return the match and the revision in the id of the button *My view* of a message."""
    template = ViewButton.__discord_ui_compiled_template__
    for row in message.components:
        for component in getattr(row, "children", ()):
            found = template.fullmatch(getattr(component, "custom_id", None) or "")
            if found is not None:
                return found
    return None


FEATURE = Feature(
    commands=(
        _define_user_menu("challenge", _ask_for_game),
        _define_user_menu("profile", lambda interaction, user: show_profile(interaction, user, None)),
        _define_message_menu("board", _show_board),
    ),
    items=(ChallengeGameButton,),
)
