"""Which match is meant: the one named, or the one that fits the channel or thread."""

from __future__ import annotations

from typing import TYPE_CHECKING

from discord.utils import escape_markdown

from bot import people, where
from bot.commands import Field, choice
from bot.refusals import Refusal
from matches import MatchId, MatchState

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from discord import app_commands

    from bot.client import Interaction
    from matches import MatchSummary, Person
    from words import Words

MOST_LISTED = 20
SEARCHED = 200  # matches of a server among which one is proposed


def field(name: str) -> Field:
    """Give the parameter `match` of the command `name`."""
    return Field("match", f"command.{name}.match", complete=_complete)


async def waiting(interaction: Interaction, named: str | None) -> MatchId:
    """Give the match to play in: the one named, or the one here that waits for the person.

    In private those of all servers fit. Raises Refusal where none or several do. Where it is the other's
    turn, the match itself is given, for it has its own refusal.
    """
    if named is not None:
        return number(named)
    client, who = interaction.client, people.person(interaction.user)
    found: Sequence[MatchSummary] = await (
        client.matches.turns(who, now=client.now())
        if where.server(interaction) is None
        else client.matches.waiting(who, people.place(interaction.channel_id or 0), now=client.now())
    )
    return _only(interaction, who, found or await _mine(interaction, who))


async def own(interaction: Interaction, named: str | None) -> MatchId:
    """Give the match that is meant: the one named, or the person's own here. Raises Refusal."""
    if named is not None:
        return number(named)
    who = people.person(interaction.user)
    return _only(interaction, who, await _mine(interaction, who))


async def shown(interaction: Interaction, named: str | None) -> MatchId:
    """Give the match to look at: the one named, the person's own here, or else the one that goes on here.

    Raises Refusal.
    """
    if named is not None:
        return number(named)
    who = people.person(interaction.user)
    mine = await _mine(interaction, who)
    here = [] if mine else await under_way_here(interaction)
    return only_public(interaction, here) if here else _only(interaction, who, mine)


async def under_way(interaction: Interaction) -> list[MatchSummary]:
    """Give the matches of this server that go on and that the person may look at."""
    client = interaction.client
    _, found = await client.matches.lobby(where.server(interaction) or "", now=client.now(), limit=SEARCHED)
    return [one for one in found if one.state is not MatchState.OVER and where.may_look(interaction, one)]


async def under_way_here(interaction: Interaction) -> list[MatchSummary]:
    """Give those of this channel or thread."""
    here = people.place(interaction.channel_id or 0)
    return [one for one in await under_way(interaction) if one.place == here]


def only_public(interaction: Interaction, found: Sequence[MatchSummary]) -> MatchId:
    """Give the only one of some matches, whoever plays it. Raises Refusal where they are several."""
    if len(found) == 1:
        return found[0].id
    words = interaction.client.words
    listed = [escape_markdown(public_label(words, one)) for one in found[:MOST_LISTED]]
    raise Refusal("which_match", matches=words.listed(listed, "list.lines"))


def public_label(words: Words, one: MatchSummary) -> str:
    """Tell a match that anybody plays, in plain text."""
    first, second = (seat.person.name for seat in one.seats)
    return words(
        "follow.choice", match=one.id, game=words(f"game.{one.game}.name"), first=first, second=second
    )


def number(text: str) -> MatchId:
    """Read the number of a match. Raises Refusal."""
    digits = text.strip().lstrip("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 18):
        raise Refusal("match_unreadable", text=escape_markdown(text[:100]))
    return MatchId(int(digits))


def other(summary: MatchSummary, account: str) -> Person:
    """Give whom `account` plays against."""
    return next(seat.person for seat in summary.seats if seat.person.account != account)


async def _mine(interaction: Interaction, who: Person) -> list[MatchSummary]:
    """Give a person's matches here; in private those of all servers."""
    client, server = interaction.client, where.server(interaction)
    found = await client.matches.games(who, server, now=client.now())
    here = people.place(interaction.channel_id or 0)
    return [one for one in found if server is None or one.place == here]


def _only(interaction: Interaction, who: Person, found: Sequence[MatchSummary]) -> MatchId:
    if len(found) == 1:
        return found[0].id
    if not found:
        raise Refusal("no_match_here" if where.server(interaction) else "no_match_anywhere")
    words = interaction.client.words
    raise Refusal(
        "which_match",
        matches=words.listed(list(_labels(interaction, who, found[:MOST_LISTED])), "list.lines"),
    )


def _labels(interaction: Interaction, who: Person, found: Iterable[MatchSummary]) -> Iterable[str]:
    words = interaction.client.words
    for one in found:
        turn = any(person.account == who.account for person in one.waits_for)
        yield words(
            "games.choice_waiting" if turn else "games.choice",
            match=one.id,
            game=words(f"game.{one.game}.name"),
            other=people.called(other(one, who.account)),
        )


async def _complete(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    client, who = interaction.client, people.person(interaction.user)
    found = await client.matches.games(who, where.server(interaction), now=client.now())
    labels = zip(_labels(interaction, who, found), found, strict=True)
    sought = current.strip().casefold()
    return [
        choice(people.unescaped(label), str(one.id)) for label, one in labels if sought in label.casefold()
    ]
