"""``/vacation``: the days left, and a button that starts or ends the user's vacation; all ephemeral."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.posts.post import Post
from bot.posts.replies import ask, replace_message
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style
from bot.ui.interactions import mark_committed
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
        text = texts.join([text, *await _warn_of_late_matches(interaction)], "list.lines")
        buttons = (BeginVacationButton.create(texts("button.begin_vacation"), "away1", Style.primary),)
    await ask(interaction, text, *buttons)


async def _warn_of_late_matches(interaction: Interaction) -> list[str]:
    """Return the sentence that a vacation stops nothing in matches where the user is out of time, if any."""
    client, who = interaction.client, ids.to_person(interaction.user)
    late = 0
    for summary in await client.matches.views.list_awaiting(who):
        time = None if summary.time is None else summary.time.for_account(who.account)
        late += time is not None and time.is_out_of_time(client.now())
    return [client.texts("vacation.out_of_time", count=late)] if late else []


class BeginVacationButton(PersistentButton, template=r"away1"):
    """Starts the user's vacation."""

    async def on_click(self, interaction: Interaction) -> None:
        """Stop the clocks; the outbox notifies the opponents."""
        client, who = interaction.client, ids.to_person(interaction.user)
        vacation = await client.matches.clocks.vacations.begin(who, now=client.now())
        mark_committed(interaction)
        until = Moment(vacation.ends_at, MomentStyle.DATE)
        key = "vacation.begun" if vacation.match_count else "vacation.begun_idle"
        text = client.texts(key, count=vacation.match_count, until=until)
        late = await _warn_of_late_matches(interaction)
        await replace_message(interaction, Post(client.texts.join([text, *late], "list.lines")))


class EndVacationButton(PersistentButton, template=r"back1"):
    """Ends the user's vacation."""

    async def on_click(self, interaction: Interaction) -> None:
        """Restart the clocks; the outbox notifies the opponents."""
        client, who = interaction.client, ids.to_person(interaction.user)
        vacation = await client.matches.clocks.vacations.end(who, now=client.now())
        mark_committed(interaction)
        key = "vacation.over" if vacation.match_count else "vacation.over_idle"
        await replace_message(interaction, Post(client.texts(key, count=vacation.match_count)))
