"""The ephemeral message in which a move is picked, its buttons and its select.

The custom ids hold the whole state (:mod:`bot.features.move_picker.state`), so the message still works after
a restart. Each step edits the message as the response to the interaction; nothing is played before *Confirm*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from bot.feature import Feature
from bot.features.move_picker.state import PICK_ID_PATTERN, PickState
from bot.outbox.responses import respond_with_update
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.posts.replies import replace_message, send_private
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.interactions import explain_refusal, leave_unusable_channel
from bot.ui.match_argument import check_turn
from bot.ui.move_menu import GROUP_PREFIX, PickMenuBuilder
from bot.ui.selects import PersistentSelect, select_option
from i18n.match_names import format_short_match_name
from matches import MatchId, MatchState, MatchUnknown, Refusal, StaleBoard
from move_builder import ALL, add_forced_answers, answers_for, apply_answers, encode_answer, preview

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import discord

    from bot.context import Interaction
    from bot.ui.move_menu import PickMenu
    from engine.game import Position
    from i18n import Texts
    from matches import MatchSummary, MatchView, Preferences, Seat
    from metrics import Metrics

    NextState = Callable[[Position, PickState], PickState]

MAX_SELECTS = 4  # of the five rows of a message; the buttons have the last


class PickButton(PersistentButton, template=r"pick1:(?P<match>\d{1,12}):(?P<stamp>\d{1,10})"):
    """A button of the latest board: opens the move picker."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView) -> Self:
        """Create the button for a board on which a move can be played."""
        return cls.create(texts("button.pick"), f"pick1:{view.id}:{view.revision}", Style.primary)

    @classmethod
    def in_list(cls, texts: Texts, summary: MatchSummary, row: int) -> Self | None:
        """Create the button of a match in a list; None if it has no board yet."""
        if summary.state is MatchState.CHOOSING:
            return None
        label = texts("turns.pick", match=summary.id)
        return cls.create(label, f"pick1:{summary.id}:{summary.revision}", Style.primary, row=row)

    async def on_click(self, interaction: Interaction) -> None:
        """Ask the first question, with the latest board oriented as the user prefers."""
        await open_picker(interaction, self.match, int(self.values["stamp"]))


class AnswerButton(PersistentButton, template=f"answer1:{PICK_ID_PATTERN}"):
    """Continues with the state in its custom id, skipping questions with only one answer."""

    async def on_click(self, interaction: Interaction) -> None:
        """Show the next question or the preview."""
        await _show_step(interaction, PickState.from_values(self.values), _advance)


class StepButton(PersistentButton, template=f"step1:{PICK_ID_PATTERN}"):
    """Shows exactly the state in its custom id: the previous step, or the current one flipped."""

    async def on_click(self, interaction: Interaction) -> None:
        """Show that step."""
        await _show_step(interaction, PickState.from_values(self.values), lambda _, state: state)


class CellSelect(PersistentSelect, template=f"offer1:{PICK_ID_PATTERN}"):
    """Lists squares, or groups of squares."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Add the selected answer, or narrow the question to the selected group."""
        await _show_step(
            interaction,
            PickState.from_values(self.values),
            lambda position, state: _apply_selection(position, state, selected),
        )


class ConfirmMoveButton(PersistentButton, template=f"confirm1:{PICK_ID_PATTERN}"):
    """Plays the previewed move if the board is still current."""

    async def on_click(self, interaction: Interaction) -> None:
        """Play the move and respond with the public post of the turn."""
        await leave_unusable_channel(interaction)
        client, state = interaction.client, PickState.from_values(self.values)
        try:
            context = await load_pick_context(interaction, state.match, state.revision, exact=True)
            update = await client.matches.play(
                state.match,
                ids.to_person(interaction.user),
                [str(move) for move in apply_answers(context.position, state.answers).moves],
                seen_revision=state.revision,
                latest_only=True,
                now=client.now(),
            )
        except Refusal as error:
            is_played = await _is_played(interaction, state)
            await _close_dialog(
                interaction,
                client.texts("picking.played") if is_played else await explain_refusal(interaction, error),
            )
        else:
            await respond_with_update(interaction, update)


async def open_picker(interaction: Interaction, match: MatchId, seen_revision: int) -> None:
    """Ask the first question about the latest board, privately; say so if the user saw an older one.

    Raises MatchUnknown, NotInMatch, `match_over`, StaleBoard (if it is not the user's turn), `not_your_turn`.
    """
    texts, note = interaction.client.texts, ""
    try:
        context = await load_pick_context(interaction, match, seen_revision)
    except StaleBoard:
        latest = await interaction.client.matches.view(
            match, readers=(ids.user_account(interaction.user),), now=interaction.client.now()
        )
        if latest.to_move is None or latest.to_move.person.account != ids.user_account(interaction.user):
            raise
        context = await load_pick_context(interaction, match, latest.revision)
        note = texts("picking.newer")
    preferences = await pictures.load_preferences(interaction)
    state = _advance(
        context.position,
        PickState(
            context.view.id,
            context.view.revision,
            answers=answers_for(context.position, context.saved_moves),
            is_flipped=pictures.is_flipped(preferences, is_second=context.is_second),
        ),
    )
    metrics = interaction.client.matches.metrics
    post = await _build_step_post(texts, context, state, preferences, metrics)
    if note:
        post = replace(post, text=texts.join([note, post.text], "list.lines"))
    await send_private(interaction, post)


ITEMS = (PickButton, AnswerButton, StepButton, CellSelect, ConfirmMoveButton)


def _advance(position: Position, state: PickState) -> PickState:
    return replace(state, answers=add_forced_answers(position, state.answers), group="")


def _apply_selection(position: Position, state: PickState, selected: tuple[str, ...]) -> PickState:
    choice = apply_answers(position, state.answers).choice
    if choice is not None and choice.multiple:
        return _advance(position, state.with_answers(encode_answer(choice, selected)))
    if selected[0].startswith(GROUP_PREFIX):
        return state.with_group(selected[0].removeprefix(GROUP_PREFIX))
    return _advance(position, state.with_answers(selected[0]))


async def _show_step(interaction: Interaction, state: PickState, next_state: NextState) -> None:
    """Show the state that `next_state` returns; if the match has moved on, show the reason instead."""
    texts = interaction.client.texts
    try:
        context = await load_pick_context(interaction, state.match, state.revision, exact=True)
    except Refusal as error:
        await _close_dialog(interaction, await explain_refusal(interaction, error))
    else:
        post = await _build_step_post(
            texts,
            context,
            next_state(context.position, state),
            await pictures.load_preferences(interaction),
            interaction.client.matches.metrics,
        )
        await replace_message(interaction, post)


async def _close_dialog(interaction: Interaction, text: str) -> None:
    """Replace the message with one sentence and remove its components."""
    await replace_message(interaction, Post(text))


async def _is_played(interaction: Interaction, state: PickState) -> bool:
    """Return whether the match already continued with the previewed move: a second click on *Confirm*."""
    client = interaction.client
    try:
        before = await client.matches.view(state.match, revision=state.revision, now=client.now())
        if before.position is None:
            return False
        move_state = apply_answers(before.position, state.answers)
        after = await client.matches.view(
            state.match, revision=state.revision + len(move_state.moves), now=client.now()
        )
    except MatchUnknown:
        return False
    return after.position == move_state.position


async def _build_step_post(
    texts: Texts, context: PickContext, state: PickState, preferences: Preferences, metrics: Metrics
) -> Post:
    """Return the message of one step: the question or the preview, the picture and the components."""
    move_state = apply_answers(context.position, state.answers)
    builder = PickMenuBuilder(
        texts,
        move_state,
        context.seat.side,
        MAX_SELECTS,
        group=state.group,
        is_flipped=state.is_flipped,
    )
    menu, question = builder.build_menu(), builder.format_question(texts)
    sides = move_state.start.game.sides
    render_options = replace(
        pictures.build_render_options(texts, preferences),
        bottom_side=sides[1] if state.is_flipped else sides[0],
    )
    # Cells are labelled only if one menu lists the cells themselves.
    show_names = not menu.is_multiple and not menu.group_kind and len(menu.selects) < 2
    shown_position, preview_options = preview(move_state, render_options, menu.cells, show_names=show_names)
    png, diagram = await pictures.render_board(shown_position, preview_options, metrics)
    plain = texts.plain
    cells = plain.join(menu.cells, "list.comma")
    alt = plain(
        "picking.alt" if cells else "picking.alt_bare",
        question=builder.format_question(plain),
        cells=cells,
        diagram=diagram,
    )
    text = texts("picking.prompt", question=question, match_name=format_short_match_name(texts, context.view))
    items = tuple(_items(texts, context, state, menu, builder.format_hints(menu)))
    return Post(text, Picture(png, alt), lambda: view_of(*items))


def _items(
    texts: Texts, context: PickContext, state: PickState, menu: PickMenu, hints: Sequence[str]
) -> Iterator[discord.ui.Item[Any]]:
    for index, (hint, shown) in enumerate(zip(hints, menu.selects, strict=True)):
        options = [
            select_option(one.label, one.value, one.description, is_selected=one.is_selected) for one in shown
        ]
        own_state = state.with_group(str(index)) if index else state  # no two ids in a message are equal
        yield CellSelect.create(hint, f"offer1:{own_state}", options, many=menu.is_multiple)
    for one in menu.buttons:
        answered = state.with_answers(one.value)
        if menu.is_multiple and one.value == ALL and _is_complete(context.position, answered):
            label = texts.plain("picking.confirm_all", answer=one.label)
            yield ConfirmMoveButton.create(label, f"confirm1:{answered}", Style.success)
        else:
            yield AnswerButton.create(one.label, f"answer1:{answered}", Style.primary)
    if not menu.options and not menu.buttons:
        yield ConfirmMoveButton.create(texts("button.confirm"), f"confirm1:{state}", Style.success)
    back = state.back()
    if back is not None:
        yield StepButton.create(texts("button.back"), f"step1:{back}")
    yield StepButton.create(texts("button.flip"), f"step1:{state.flip()}")


def _is_complete(position: Position, state: PickState) -> bool:
    return apply_answers(position, state.answers).choice is None


@dataclass(frozen=True, slots=True)
class PickContext:
    """The current board of a match and the seat of the user, whose turn it is.

    `position` is the board before the turn, `saved_moves` those of the turn that were played already.
    """

    view: MatchView
    position: Position
    seat: Seat
    saved_moves: tuple[str, ...]

    @property
    def is_second(self) -> bool:
        """Whether the user plays the side that moves second."""
        return self.seat.side is self.position.game.sides[1]


async def load_pick_context(
    interaction: Interaction, match: MatchId, revision: int, *, exact: bool = False
) -> PickContext:
    """Return the board of a match for the user, who must be to move and have seen a current board.

    `revision` is the revision of the board that the user saw. It may also be that of the board with the
    user's own unfinished turn; with `exact` this board is then returned.
    Raises MatchUnknown, NotInMatch, `match_over`, StaleBoard, `not_your_turn`.
    """
    client = interaction.client
    account = ids.user_account(interaction.user)
    view = await client.matches.view(match, readers=(account,), now=client.now())
    check_turn(view, account, revision)
    if view.position is None or view.to_move is None:
        raise Refusal("match_over", match=match)
    if view.turn_start is None or (exact and revision != view.revision):
        return PickContext(view, view.position, view.to_move, ())
    saved_moves = tuple(move.text for move in view.unfinished_moves)
    return PickContext(view, view.turn_start, view.to_move, saved_moves)


FEATURE = Feature(items=ITEMS, board_buttons=(PickButton.of,), turn_buttons=(PickButton.in_list,))
