"""The list of one's conditional moves in a match, in private: to open one, to add to them, to clear them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot import looks, people
from bot.analysis.bench import sit
from bot.analysis.dialogue import open_study, sheet
from bot.analysis.study import RESIGNING, Study
from bot.answers import within
from bot.conditionals.entries import entries
from bot.menus import Menu, option
from bot.posts import Post
from bot.presses import Press, Style, row
from bot.replays.bookmark import Bookmark, Kind
from bot.replays.dialogue import load
from matches import MatchId, OwnTurn
from words import telling

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import discord

    from bot.client import Interaction
    from bot.conditionals.entries import Entry
    from matches import Replay, Seat
    from matches.conditionals import Settled
    from words import Words

PAGE = 12  # answers on one page of the list
MATCH = r"(?P<match>\d{1,12})"


class Listed(Press, template=rf"lines1:{MATCH}:(?P<page>\d{{1,3}})"):
    """Shows a page of the list."""

    async def pressed(self, interaction: Interaction) -> None:
        """Turn the message into it."""
        match, page = MatchId(int(self.values["match"])), int(self.values["page"])
        await _turn(interaction, await _list(interaction, match, page))


class Chosen(Menu, template=rf"line1:{MATCH}"):
    """Lists the answers of a page."""

    async def picked(self, interaction: Interaction, chosen: tuple[str, ...]) -> None:
        """Open the board after the chosen answer; where that is gone, show the list as it is."""
        match = MatchId(int(self.values["match"]))
        found = await _find(interaction, match, int(chosen[0]))
        await _turn(interaction, await _list(interaction, match, 0) if found is None else found)


class Adder(Press, template=rf"addline1:{MATCH}"):
    """Opens the present board, to settle a line from there."""

    async def pressed(self, interaction: Interaction) -> None:
        """Turn the message into it; in the person's own turn, into the list, which says so."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        settled = await client.matches.conditionals.of(match, people.person(interaction.user))
        if not settled.waits:
            await _turn(interaction, await _list(interaction, match, 0))
            return
        game = await load(interaction, Bookmark(Kind.MATCH, match))
        study = Study(await _present(interaction, game), settling=True)
        await _turn(interaction, await sheet(interaction, await sit(interaction, study)))


class Clearer(Press, template=rf"clearlines1:{MATCH}:(?P<sure>[01])"):
    """Clears the list, after asking once."""

    async def pressed(self, interaction: Interaction) -> None:
        """Ask, or clear."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        words = client.words
        if self.values["sure"] == "1":
            await client.matches.conditionals.clear(match, people.person(interaction.user), now=client.now())
            await _turn(interaction, Post(words("conditional.cleared", match=match)))
            return
        yes = Clearer.labelled(words("button.clear"), f"clearlines1:{match}:1", Style.danger)
        no = Listed.labelled(words("button.back"), f"lines1:{match}:0")
        await _turn(interaction, Post(words("conditional.clear", match=match), None, lambda: row(yes, no)))


ITEMS = (Listed, Chosen, Adder, Clearer)


async def show(interaction: Interaction, match: MatchId) -> None:
    """Answer with the list; where it is empty, with the board on which the first line can be settled."""
    client = interaction.client
    settled = await client.matches.conditionals.of(match, people.person(interaction.user))
    if settled.lost is None and not settled.waits:
        raise OwnTurn(match=match)
    if settled.lost is None and not settled.tree:
        game = await load(interaction, Bookmark(Kind.MATCH, match))
        await open_study(interaction, await _present(interaction, game), settling=True)
        return
    post = await _list(interaction, match, 0)
    async with within(interaction):
        await interaction.response.send_message(ephemeral=True, **post.new())
    if settled.lost is not None:
        await client.matches.conditionals.noticed(settled.lost)


async def _turn(interaction: Interaction, post: Post) -> None:
    async with within(interaction):
        await interaction.response.edit_message(**post.edit())


async def _list(interaction: Interaction, match: MatchId, page: int) -> Post:
    """Give a page of the list."""
    client, words = interaction.client, interaction.client.words
    game = await load(interaction, Bookmark(Kind.MATCH, match))
    settled = await client.matches.conditionals.of(match, people.person(interaction.user))
    found = entries(words, settled)
    page = min(page, max(len(found) - 1, 0) // PAGE)
    items = tuple(_items(words, settled, found, page))
    text = words.listed(_lines(words, game, settled, found, page), "list.lines")
    return Post(text, None, lambda: row(*items))


def _lines(words: Words, game: Replay, settled: Settled, found: Sequence[Entry], page: int) -> list[str]:
    other = _other(game, settled)
    lines = [
        words(
            "conditional.title",
            match=settled.match,
            name=people.called(other.person),
            side=telling.side(words, other.side),
        )
    ]
    if settled.lost is not None:
        lines.append(words(f"conditional.lost.{settled.lost.why}"))
    for number, entry in _page(found, page):
        lines.append(
            words("conditional.entry", indent="\u2003" * entry.depth, number=number, told=entry.told(words))
        )
    if not found:
        lines.append(words("conditional.none" if settled.waits else "conditional.own_turn"))
    lines.append(words("conditional.secret"))
    return lines


def _items(
    words: Words, settled: Settled, found: Sequence[Entry], page: int
) -> Iterator[discord.ui.Item[Any]]:
    if found:
        lines = [
            option(
                people.plain(words("conditional.choice", number=number, told=entry.told(words))),
                str(number),
            )
            for number, entry in _page(found, page)
        ]
        yield Chosen.listing(words("conditional.choose"), f"line1:{settled.match}", lines)
    if settled.waits:
        yield Adder.labelled(words("button.add"), f"addline1:{settled.match}", Style.primary)
    if page:
        yield Listed.labelled(words("button.back"), f"lines1:{settled.match}:{page - 1}")
    if (page + 1) * PAGE < len(found):
        yield Listed.labelled(words("button.next"), f"lines1:{settled.match}:{page + 1}")
    if found:
        yield Clearer.labelled(words("button.clear"), f"clearlines1:{settled.match}:0", Style.danger)


async def _find(interaction: Interaction, match: MatchId, number: int) -> Post | None:
    """Give the board after an answer of the list, None where there is none of that number any more."""
    client = interaction.client
    settled = await client.matches.conditionals.of(match, people.person(interaction.user))
    found = entries(client.words, settled)
    if not 0 < number <= len(found):
        return None
    game = await load(interaction, Bookmark(Kind.MATCH, match))
    moves = tuple(move for texts in found[number - 1].line for move in (texts or (RESIGNING,)))
    bookmark = await _present(interaction, game)
    study = Study(bookmark, moves, len(moves), settling=True)
    return await sheet(interaction, await sit(interaction, study))


def _page(found: Sequence[Entry], page: int) -> list[tuple[int, Entry]]:
    return list(enumerate(found, start=1))[page * PAGE : (page + 1) * PAGE]


async def _present(interaction: Interaction, game: Replay) -> Bookmark:
    """Give the present board of a match, the way round that the person likes."""
    second = game.pages[-1].seats[1].person.account == people.account(interaction.user)
    turned = looks.turned(await looks.chosen(interaction), second=second)
    return Bookmark(Kind.MATCH, game.match or 0, game.turns, turned)


def _other(game: Replay, settled: Settled) -> Seat:
    return next(seat for seat in game.pages[-1].seats if seat.side is not settled.board.side)
