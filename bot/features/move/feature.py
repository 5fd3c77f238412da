"""Playing typed moves: ``/move`` with its autocomplete, and the button with its modal."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Self

from bot.feature import Feature
from bot.features.move import suggestions
from bot.features.move_picker.feature import open_picker
from bot.outbox.responses import respond_with_update
from bot.posts import pictures
from bot.posts.replies import replace_message, send_private
from bot.ui import game_argument, ids, match_argument, match_choice, modals
from bot.ui.buttons import MAX_ID_LENGTH, MAX_LABEL_LENGTH, PersistentButton, Style, view_of
from bot.ui.commands import CommandField, completion_choice, define_command, fit_description, typed_value
from bot.ui.interactions import (
    bind_match,
    explain_refusal,
    leave_unusable_channel,
    mark_committed,
    send_modal,
)
from bot.ui.refusals import RefusalWithView
from i18n.match_names import format_short_match_name
from i18n.refusals import Formatted
from matches import MatchId, MatchState, MoveRefused, Refusal, StaleBoard, TooManyMoves
from move_builder import is_legal_turn, split_moves, suggest_turns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from discord import app_commands

    from bot.context import Interaction
    from engine.game import Game
    from i18n import Texts
    from matches import MatchSummary, MatchView

MODAL_ID = "moved1"
MAX_TURN_LENGTH = 400  # characters of a typed turn


def _move_fields(texts: Texts, games: Mapping[str, Game]) -> tuple[CommandField, ...]:
    """Return the option `move`, described by as many examples as fit."""
    examples = tuple(dict.fromkeys(game_argument.example_moves(games).values()))
    about = fit_description(
        texts("command.move.move.about", examples=texts.join(examples[:count], "list.or"))
        for count in range(len(examples), 0, -1)
    )
    return (
        CommandField(
            "move",
            "command.move.move",
            required=True,
            completer=_complete_move,
            about=about,
            max_length=MAX_TURN_LENGTH,
        ),
    )


async def play_typed(interaction: Interaction, move: str, match: str | None = None) -> None:
    """Play the moves typed in the command."""
    resolved = await match_argument.resolve_to_play(
        interaction,
        match,
        lambda view: view.position is not None and is_legal_turn(view.position, split_moves(move)),
    )
    await commit_move(interaction, resolved, move, match_choice.seen_revision(interaction))


async def play_submitted(interaction: Interaction) -> None:
    """Play the moves submitted in the modal."""
    match, revision = (int(value) for value in modals.id_values(interaction))
    await commit_move(
        interaction,
        MatchId(match),
        modals.submitted_text(interaction, "move", MAX_TURN_LENGTH),
        revision,
    )


async def commit_move(
    interaction: Interaction, match: MatchId, text: str, revision: int | None = None
) -> None:
    """Play moves and respond with the new board.

    An incomplete series of set-up placements is saved and shown to the player only (ephemeral).
    """
    bind_match(match)
    await leave_unusable_channel(interaction)
    client = interaction.client
    who = ids.to_person(interaction.user)
    try:
        update = await client.matches.play(
            match, who, split_moves(text), seen_revision=revision, now=client.now()
        )
    except (MoveRefused, TooManyMoves) as error:
        raise await _suggest_instead(interaction, error, match, text) from error
    await respond_with_update(interaction, update)
    if update.announcement is None:
        render_options = await pictures.load_render_options(interaction, update.match.to_move)
        post = await client.board_posts.incomplete_turn_post(update.match, who.account, render_options)
        await send_private(interaction, post)


async def _suggest_instead(interaction: Interaction, error: Refusal, match: MatchId, text: str) -> Refusal:
    """Return the refusal of typed moves with a button for each legal turn near them; `error` without any."""
    client, account = interaction.client, ids.user_account(interaction.user)
    view = await client.matches.view(match, readers=(account,), now=client.now())
    if view.position is None:
        return error
    found = await asyncio.to_thread(suggest_turns, view.position, split_moves(text))
    buttons = SuggestionButton.of_all(view, found)
    if not buttons:
        return error
    reason = Formatted(await explain_refusal(interaction, error))
    return RefusalWithView("did_you_mean", view_of(*buttons), reason=reason)


class SuggestionButton(
    PersistentButton, template=r"mean1:(?P<match>\d{1,12}):(?P<stamp>\d{1,10}):(?P<moves>[\w ,~-]+)"
):
    """Plays a suggested turn if the board is still current."""

    @classmethod
    def of_all(cls, view: MatchView, turns: Sequence[str]) -> list[SuggestionButton]:
        """Create a button for each of `turns` that fits into one."""
        made = {turn: f"mean1:{view.id}:{view.revision}:{turn}" for turn in turns}
        return [
            cls.create(turn, custom_id, Style.primary)
            for turn, custom_id in made.items()
            if len(turn) <= MAX_LABEL_LENGTH and len(custom_id) <= MAX_ID_LENGTH
        ]

    async def on_click(self, interaction: Interaction) -> None:
        """Play the turn."""
        match, revision = self.match, int(self.values["stamp"])
        await commit_move(interaction, match, self.values["moves"], revision)


class MoveButton(PersistentButton, template=r"move1:(?P<match>\d+):(?P<stamp>\d+)"):
    """Opens a modal in which a move is typed."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView) -> Self:
        """Create the button for the board of `view`."""
        return cls.create(texts("button.move"), f"move1:{view.id}:{view.revision}", Style.primary)

    @classmethod
    def in_list(cls, texts: Texts, summary: MatchSummary, row: int) -> Self | None:
        """Create the button of a match in a list; None if it has no board yet."""
        if summary.state is MatchState.CHOOSING:
            return None
        label = texts("turns.move", match=summary.id)
        return cls.create(label, f"move1:{summary.id}:{summary.revision}", Style.primary, row=row)

    async def on_click(self, interaction: Interaction) -> None:
        """Open the modal; on an old board, which shows not what would be played on, the picker instead."""
        client, match = interaction.client, self.match
        account = ids.user_account(interaction.user)
        view = await client.matches.view(match, readers=(account,), now=client.now())
        try:
            match_argument.check_turn(view, account, int(self.values["stamp"]))
        except StaleBoard:
            await open_picker(interaction, match, int(self.values["stamp"]))
            return
        texts = client.texts.plain
        move = "" if view.position is None else view.position.example_move
        example = texts("turn.modal_example", example=move)
        modal = modals.create_modal(
            texts("turn.modal_title", match_name=format_short_match_name(texts, view)),
            f"{MODAL_ID}:{match}:{view.revision}",
            modals.text_line("move", texts("turn.modal_label"), example, max_length=MAX_TURN_LENGTH),
            short_title=texts("turn.modal_label"),
        )
        await send_modal(interaction, modal)


class UndoButton(PersistentButton, template=r"undo1:(?P<match>\d{1,12})"):
    """Undoes the last move of the user's unfinished turn, in the private message that shows it."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView, _account: str) -> UndoButton | None:
        """Create the button for a view with an unfinished turn, which only its player has."""
        is_undoable = view.unfinished_moves and view.to_move
        return cls.create(texts("button.undo"), f"undo1:{view.id}") if is_undoable else None

    async def on_click(self, interaction: Interaction) -> None:
        """Undo the move and show the board before it in the same message."""
        client, who = interaction.client, ids.to_person(interaction.user)
        update = await client.matches.undo(self.match, who, now=client.now())
        mark_committed(interaction)
        render_options = await pictures.load_render_options(interaction, update.match.to_move)
        post = await client.board_posts.incomplete_turn_post(update.match, who.account, render_options)
        await replace_message(interaction, post)


async def _complete_move(interaction: Interaction, current: str) -> list[app_commands.Choice[str]]:
    """Suggest legal moves that continue the typed text, best first."""
    client = interaction.client
    argument = typed_value(interaction, "command.move.match")
    try:
        match = await match_argument.resolve_to_play(interaction, argument or None)
    except Refusal:
        return []
    account = ids.user_account(interaction.user)
    view = await client.matches.view(match, readers=(account,), now=client.now())
    seat = view.seat(account)
    if seat is None or seat != view.to_move or view.position is None:
        return []
    found = await asyncio.to_thread(suggestions.suggest_moves, view.position, split_moves(current))
    return [completion_choice(text, text) for text in found]


FEATURE = Feature(
    commands=(
        define_command(
            "move",
            play_typed,
            _move_fields,
            match_argument.field("move"),
            anywhere=True,
        ),
    ),
    items=(MoveButton, UndoButton, SuggestionButton, *match_choice.ITEMS),
    modal_handlers={MODAL_ID: play_submitted},
    board_buttons=(MoveButton.of,),
    turn_buttons=(MoveButton.in_list,),
    private_buttons=(UndoButton.of,),
)
