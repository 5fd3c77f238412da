"""The command in the menu of a user that challenges them: it asks for the game, and for nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.feature import Feature
from bot.features.challenge.feature import make_challenge
from bot.posts.post import Post
from bot.posts.replies import ask, replace_message
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style
from bot.ui.commands import define_user_menu
from bot.ui.permissions import check_can_be_challenged
from i18n import clocks
from matches import Person

if TYPE_CHECKING:
    from bot.context import Interaction
    from bot.ui.commands import AnyUser


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
        await make_challenge(interaction, opponent, game, is_first_game=True)


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


FEATURE = Feature(commands=(define_user_menu("challenge", _ask_for_game),), items=(ChallengeGameButton,))
