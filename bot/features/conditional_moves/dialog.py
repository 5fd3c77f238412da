"""``/conditional``: the ephemeral list of the user's conditional moves in a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from bot.feature import Feature
from bot.features.analysis_board.context import load_analysis
from bot.features.analysis_board.dialog import build_analysis_post, open_analysis
from bot.features.analysis_board.formatting import format_line_turn
from bot.features.analysis_board.state import RESIGN_MARK, AnalysisState
from bot.features.conditional_moves.notices import send_notices
from bot.outbox.sender import PeriodicTask
from bot.posts import pictures
from bot.posts.post import Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids, match_argument
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.commands import define_command
from bot.ui.replay_argument import load_replay
from bot.ui.replay_state import ReplaySource, ReplayState
from bot.ui.selects import PersistentSelect, select_option
from i18n import formatting
from i18n.match_names import format_game_and_number
from matches import Action, MatchId, Refusal, possible_actions
from matches.conditionals import list_entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import discord

    from bot.context import Interaction
    from i18n import Texts
    from matches import MatchView, Replay, Seat
    from matches.conditionals import ConditionalEntry, ConditionalMoves

PAGE_SIZE = 12  # entries on a page
MATCH_PATTERN = r"(?P<match>\d{1,12})"


class ConditionalPageButton(PersistentButton, template=rf"lines1:{MATCH_PATTERN}:(?P<page>\d{{1,3}})"):
    """Shows a page of the list."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        match, page = self.match, int(self.values["page"])
        await replace_message(interaction, await _build_list_post(interaction, match, page))


class ConditionalLineSelect(PersistentSelect, template=rf"line1:{MATCH_PATTERN}"):
    """Lists the entries of a page."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Open the board after the selected entry; if it no longer exists, show the list."""
        match = self.match
        post = await _build_entry_post(interaction, match, int(selected[0]))
        await replace_message(
            interaction, await _build_list_post(interaction, match, 0) if post is None else post
        )


class AddLineButton(PersistentButton, template=rf"addline1:{MATCH_PATTERN}"):
    """Opens the current board to add a line."""

    async def on_click(self, interaction: Interaction) -> None:
        """Show the board; in the user's own turn, show the list, which explains why nothing can be added."""
        client, match = interaction.client, self.match
        saved = await client.matches.conditionals.get(match, ids.to_person(interaction.user))
        if not saved.can_edit:
            await replace_message(interaction, await _build_list_post(interaction, match, 0))
            return
        replay = await load_replay(interaction, ReplayState(ReplaySource.MATCH, match))
        state = AnalysisState(await _latest_state(interaction, replay), is_conditional=True)
        await replace_message(
            interaction, await build_analysis_post(interaction, await load_analysis(interaction, state))
        )


class ClearLinesButton(PersistentButton, template=rf"clearlines1:{MATCH_PATTERN}:(?P<sure>[01])"):
    """Clears the list after a confirmation."""

    async def on_click(self, interaction: Interaction) -> None:
        """Ask for confirmation, or clear the list."""
        client, match = interaction.client, self.match
        texts = client.texts
        if self.values["sure"] == "1":
            await client.matches.conditionals.clear(match, ids.to_person(interaction.user), now=client.now())
            await replace_message(interaction, Post(texts("conditional.cleared")))
            return
        yes = ClearLinesButton.create(texts("button.clear_lines"), f"clearlines1:{match}:1", Style.danger)
        no = ConditionalPageButton.create(texts("button.back"), f"lines1:{match}:0")
        await replace_message(interaction, Post(texts("conditional.clear"), None, lambda: view_of(yes, no)))


class ConditionalMovesButton(PersistentButton, template=r"conditional1:(?P<match>\d{1,12})"):
    """Opens the user's conditional moves."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView, account: str) -> Self | None:
        """Create the button if the user waits for the opponent's turn and the board is current."""
        if Action.SAVE_LINES not in possible_actions(view, account):
            return None
        return cls.create(texts("button.conditional"), f"conditional1:{view.id}")

    async def on_click(self, interaction: Interaction) -> None:
        """Respond with the list, or with the board for the first line."""
        await _show(interaction, self.match)


async def _show_list(interaction: Interaction, match: str | None) -> None:
    await _show(interaction, await match_argument.resolve_own(interaction, match))


async def _show(interaction: Interaction, match: MatchId) -> None:
    """Respond with the list; if it is empty, with the board for the first line. Raises `is_your_turn`."""
    client = interaction.client
    saved = await client.matches.conditionals.get(match, ids.to_person(interaction.user))
    if saved.loss is None and not saved.can_edit:
        raise Refusal("is_your_turn", match=match)
    if saved.loss is None and not saved.tree:
        replay = await load_replay(interaction, ReplayState(ReplaySource.MATCH, match))
        await open_analysis(interaction, await _latest_state(interaction, replay), is_conditional=True)
        return
    post = await _build_list_post(interaction, match, 0)
    await send_private(interaction, post)
    if saved.loss is not None:
        await client.matches.conditionals.mark_notified(saved.loss)


async def _build_list_post(interaction: Interaction, match: MatchId, page: int) -> Post:
    """Return a page of the list; `page` is limited to the last one."""
    client, texts = interaction.client, interaction.client.texts
    replay = await load_replay(interaction, ReplayState(ReplaySource.MATCH, match))
    saved = await client.matches.conditionals.get(match, ids.to_person(interaction.user))
    entries = list_entries(saved)
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
            match_name=format_game_and_number(texts, replay.game, saved.match),
            name=opponent.person,
            side=formatting.format_side(texts, opponent.side),
        )
    ]
    if saved.loss is not None:
        lines.append(texts(f"conditional.lost.{saved.loss.reason}"))
    for number, entry in _page_entries(entries, page):
        lines.append(
            texts(
                "conditional.entry",
                indent="\u2003" * entry.depth,
                number=number,
                line=_format_entry(texts, entry),
            )
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
                _format_choice(texts.plain, number, entry),
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
    """Return the board after an entry of the list, None if there is no entry with this number."""
    client = interaction.client
    saved = await client.matches.conditionals.get(match, ids.to_person(interaction.user))
    entries = list_entries(saved)
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
    """Return the current position of a match, flipped as the user prefers."""
    is_second = replay.turns[-1].seats[1].person.account == ids.user_account(interaction.user)
    is_flipped = pictures.is_flipped(await pictures.load_preferences(interaction), is_second=is_second)
    return ReplayState(ReplaySource.MATCH, replay.match or 0, replay.turn_count, is_flipped)


def _opponent_seat(replay: Replay, saved: ConditionalMoves) -> Seat:
    return next(seat for seat in replay.turns[-1].seats if seat.side is not saved.board.side)


def _format_entry(texts: Texts, entry: ConditionalEntry) -> str:
    """Return an entry as text, without its number."""
    return formatting.format_conditional_answer(
        texts,
        [format_line_turn(texts, turn) for turn in entry.opponent_turns],
        format_line_turn(texts, entry.own_turn),
    )


def _format_choice(texts: Texts, number: int, entry: ConditionalEntry) -> str:
    return texts("conditional.choice", number=number, line=_format_entry(texts, entry))


FEATURE = Feature(
    commands=(define_command("conditional", _show_list, match_argument.field("conditional"), direct=True),),
    items=(
        ConditionalPageButton,
        ConditionalLineSelect,
        AddLineButton,
        ClearLinesButton,
        ConditionalMovesButton,
    ),
    private_buttons=(ConditionalMovesButton.of,),
    periodic_tasks=(PeriodicTask(send_notices),),
)
