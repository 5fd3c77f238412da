"""The list of one's conditional moves in a match, in private: to open one, to add to them, to clear them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from bot.features.analysis.context import load_analysis
from bot.features.analysis.dialog import build_analysis_post, open_analysis
from bot.features.analysis.state import RESIGN_MARK, AnalysisState
from bot.features.conditional_moves.entries import list_entries
from bot.features.replays.dialog import load_replay
from bot.features.replays.state import ReplaySource, ReplayState
from bot.posts import pictures
from bot.posts.post import Post
from bot.ui import ids, markdown
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.interactions import response_timeout
from bot.ui.selects import PersistentSelect, select_option
from i18n import formatting
from matches import IsYourTurn, MatchId

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import discord

    from bot.client import Interaction
    from bot.features.conditional_moves.entries import ConditionalEntry
    from i18n import Texts
    from matches import Replay, Seat
    from matches.conditionals import ConditionalMoves

PAGE_SIZE = 12  # answers on one page of the list
MATCH_PATTERN = r"(?P<match>\d{1,12})"


class ConditionalPageButton(PersistentButton, template=rf"lines1:{MATCH_PATTERN}:(?P<page>\d{{1,3}})"):
    """Shows a page of the list."""

    async def on_click(self, interaction: Interaction) -> None:
        """Turn the message into it."""
        match, page = MatchId(int(self.values["match"])), int(self.values["page"])
        await _edit_message(interaction, await _build_list_post(interaction, match, page))


class ConditionalLineSelect(PersistentSelect, template=rf"line1:{MATCH_PATTERN}"):
    """Lists the answers of a page."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Open the board after the chosen answer; where that is gone, show the list as it is."""
        match = MatchId(int(self.values["match"]))
        post = await _build_entry_post(interaction, match, int(selected[0]))
        await _edit_message(
            interaction, await _build_list_post(interaction, match, 0) if post is None else post
        )


class AddLineButton(PersistentButton, template=rf"addline1:{MATCH_PATTERN}"):
    """Opens the present board, to settle a line from there."""

    async def on_click(self, interaction: Interaction) -> None:
        """Turn the message into it; in the person's own turn, into the list, which says so."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        saved = await client.matches.conditionals.get(match, ids.to_person(interaction.user))
        if not saved.can_edit:
            await _edit_message(interaction, await _build_list_post(interaction, match, 0))
            return
        replay = await load_replay(interaction, ReplayState(ReplaySource.MATCH, match))
        state = AnalysisState(await _latest_state(interaction, replay), is_conditional=True)
        await _edit_message(
            interaction, await build_analysis_post(interaction, await load_analysis(interaction, state))
        )


class ClearLinesButton(PersistentButton, template=rf"clearlines1:{MATCH_PATTERN}:(?P<sure>[01])"):
    """Clears the list, after asking once."""

    async def on_click(self, interaction: Interaction) -> None:
        """Ask, or clear."""
        client, match = interaction.client, MatchId(int(self.values["match"]))
        texts = client.texts
        if self.values["sure"] == "1":
            await client.matches.conditionals.clear(match, ids.to_person(interaction.user), now=client.now())
            await _edit_message(interaction, Post(texts("conditional.cleared", match=match)))
            return
        yes = ClearLinesButton.create(texts("button.clear_lines"), f"clearlines1:{match}:1", Style.danger)
        no = ConditionalPageButton.create(texts("button.back"), f"lines1:{match}:0")
        await _edit_message(
            interaction, Post(texts("conditional.clear", match=match), None, lambda: view_of(yes, no))
        )


ITEMS = (ConditionalPageButton, ConditionalLineSelect, AddLineButton, ClearLinesButton)


async def show(interaction: Interaction, match: MatchId) -> None:
    """Answer with the list; where it is empty, with the board on which the first line can be settled."""
    client = interaction.client
    saved = await client.matches.conditionals.get(match, ids.to_person(interaction.user))
    if saved.loss is None and not saved.can_edit:
        raise IsYourTurn(match=match)
    if saved.loss is None and not saved.tree:
        replay = await load_replay(interaction, ReplayState(ReplaySource.MATCH, match))
        await open_analysis(interaction, await _latest_state(interaction, replay), is_conditional=True)
        return
    post = await _build_list_post(interaction, match, 0)
    async with response_timeout(interaction):
        await interaction.response.send_message(ephemeral=True, **post.send_arguments())
    if saved.loss is not None:
        await client.matches.conditionals.mark_notified(saved.loss)


async def _edit_message(interaction: Interaction, post: Post) -> None:
    async with response_timeout(interaction):
        await interaction.response.edit_message(**post.edit_arguments())


async def _build_list_post(interaction: Interaction, match: MatchId, page: int) -> Post:
    """Return a page of the list."""
    client, texts = interaction.client, interaction.client.texts
    replay = await load_replay(interaction, ReplayState(ReplaySource.MATCH, match))
    saved = await client.matches.conditionals.get(match, ids.to_person(interaction.user))
    entries = list_entries(texts, saved)
    page = min(page, max(len(entries) - 1, 0) // PAGE_SIZE)
    items = tuple(_items(texts, saved, entries, page))
    text = texts.join(_format_lines(texts, replay, saved, entries, page), "list.lines")
    return Post(text, None, lambda: view_of(*items))


def _format_lines(
    texts: Texts, replay: Replay, saved: ConditionalMoves, entries: Sequence[ConditionalEntry], page: int
) -> list[str]:
    opponent = _opponent_seat(replay, saved)
    lines = [
        texts(
            "conditional.title",
            match=saved.match,
            name=markdown.escaped_name(opponent.person),
            side=formatting.format_side(texts, opponent.side),
        )
    ]
    if saved.loss is not None:
        lines.append(texts(f"conditional.lost.{saved.loss.reason}"))
    for number, entry in _page_entries(entries, page):
        lines.append(
            texts("conditional.entry", indent="\u2003" * entry.depth, number=number, line=entry.format(texts))
        )
    if not entries:
        lines.append(texts("conditional.none" if saved.can_edit else "conditional.own_turn"))
    lines.append(texts("conditional.privacy"))
    return lines


def _items(
    texts: Texts, saved: ConditionalMoves, entries: Sequence[ConditionalEntry], page: int
) -> Iterator[discord.ui.Item[Any]]:
    if entries:
        options = [
            select_option(
                markdown.strip_markup(texts("conditional.choice", number=number, line=entry.format(texts))),
                str(number),
            )
            for number, entry in _page_entries(entries, page)
        ]
        yield ConditionalLineSelect.create(texts("conditional.choose"), f"line1:{saved.match}", options)
    if saved.can_edit:
        yield AddLineButton.create(texts("button.add_line"), f"addline1:{saved.match}", Style.primary)
    if page:
        yield ConditionalPageButton.create(texts("button.back"), f"lines1:{saved.match}:{page - 1}")
    if (page + 1) * PAGE_SIZE < len(entries):
        yield ConditionalPageButton.create(texts("button.next"), f"lines1:{saved.match}:{page + 1}")
    if entries:
        yield ClearLinesButton.create(
            texts("button.clear_lines"), f"clearlines1:{saved.match}:0", Style.danger
        )


async def _build_entry_post(interaction: Interaction, match: MatchId, number: int) -> Post | None:
    """Return the board after an answer of the list, None where there is none of that number any more."""
    client = interaction.client
    saved = await client.matches.conditionals.get(match, ids.to_person(interaction.user))
    entries = list_entries(client.texts, saved)
    if not 0 < number <= len(entries):
        return None
    replay = await load_replay(interaction, ReplayState(ReplaySource.MATCH, match))
    moves = tuple(move for move_texts in entries[number - 1].line for move in (move_texts or (RESIGN_MARK,)))
    replay_state = await _latest_state(interaction, replay)
    state = AnalysisState(replay_state, moves, len(moves), is_conditional=True)
    return await build_analysis_post(interaction, await load_analysis(interaction, state))


def _page_entries(entries: Sequence[ConditionalEntry], page: int) -> list[tuple[int, ConditionalEntry]]:
    return list(enumerate(entries, start=1))[page * PAGE_SIZE : (page + 1) * PAGE_SIZE]


async def _latest_state(interaction: Interaction, replay: Replay) -> ReplayState:
    """Return the present board of a match, the way round that the person likes."""
    is_second = replay.turns[-1].seats[1].person.account == ids.user_account(interaction.user)
    is_flipped = pictures.is_flipped(await pictures.load_preferences(interaction), is_second=is_second)
    return ReplayState(ReplaySource.MATCH, replay.match or 0, replay.turn_count, is_flipped)


def _opponent_seat(replay: Replay, saved: ConditionalMoves) -> Seat:
    return next(seat for seat in replay.turns[-1].seats if seat.side is not saved.board.side)
