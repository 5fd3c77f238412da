"""The ephemeral analysis message, its buttons, its select and its modal.

The custom ids hold the whole state (:mod:`bot.features.analysis_board.state`) or the id of a stored line, so
the message still works after a restart. Each step edits the message as the response to the interaction;
nothing is played in the match.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bot.features.analysis_board import formatting
from bot.features.analysis_board.context import (
    UnplayableLine,
    encode_line,
    load_analysis,
    load_state,
    play_tried_moves,
    resolve_typed_line,
    suggest_states,
)
from bot.features.analysis_board.state import (
    ANALYSIS_ID_PATTERN,
    FORCED,
    RESIGN_MARK,
    AnalysisState,
)
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids, modals
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.interactions import explain_refusal, send_modal
from bot.ui.move_menu import GROUP_PREFIX, PickMenuBuilder
from bot.ui.refusals import RefusalWithView, format_refusal
from bot.ui.selects import PersistentSelect, select_option
from i18n.refusals import Formatted
from matches import Refusal, StaleBoard
from move_builder import apply_answers, encode_answer, preview

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Mapping

    import discord

    from bot.context import Interaction
    from bot.features.analysis_board.context import AnalysisContext
    from bot.ui.move_menu import PickMenu
    from bot.ui.replay_state import ReplayState
    from i18n import Texts
    from matches.conditionals import ConditionalMoves

    StateEncoder = Callable[[AnalysisState], str]
    LineChange = Callable[..., Awaitable[ConditionalMoves]]

MODAL_ID = "tried1"
MAX_LINE_LENGTH = 2000  # characters of the moves typed at once
MODAL_ID_PATTERN = re.compile(f"{MODAL_ID}:{ANALYSIS_ID_PATTERN}")


class TryButton(PersistentButton, template=f"try1:{ANALYSIS_ID_PATTERN}"):
    """Shows the analysis state encoded in its custom id, completing the move if its answers determine one."""

    async def on_click(self, interaction: Interaction) -> None:
        """Update the message."""
        await update_message(interaction, await load_state(interaction, self.values))


class TrySelect(PersistentSelect, template=f"trying1:{ANALYSIS_ID_PATTERN}"):
    """Lists squares, or groups of squares, for the next move."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Add the selected answer, or narrow the question to the selected group."""
        state = await load_state(interaction, self.values)
        if selected and selected[0].startswith(GROUP_PREFIX):
            await update_message(interaction, state.with_group(selected[0].removeprefix(GROUP_PREFIX)))
            return
        context = await load_analysis(interaction, state)
        choice = apply_answers(context.position, context.state.answers).choice
        answer = encode_answer(choice, selected) if choice is not None and choice.multiple else selected[0]
        await update_message(interaction, state.with_answers(answer))


class TypeMovesButton(PersistentButton, template=f"typing1:{ANALYSIS_ID_PATTERN}"):
    """Opens a modal in which moves are typed."""

    async def on_click(self, interaction: Interaction) -> None:
        """Open the modal."""
        texts = interaction.client.texts.plain
        state = await load_state(interaction, self.values)
        context = await load_analysis(interaction, state)
        modal = modals.create_modal(
            texts("analysis.modal_title"),
            f"{MODAL_ID}:{await _encode(interaction, state)}",
            modals.text_line(
                "moves",
                texts("analysis.modal_label"),
                texts("turn.modal_example", example=context.position.example_move),
                max_length=MAX_LINE_LENGTH,
            ),
        )
        await send_modal(interaction, modal)


class UseAsConditionalButton(PersistentButton, template=f"adopt1:{ANALYSIS_ID_PATTERN}"):
    """Turns the usable part of an analysis into a conditional line."""

    async def on_click(self, interaction: Interaction) -> None:
        """Show that line from the current position, ready to be saved. Raises Refusal if none is usable."""
        context = await load_analysis(interaction, await load_state(interaction, self.values))
        line = tuple(text for move_texts in context.conditional_line for text in move_texts)
        if not line:
            raise Refusal("line_outdated")
        latest = context.state.replay_state.at_turn(context.replay.turn_count)
        await update_message(interaction, AnalysisState(latest, line, len(line), is_conditional=True))


class SaveLineButton(PersistentButton, template=f"settle1:{ANALYSIS_ID_PATTERN}"):
    """Saves the line in view as conditional moves."""

    async def on_click(self, interaction: Interaction) -> None:
        """Save the line and update the message."""
        await _change_line(interaction, self.values, interaction.client.matches.conditionals.add_line)


class RemoveLineButton(PersistentButton, template=f"unsettle1:{ANALYSIS_ID_PATTERN}"):
    """Removes the line in view from the conditional moves."""

    async def on_click(self, interaction: Interaction) -> None:
        """Remove its last turn and everything after it, and update the message."""
        client = interaction.client
        remove, note = client.matches.conditionals.remove_line, client.texts("conditional.removed")
        await _change_line(interaction, self.values, remove, note)


async def _change_line(
    interaction: Interaction, values: Mapping[str, str], change: LineChange, note: str = ""
) -> None:
    """Apply `change` to the user's conditional moves and update the message."""
    state = await load_state(interaction, values)
    context = await load_analysis(interaction, state)
    if context.saved is not None:
        match, revision = context.saved.match, context.saved.revision
        who = ids.to_person(interaction.user)
        await change(match, who, context.turns, seen_revision=revision, now=interaction.client.now())
    await update_message(interaction, state, note)


async def submit_moves(interaction: Interaction) -> None:
    """Try the moves submitted in the modal."""
    found = MODAL_ID_PATTERN.fullmatch(interaction.custom_id or "")
    if found is None:
        raise Refusal("analysis_line_unknown")
    state = await load_state(interaction, found.groupdict(""))
    context = await load_analysis(interaction, state)
    text = modals.submitted_text(interaction, "moves", MAX_LINE_LENGTH)
    move_texts = await asyncio.to_thread(resolve_typed_line, context, text)
    number = state.replay_state.number
    try:
        moves = await asyncio.to_thread(play_tried_moves, number, context.position, move_texts)
    except UnplayableLine as refusal:
        nearest = await asyncio.to_thread(suggest_states, context, move_texts)
        buttons = [
            TryButton.create(label, f"try1:{await _encode(interaction, near)}", Style.primary)
            for label, near in nearest.items()
        ]
        if not buttons:
            raise
        reason = Formatted(format_refusal(interaction.client.texts, refusal))
        raise RefusalWithView("did_you_mean_line", view_of(*buttons), reason=reason) from refusal
    await update_message(interaction, context.state.with_moves(*(move.text for move in moves)))


async def open_analysis(
    interaction: Interaction, replay_state: ReplayState, *, is_conditional: bool = False
) -> None:
    """Respond with a new ephemeral analysis message."""
    post = await build_analysis_post(
        interaction,
        await load_analysis(interaction, AnalysisState(replay_state, is_conditional=is_conditional)),
    )
    await send_private(interaction, post)


async def update_message(interaction: Interaction, state: AnalysisState, note: str = "") -> None:
    """Show `state` in the message. A conditional line that is out of date is replaced by the reason."""
    try:
        post = await build_analysis_post(interaction, await load_analysis(interaction, state), note)
    except UnplayableLine:
        raise
    except Refusal as error:
        if not state.is_conditional:
            raise
        key = "conditional.stale" if isinstance(error, StaleBoard) else ""
        texts = interaction.client.texts
        post = Post(texts(key) if key else await explain_refusal(interaction, error))
    await replace_message(interaction, post)


async def build_analysis_post(interaction: Interaction, context: AnalysisContext, note: str = "") -> Post:
    """Return the message: the line, the open question, the picture and the components."""
    texts, state, position = interaction.client.texts, context.state, context.position
    side = context.replay.turns[0].seats[state.replay_state.is_flipped].side
    render_options = replace(
        await pictures.load_render_options(interaction),
        bottom_side=side,
        last_turn=context.last_events,
    )
    builder, menu = _open_question(texts, context)
    shown_position = position
    if builder is not None and menu is not None and (state.answers or state.group):
        move_state = apply_answers(position, state.answers)
        shown_position, render_options = preview(
            move_state, render_options, menu.cells, show_names=not menu.is_multiple and not menu.group_kind
        )
    metrics = interaction.client.matches.metrics
    png, diagram = await pictures.render_board(shown_position, render_options, metrics)
    line = await encode_line(interaction, state)
    items = tuple(_items(texts, context, builder, menu, lambda one: one.encode(line)))
    text = formatting.format_analysis(texts, context, builder, note)
    return Post(
        text,
        Picture(png, formatting.format_alt_text(texts, context, diagram), "analysis.png"),
        lambda: view_of(*items),
    )


def _open_question(texts: Texts, context: AnalysisContext) -> tuple[PickMenuBuilder | None, PickMenu | None]:
    """Return the builder and the menu of the open question; None for both at the end of the line."""
    state, side = context.state, context.position.to_move
    if side is None or state.resigns:
        return None, None
    move_state = apply_answers(context.position, state.answers)
    builder = PickMenuBuilder(
        texts, move_state, side, group=state.group, is_flipped=state.replay_state.is_flipped
    )
    return builder, builder.build_menu()


def _items(
    texts: Texts,
    context: AnalysisContext,
    builder: PickMenuBuilder | None,
    menu: PickMenu | None,
    encode: StateEncoder,
) -> Iterator[discord.ui.Item[Any]]:
    state = context.state
    if builder is not None and menu is not None:
        if menu.options:
            options = [
                select_option(one.label, one.value, one.description, is_selected=one.is_selected)
                for one in menu.options
            ]
            yield TrySelect.create(
                builder.format_hint(menu), f"trying1:{encode(state)}", options, many=menu.is_multiple
            )
        for one in menu.buttons:
            yield TryButton.create(one.label, f"try1:{encode(state.with_answers(one.value))}", Style.primary)
        if not menu.options and not menu.buttons:
            only = context.position.example_move
            yield TryButton.create(only, f"try1:{encode(state.with_answers(FORCED))}", Style.primary)
    yield from _navigation_buttons(texts, context, encode)
    if not state.is_conditional:
        if context.conditional_line:
            yield UseAsConditionalButton.create(
                texts("button.use_as_conditional"), f"adopt1:{encode(state)}", Style.success
            )
    elif context.saved is not None:
        yield from _conditional_buttons(texts, context, context.saved, encode)


def _navigation_buttons(
    texts: Texts, context: AnalysisContext, encode: StateEncoder
) -> Iterator[discord.ui.Item[Any]]:
    """Yield the buttons that step through the line, flip the board and open the modal."""
    state = context.state
    for name, to in (("back", context.previous), ("forward", state.forward()), ("flip", state.flip())):
        if to is not None:
            yield TryButton.create(texts(f"button.{name}"), f"try1:{encode(to)}")
    if context.position.to_move is not None and not state.resigns:
        yield TypeMovesButton.create(texts("button.type"), f"typing1:{encode(state)}")


def _conditional_buttons(
    texts: Texts, context: AnalysisContext, saved: ConditionalMoves, encode: StateEncoder
) -> Iterator[discord.ui.Item[Any]]:
    """Yield the buttons that save or remove the line in view, or end it with a resignation."""
    state, line_turns = context.state, context.line_turns(saved)
    is_saved = context.is_saved(saved)
    if state.answers or context.unfinished_turn:
        return
    if line_turns and line_turns[-1].is_own and not is_saved:
        yield SaveLineButton.create(texts("button.save_line"), f"settle1:{encode(state)}", Style.success)
    if is_saved:
        yield RemoveLineButton.create(texts("button.remove_line"), f"unsettle1:{encode(state)}", Style.danger)
    if context.future_board(saved).is_own_turn and not state.resigns:
        yield TryButton.create(
            texts("button.resign_then"), f"try1:{encode(state.with_answers(RESIGN_MARK))}", Style.danger
        )


async def _encode(interaction: Interaction, state: AnalysisState) -> str:
    return state.encode(await encode_line(interaction, state))


ITEMS = (TryButton, TrySelect, TypeMovesButton, UseAsConditionalButton, SaveLineButton, RemoveLineButton)
