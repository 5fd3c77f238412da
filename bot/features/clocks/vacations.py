"""``/vacation``: the days left, and a button that starts or ends the user's vacation; all ephemeral."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.posts.post import Post
from bot.posts.replies import replace_message
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.interactions import mark_committed, response_timeout
from i18n.writing import Moment, MomentStyle

if TYPE_CHECKING:
    from bot.context import Interaction


async def show(interaction: Interaction) -> None:
    """Show the vacation days left and the button that applies now."""
    client, texts = interaction.client, interaction.client.texts
    budget = await client.matches.clocks.vacations.budget(ids.to_person(interaction.user), now=client.now())
    text = texts("vacation.left", count=budget.days_left, year=budget.year)
    buttons: tuple[PersistentButton, ...] = ()
    if budget.current_vacation is not None:
        since, until = (
            Moment(at, MomentStyle.DATE)
            for at in (budget.current_vacation.began_at, budget.current_vacation.ends_at)
        )
        text = texts("vacation.under_way", since=since, until=until)
        buttons = (EndVacationButton.create(texts("button.end_vacation"), "back1", Style.primary),)
    elif budget.days_left:
        buttons = (BeginVacationButton.create(texts("button.begin_vacation"), "away1", Style.primary),)
    async with response_timeout(interaction):
        await interaction.response.send_message(text, view=view_of(*buttons), ephemeral=True)


class BeginVacationButton(PersistentButton, template=r"away1"):
    """Starts the user's vacation."""

    async def on_click(self, interaction: Interaction) -> None:
        """Stop the clocks; the outbox notifies the opponents."""
        client, who = interaction.client, ids.to_person(interaction.user)
        vacation = await client.matches.clocks.vacations.begin(who, now=client.now())
        until = Moment(vacation.ends_at, MomentStyle.DATE)
        key = "vacation.begun" if vacation.match_count else "vacation.begun_idle"
        await _replace_message(interaction, client.texts(key, count=vacation.match_count, until=until))


class EndVacationButton(PersistentButton, template=r"back1"):
    """Ends the user's vacation."""

    async def on_click(self, interaction: Interaction) -> None:
        """Restart the clocks; the outbox notifies the opponents."""
        client, who = interaction.client, ids.to_person(interaction.user)
        vacation = await client.matches.clocks.vacations.end(who, now=client.now())
        key = "vacation.over" if vacation.match_count else "vacation.over_idle"
        await _replace_message(interaction, client.texts(key, count=vacation.match_count))


async def _replace_message(interaction: Interaction, text: str) -> None:
    mark_committed(interaction)
    await replace_message(interaction, Post(text))
