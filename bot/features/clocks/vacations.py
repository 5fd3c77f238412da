"""``/vacation``: the days left, and a button that starts or ends the user's vacation; all ephemeral."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Self

from bot.posts.post import Post
from bot.posts.replies import ask, replace_message
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style
from bot.ui.interactions import mark_committed
from i18n.typed_values import parse_length
from i18n.writing import Moment, MomentStyle, describe_duration

if TYPE_CHECKING:
    from bot.context import Interaction
    from i18n import Texts

MINUTE = timedelta(minutes=1)
MAX_MINUTES = 999_999  # what the id of a button can hold; longer vacations are refused anyway


async def show(interaction: Interaction, length: str | None) -> None:
    """Show the vacation days left and the button that applies now; a new vacation has the typed `length`."""
    client, texts = interaction.client, interaction.client.texts
    wanted = None if length is None else parse_length(length)
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
        lines = [text]
        if wanted is not None:
            until = Moment(client.now() + wanted, MomentStyle.DATE)
            lines.append(texts("vacation.for_length", length=describe_duration(texts, wanted), until=until))
        text = texts.join([*lines, *await _warn_of_late_matches(interaction)], "list.lines")
        buttons = (BeginVacationButton.of(texts, wanted),)
    await ask(interaction, text, *buttons)


async def _warn_of_late_matches(interaction: Interaction) -> list[str]:
    """Return the sentence that a vacation stops nothing in matches where the user is out of time, if any."""
    client, who = interaction.client, ids.to_person(interaction.user)
    late = 0
    for summary in await client.matches.views.list_awaiting(who):
        time = None if summary.time is None else summary.time.for_account(who.account)
        late += time is not None and time.is_out_of_time(client.now())
    return [client.texts("vacation.out_of_time", count=late)] if late else []


class BeginVacationButton(PersistentButton, template=r"away1(?::(?P<minutes>\d{1,6}))?"):
    """Starts the user's vacation, for some minutes or until the user ends it."""

    @classmethod
    def of(cls, texts: Texts, length: timedelta | None) -> Self:
        """Create the button for a vacation of some length."""
        custom_id = "away1" if length is None else f"away1:{min(length // MINUTE, MAX_MINUTES)}"
        return cls.create(texts("button.begin_vacation"), custom_id, Style.primary)

    async def on_click(self, interaction: Interaction) -> None:
        """Stop the clocks; the outbox notifies the opponents."""
        client, who = interaction.client, ids.to_person(interaction.user)
        minutes = self.values.get("minutes")
        length = int(minutes) * MINUTE if minutes else None
        vacation = await client.matches.clocks.vacations.begin(who, length=length, now=client.now())
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
