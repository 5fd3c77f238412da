"""One's own vacation: how many days are left, and a button that begins or ends it. All of it in private."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import format_dt

from bot import people
from bot.answers import take, within
from bot.posts import Post
from bot.presses import Press, Style, row

if TYPE_CHECKING:
    from bot.client import Interaction


async def show(interaction: Interaction) -> None:
    """Tell what is left, with the one button that makes sense."""
    client, words = interaction.client, interaction.client.words
    budget = await client.matches.clocks.vacation(people.person(interaction.user), now=client.now())
    text = words("vacation.left", count=budget.days, year=budget.year)
    buttons: tuple[Press, ...] = ()
    if budget.under_way is not None:
        since, until = (format_dt(at, "D") for at in (budget.under_way.began_at, budget.under_way.ends_at))
        text = words("vacation.under_way", since=since, until=until)
        buttons = (ReturnButton.labelled(words("button.return"), "back1", Style.primary),)
    elif budget.days:
        buttons = (LeaveButton.labelled(words("button.leave"), "away1", Style.primary),)
    async with within(interaction):
        await interaction.response.send_message(text, view=row(*buttons), ephemeral=True)


class LeaveButton(Press, template=r"away1"):
    """Begins a vacation."""

    async def pressed(self, interaction: Interaction) -> None:
        """Stop the clocks; the outbox tells the opponents."""
        client, who = interaction.client, people.person(interaction.user)
        vacation = await client.matches.clocks.begin_vacation(who, now=client.now())
        until = format_dt(vacation.ends_at, "D")
        key = "vacation.begun" if vacation.matches else "vacation.begun_idle"
        await _close(interaction, client.words(key, count=vacation.matches, until=until))


class ReturnButton(Press, template=r"back1"):
    """Ends a vacation."""

    async def pressed(self, interaction: Interaction) -> None:
        """Let the clocks go on; the outbox tells the opponents."""
        client, who = interaction.client, people.person(interaction.user)
        vacation = await client.matches.clocks.end_vacation(who, now=client.now())
        key = "vacation.over" if vacation.matches else "vacation.over_idle"
        await _close(interaction, client.words(key, count=vacation.matches))


async def _close(interaction: Interaction, text: str) -> None:
    take(interaction)
    async with within(interaction):
        await interaction.response.edit_message(**Post(text).edit())
