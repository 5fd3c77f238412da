"""At the flag: claiming a match, after being asked once, and giving the other more time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from discord.utils import escape_markdown

from bot import forms, matching, people
from bot.answers import need_permissions, within
from bot.delivery import deliver
from bot.posts import Post
from bot.presses import Press, Style, row
from bot.refusals import Refusal
from matches import MatchId, MatchOver, NoClock, NotInMatch, TimeNotOver, read_duration

if TYPE_CHECKING:
    from datetime import timedelta

    from bot.client import Interaction
    from matches import MatchView, SeatTime
    from words import Words

FORM = "give1"


async def claim(interaction: Interaction, match: str | None) -> None:
    """Ask once, in private, whether the person really claims the match."""
    await _ask(interaction, await matching.own(interaction, match))


async def give(interaction: Interaction, time: str, match: str | None) -> None:
    """Give the other more time."""
    need_permissions(interaction)
    await _give(interaction, await matching.own(interaction, match), time)


async def submitted(interaction: Interaction) -> None:
    """Give the time that was typed into the form."""
    need_permissions(interaction)
    (match,) = forms.values(interaction)
    await _give(interaction, MatchId(int(match)), forms.typed(interaction)["time"])


class ClaimButton(Press, template=r"claim1:(?P<match>\d+)"):
    """Stands under the post that tells that somebody's time is over."""

    @classmethod
    def of(cls, words: Words, match: MatchId) -> Self:
        """Make the button."""
        return cls.labelled(words("button.claim"), f"claim1:{match}", Style.danger)

    async def pressed(self, interaction: Interaction) -> None:
        """Ask once."""
        await _ask(interaction, MatchId(int(self.values["match"])))


class ClaimNowButton(Press, template=r"claimnow1:(?P<match>\d+)"):
    """Claims the match."""

    async def pressed(self, interaction: Interaction) -> None:
        """Win, and tell it where the match is played."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        turn = await client.matches.clocks.claim(match, people.person(interaction.user), now=client.now())
        await deliver(interaction, turn, Post(client.words("flag.claimed", match=match)))


class WaitButton(Press, template=r"wait1:(?P<match>\d+)"):
    """Closes the question whether to claim."""

    async def pressed(self, interaction: Interaction) -> None:
        """Take the buttons away; nothing has happened."""
        closing = Post(interaction.client.words("flag.waits", match=self.values["match"]))
        async with within(interaction):
            await interaction.response.edit_message(**closing.edit())


class GiveButton(Press, template=r"givetime1:(?P<match>\d+)"):
    """Asks how much more time the other is to have."""

    @classmethod
    def of(cls, words: Words, match: MatchId) -> Self:
        """Make the button."""
        return cls.labelled(words("button.give_time"), f"givetime1:{match}", Style.primary)

    async def pressed(self, interaction: Interaction) -> None:
        """Show the form, or say why there is nothing to give."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        view = await client.matches.view(match, now=client.now())
        _other_time(view, people.account(interaction.user))
        words = client.words
        modal = forms.form(
            words("gift.modal_title", match=match),
            f"{FORM}:{match}",
            forms.line("time", words("gift.modal_label"), words("gift.modal_example")),
        )
        async with within(interaction):
            await interaction.response.send_modal(modal)


async def _ask(interaction: Interaction, match: MatchId) -> None:
    client, account = interaction.client, people.account(interaction.user)
    view = await client.matches.view(match, now=client.now())
    other = _other_time(view, account)
    if other.fell_at is None:
        raise TimeNotOver(match=match, name=other.person.name)
    words = client.words
    mine = None if view.time is None else view.time.of(account)
    void = mine is not None and mine.fell_at is not None
    yes = ClaimNowButton.labelled(words("button.claim_now"), f"claimnow1:{match}", Style.danger)
    no = WaitButton.labelled(words("button.wait"), f"wait1:{match}")
    name = people.called(other.person)
    question = words("flag.ask_void" if void else "flag.ask", match=match, other=name)
    async with within(interaction):
        await interaction.response.send_message(question, view=row(yes, no), ephemeral=True)


async def _give(interaction: Interaction, match: MatchId, typed: str) -> None:
    client, who = interaction.client, people.person(interaction.user)
    turn = await client.matches.clocks.give_time(match, who, _duration(typed), now=client.now())
    await deliver(interaction, turn)


def _other_time(view: MatchView, account: str) -> SeatTime:
    """Give the other's time. Raises the refusal of whoever can neither claim nor give."""
    other = view.opponent(account)
    if other is None:
        raise NotInMatch(match=view.id)
    if view.result is not None:
        raise MatchOver(match=view.id)
    time = None if view.time is None else view.time.of(other.person.account)
    if time is None:
        raise NoClock(match=view.id)
    return time


def _duration(typed: str) -> timedelta:
    duration = read_duration(typed)
    if duration is None:
        raise Refusal("duration_unreadable", text=escape_markdown(typed[:100]))
    return duration
