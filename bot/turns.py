"""``/turns``: the matches that wait for a person, the nearest deadline first, each with its buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord.utils import format_dt

from bot import matching, people, where
from bot.answers import within
from bot.commands import command
from bot.fists import FistsButton
from bot.moves import MoveButton
from bot.parts import Part
from bot.people import PostId
from bot.picking.dialogue import PickButton
from bot.posts import Post
from bot.presses import Press, Style, link, row
from matches import MatchState

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import discord

    from bot.client import Interaction
    from engine.game import Game
    from matches import MatchSummary, Person
    from words import Words

PAGE = 4  # matches on a page; each has a row of buttons, and one row turns the pages
HERE, EVERYWHERE = "h", "e"


def part(words: Words, _games: Mapping[str, Game]) -> Part:
    """Give the command and the buttons that turn its pages."""
    return Part(commands=(command(words, "turns", show, anywhere=True),), items=(TurnsPage,))


class TurnsPage(Press, template=r"turns1:(?P<scope>[he]):(?P<page>\d{1,4})"):
    """Turns to a page of the matches here, or of those everywhere; looks again."""

    async def pressed(self, interaction: Interaction) -> None:
        """Show that page in place of this one."""
        everywhere = self.values["scope"] == EVERYWHERE
        post = await _page(interaction, int(self.values["page"]), everywhere=everywhere)
        async with within(interaction):
            await interaction.response.edit_message(**post.edit())


async def show(interaction: Interaction) -> None:
    """Answer with the first page, in private."""
    post = await _page(interaction, 0, everywhere=where.server(interaction) is None)
    async with within(interaction):
        await interaction.response.send_message(ephemeral=True, suppress_embeds=True, **post.new())


async def _page(interaction: Interaction, page: int, *, everywhere: bool) -> Post:
    client, who = interaction.client, people.person(interaction.user)
    words, server = client.words, where.server(interaction)
    found = await client.matches.turns(who, now=client.now())
    mine = [one for one in found if everywhere or one.server == server]
    last = max(0, (len(mine) - 1) // PAGE)
    page = min(page, last)
    shown = mine[page * PAGE : (page + 1) * PAGE]
    lines = [words("turns.heading" if mine else "turns.none_anywhere" if everywhere else "turns.none")]
    lines += [_line(words, who, one) for one in shown]
    if last:
        lines.append(words("list.page", page=page + 1, pages=last + 1))
    if len(found) > len(mine):
        lines.append(words("turns.elsewhere", count=len(found) - len(mine)))
    scope = EVERYWHERE if everywhere else HERE
    turning = _turning(words, scope, page, last, others=len(found) > len(mine))
    items = [item for number, one in enumerate(shown) for item in _buttons(words, one, number)]
    return Post(words.listed(lines, "list.lines"), None, lambda: row(*items, *turning))


def _line(words: Words, who: Person, one: MatchSummary) -> str:
    return words(
        "turns.line",
        match=one.id,
        game=words(f"game.{one.game}.name"),
        other=people.called(matching.other(one, who.account)),
        place=people.channel_mention(one.place),
        time=_time(words, who, one),
    )


def _time(words: Words, who: Person, one: MatchSummary) -> str:
    """Tell until when the person may think, or since when it is their turn."""
    mine = None if one.time is None else one.time.of(who.account)
    if mine is not None and mine.fell_at is not None:
        return words("turns.fallen", when=format_dt(mine.fell_at, "R"))
    if mine is not None and mine.deadline is not None:
        return words("turns.deadline", when=format_dt(mine.deadline, "R"))
    paused = one.time is not None and one.time.paused
    return words("turns.paused" if paused else "turns.since", when=format_dt(one.changed_at, "R"))


def _buttons(words: Words, one: MatchSummary, number: int) -> Iterator[discord.ui.Item[Any]]:
    """Give the row of a match: what plays it, and what leads to it."""
    if one.state is MatchState.FISTS:
        label = words("turns.fists", match=one.id)
        yield FistsButton.labelled(label, f"fists1:{one.id}", Style.primary, row=number)
    else:
        label = words("turns.move", match=one.id)
        yield MoveButton.labelled(label, f"move1:{one.id}:{one.stamp}", Style.primary, row=number)
        label = words("turns.pick", match=one.id)
        yield PickButton.labelled(label, f"pick1:{one.id}:{one.stamp}", Style.primary, row=number)
    yield link(words("turns.go", match=one.id), url(one), row=number)


def url(one: MatchSummary) -> str:
    """Give the link to the latest post of a match, or to its channel."""
    if one.post is None:
        return people.place_url(one.server, one.place)
    return PostId.read(one.post).url(one.server)


def _turning(words: Words, scope: str, page: int, last: int, *, others: bool) -> list[Press]:
    steps = [("button.back", page - 1)] if page else []
    steps += [("button.next", page + 1)] if page < last else []
    presses: list[Press] = [
        TurnsPage.labelled(words(key), f"turns1:{scope}:{to}", row=PAGE) for key, to in steps
    ]
    if others:
        presses.append(TurnsPage.labelled(words("turns.all"), f"turns1:{EVERYWHERE}:0", row=PAGE))
    return presses
