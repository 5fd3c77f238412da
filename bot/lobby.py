"""``/lobby``: a server's open challenges and the matches that go on there, page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord.utils import format_dt

from bot import people, telling, threads, where
from bot.answers import take, within
from bot.clocks import wording
from bot.commands import command
from bot.parts import Part
from bot.people import PostId
from bot.posts import Post
from bot.presses import Press, Style, row
from bot.turns import url
from matches import Challenge, ChallengeId

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import discord

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchSummary
    from words import Words

PAGE = 5  # lines on a page


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command and its buttons."""
    return Part(commands=(command(words, "lobby", show),), items=(LobbyPage, JoinButton))


class LobbyPage(Press, template=r"lobby1:(?P<page>\d{1,4})"):
    """Turns to a page; looks again."""

    async def pressed(self, interaction: Interaction) -> None:
        """Show that page in place of this one."""
        post = await _page(interaction, int(self.values["page"]))
        async with within(interaction):
            await interaction.response.edit_message(**post.edit())


class JoinButton(Press, template=r"join1:(?P<challenge>\d{1,12})"):
    """Accepts a challenge from the list; the match begins where the challenge stands."""

    async def pressed(self, interaction: Interaction) -> None:
        """Say so in private; the posts there follow at once."""
        client, number = interaction.client, ChallengeId(int(self.values["challenge"]))
        challenge = await client.matches.find_challenge(number, now=client.now())
        place = await threads.wanted(client, challenge)
        turn = await client.matches.accept(
            number, people.person(interaction.user), place=place, now=client.now()
        )
        take(interaction)
        text = client.words(
            "lobby.joined",
            match=turn.match.id,
            by=people.called(challenge.by),
            place=people.channel_mention(challenge.place),
        )
        async with within(interaction):
            await interaction.response.edit_message(**Post(text).edit())
        if turn.announcement is not None:
            await client.outbox.send(turn.announcement)


async def show(interaction: Interaction) -> None:
    """Answer with the first page, in private."""
    post = await _page(interaction, 0)
    async with within(interaction):
        await interaction.response.send_message(ephemeral=True, suppress_embeds=True, **post.new())


async def _page(interaction: Interaction, page: int) -> Post:
    client = interaction.client
    words, account = client.words, people.account(interaction.user)
    challenges, matches = await client.matches.lobby(where.server(interaction) or "", now=client.now())
    blocked = await client.matches.blocks.blocked(people.person(interaction.user), now=client.now())
    shunned = {person.account for person in blocked}
    found: list[Challenge | MatchSummary] = [
        *(
            one
            for one in challenges
            if _concerns(interaction, one, account) and one.by.account not in shunned
        ),
        *(one for one in matches if where.may_look(interaction, one)),
    ]
    last = max(0, (len(found) - 1) // PAGE)
    page = min(page, last)
    shown = found[page * PAGE : (page + 1) * PAGE]
    lines = list(_lines(words, client.games, shown)) or [words("lobby.empty")]
    if last:
        lines.append(words("list.page", page=page + 1, pages=last + 1))
    items = [*_joining(words, shown, account), *_turning(words, page, last)]
    return Post(words.listed(lines, "list.lines"), None, lambda: row(*items))


def _concerns(interaction: Interaction, one: Challenge, account: str) -> bool:
    """Tell whether a challenge is for the person, by them or for anyone, where they can see it."""
    if one.to is not None and account not in {one.to.account, one.by.account}:
        return False
    return where.sees(interaction, one.place)


def _lines(
    words: Words, games: Mapping[str, Game], shown: Sequence[Challenge | MatchSummary]
) -> Iterator[str]:
    """Give the lines of a page, each kind under its heading."""
    heading = ""
    for one in shown:
        is_challenge = isinstance(one, Challenge)
        key = "lobby.challenges" if is_challenge else "lobby.matches"
        if key != heading:
            heading = key
            yield words(key)
        yield _challenge(words, games, one) if isinstance(one, Challenge) else _match(words, one)


def _challenge(words: Words, games: Mapping[str, Game], one: Challenge) -> str:
    link = "" if one.post is None else words("lobby.link", url=PostId.read(one.post).url(one.server))
    return words(
        "lobby.challenge" if one.to is None else "lobby.challenge_for",
        challenge=one.id,
        by=people.called(one.by),
        to="" if one.to is None else people.called(one.to),
        game=words(f"game.{one.game}.name"),
        details=words.listed(
            [telling.settings(words, games[one.game], one.options), wording.terms(words, one.terms)],
            "list.dot",
        ),
        place=people.channel_mention(one.place),
        when=format_dt(one.lapses_at, "R"),
        link=link,
    )


def _match(words: Words, one: MatchSummary) -> str:
    first, second = (people.called(seat.person) for seat in one.seats)
    return words(
        "lobby.match",
        match=one.id,
        game=words(f"game.{one.game}.name"),
        first=first,
        second=second,
        place=people.channel_mention(one.place),
        waits=words.listed([people.called(person) for person in one.waits_for]),
        url=url(one),
    )


def _joining(
    words: Words, shown: Sequence[Challenge | MatchSummary], account: str
) -> Iterator[discord.ui.Item[Any]]:
    for one in shown:
        if isinstance(one, Challenge) and one.by.account != account:
            label = words("lobby.join", challenge=one.id)
            yield JoinButton.labelled(label, f"join1:{one.id}", Style.success)


def _turning(words: Words, page: int, last: int) -> Iterator[discord.ui.Item[Any]]:
    if page:
        yield LobbyPage.labelled(words("button.back"), f"lobby1:{page - 1}", row=4)
    if page < last:
        yield LobbyPage.labelled(words("button.next"), f"lobby1:{page + 1}", row=4)
