"""Commands in context menus: challenge a user, see their profile, see the board of a message."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.features.challenge.feature import make_challenge
from bot.features.ratings.profile import show_profile
from bot.posts.post import Post
from bot.posts.replies import replace_message
from bot.posts.view_button import ViewButton, show_posted_board
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.context_menus import create_message_menu, create_user_menu
from bot.ui.interactions import response_timeout
from bot.ui.permissions import check_can_be_challenged
from i18n import clocks
from matches import MatchId, Person, Refusal

if TYPE_CHECKING:
    import re
    from collections.abc import Mapping

    import discord

    from bot.context import Interaction
    from bot.ui.context_menus import AnyUser
    from engine.game import Game
    from i18n import Texts


class ChallengeGameButton(
    PersistentButton, template=r"challenge1:(?P<game>[a-z0-9]{1,20}):(?P<user>\d{1,20}):(?P<name>.{1,40})"
):
    """Challenges a user to a game, with the default options; the id holds the name of the user."""

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
        await _challenge(interaction, opponent, game)


def setup(texts: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the commands, and the buttons that choose a game."""
    return Feature(
        commands=(
            create_user_menu(texts, "challenge", _ask_for_game),
            create_user_menu(
                texts, "profile", lambda interaction, user: show_profile(interaction, user, None)
            ),
            create_message_menu(texts, "board", _show_board),
        ),
        items=(ChallengeGameButton,),
    )


async def _ask_for_game(interaction: Interaction, user: AnyUser) -> None:
    """Ask which game to challenge a user to (ephemeral)."""
    client, opponent = interaction.client, ids.to_person(user)
    texts = client.texts
    if opponent.bot or user.id == interaction.user.id:
        await _challenge(interaction, opponent, None)  # refused with the sentence of /challenge
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
    async with response_timeout(interaction):
        await interaction.response.send_message(text, view=view_of(*buttons), ephemeral=True)


async def _challenge(interaction: Interaction, opponent: Person, game: str | None) -> None:
    """Challenge a player with the default options and terms."""
    await make_challenge(
        interaction,
        opponent,
        game,
        colour=None,
        time_control=None,
        time_out=None,
        vacation=None,
        takeback=None,
        rated=None,
    )


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
