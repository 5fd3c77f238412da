"""Which game is meant: any match of this server, over or not, or a record that was imported here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot import matching, people, where
from bot.commands import Field, choice
from bot.refusals import Refusal
from bot.replays.bookmark import Bookmark, Kind
from matches import MatchState, MatchUnknown

if TYPE_CHECKING:
    from discord import app_commands

    from bot.client import Interaction
    from matches import MatchId, MatchSummary

SEARCHED = 200  # matches of a server among which one is proposed


def field(name: str) -> Field:
    """Give the parameter `match` of the command `name`."""
    return Field("match", f"command.{name}.match", complete=_complete)


async def chosen(interaction: Interaction, match: str | None) -> MatchId:
    """Give the match that was named, else the newest in this channel, the person's own before others'.

    Raises Refusal, MatchUnknown.
    """
    if match is not None:
        return await _named(interaction, match)
    client, account = interaction.client, people.account(interaction.user)
    server, here = people.place(interaction.guild_id or 0), people.place(interaction.channel_id or 0)
    found = [
        one for one in await client.matches.recent(server, place=here, now=client.now()) if _has_board(one)
    ]
    if not found:
        raise Refusal("no_replay_here")
    return next((one for one in found if _is_own(one, account)), found[0]).id


async def _named(interaction: Interaction, match: str) -> MatchId:
    client, number = interaction.client, matching.number(match)
    if not where.may_look(interaction, await client.matches.view(number, now=client.now())):
        raise MatchUnknown(match=number)
    return number


def record(number: int) -> Bookmark:
    """Give the imported record that was named. Raises Refusal for what cannot be a number of one."""
    if not 0 < number < 10**12:
        raise Refusal("record_unknown")
    return Bookmark(Kind.RECORD, number)


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client, server = interaction.client, people.place(interaction.guild_id or 0)
    found = await client.matches.recent(server, now=client.now(), limit=SEARCHED)
    seen = (one for one in found if _has_board(one) and where.may_look(interaction, one))
    labels = {one.id: _label(interaction, one) for one in seen}
    sought = current.strip().casefold()
    return [choice(label, str(match)) for match, label in labels.items() if sought in label.casefold()]


def _label(interaction: Interaction, one: MatchSummary) -> str:
    words = interaction.client.words
    first, second = (seat.person.name for seat in one.seats)
    return words(
        "replay.choice_over" if one.state is MatchState.OVER else "replay.choice",
        match=one.id,
        game=words(f"game.{one.game}.name"),
        first=first,
        second=second,
    )


def _has_board(one: MatchSummary) -> bool:
    return one.state is not MatchState.FISTS


def _is_own(one: MatchSummary, account: str) -> bool:
    return any(seat.person.account == account for seat in one.seats)
