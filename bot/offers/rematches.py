"""Rematches: the command, the button under a finished match, and the challenge that either makes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bot import matching, people, threads
from bot.answers import need_permissions, take, tell
from bot.challenges import challenge_post
from bot.commands import Field, choice
from bot.delivery import answer
from bot.people import PostId
from bot.presses import Press, Style
from bot.refusals import Refusal
from matches import ChallengeStep, MatchId, MatchState

if TYPE_CHECKING:
    from discord import app_commands

    from bot.client import Interaction
    from matches import Challenge, MatchSummary, MatchView
    from words import Words

SEARCHED = 200  # matches of a server among which one is proposed


def field() -> Field:
    """Give the parameter `match` of the command."""
    return Field("match", "command.rematch.match", complete=_complete)


async def offer(interaction: Interaction, match: str | None) -> None:
    """Offer a rematch of the match that was named, or of the person's last one here."""
    await _offer(interaction, await _finished(interaction) if match is None else matching.number(match))


class RematchButton(Press, template=r"rematch1:(?P<match>\d+)"):
    """Stands under a finished match."""

    @classmethod
    def of(cls, words: Words, view: MatchView) -> Self:
        """Make the button."""
        return cls.labelled(words("button.rematch"), f"rematch1:{view.id}", Style.primary)

    async def pressed(self, interaction: Interaction) -> None:
        """Offer the rematch; begin it where the other has done so already."""
        await _offer(interaction, MatchId(int(self.values["match"])))


async def _offer(interaction: Interaction, match: MatchId) -> None:
    need_permissions(interaction)
    client, who = interaction.client, people.person(interaction.user)
    found = await client.matches.offers.rematch(
        match,
        who,
        server=people.place(interaction.guild_id or 0),
        place=people.place(interaction.channel_id or 0),
        now=client.now(),
    )
    if isinstance(found, ChallengeStep):
        take(interaction)
        await answer(
            interaction, challenge_post(client.words, client.games, found.challenge), found.announcement
        )
    else:
        await _begin(interaction, found)


async def _begin(interaction: Interaction, challenge: Challenge) -> None:
    """Accept the other's challenge, whose post stands elsewhere; what is to be posted goes by the outbox."""
    client, who = interaction.client, people.person(interaction.user)
    post = None if challenge.post is None else PostId.read(challenge.post)
    meant = await threads.meant(interaction, None if post is None else post.message)
    turn = await client.matches.accept(challenge.id, who, place=meant.place, now=client.now())
    take(interaction)
    place = people.channel_mention(challenge.place)
    await tell(interaction, client.words("rematch.begins", other=people.called(challenge.by), place=place))
    if turn.announcement is not None:
        await client.outbox.send(turn.announcement)
    await threads.tell_lacking(interaction, meant)


async def _finished(interaction: Interaction) -> MatchId:
    """Give the person's newest match in this channel that is over. Raises Refusal."""
    client, here = interaction.client, people.place(interaction.channel_id or 0)
    found = await client.matches.recent(
        people.place(interaction.guild_id or 0), place=here, now=client.now(), limit=SEARCHED
    )
    mine = (one for one in found if _is_over(one, people.account(interaction.user)))
    match = next(mine, None)
    if match is None:
        raise Refusal("no_finished_here")
    return match.id


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client, account = interaction.client, people.account(interaction.user)
    found = await client.matches.recent(
        people.place(interaction.guild_id or 0), now=client.now(), limit=SEARCHED
    )
    labels = {
        one.id: client.words(
            "rematch.choice",
            match=one.id,
            game=client.words(f"game.{one.game}.name"),
            other=matching.other(one, account).name,
        )
        for one in found
        if _is_over(one, account)
    }
    sought = current.strip().casefold()
    return [choice(label, str(match)) for match, label in labels.items() if sought in label.casefold()]


def _is_over(one: MatchSummary, account: str) -> bool:
    return one.state is MatchState.OVER and any(seat.person.account == account for seat in one.seats)
