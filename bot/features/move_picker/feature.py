"""The private message in which a move is picked, its buttons and its menu.

All it knows stands in their ids (:mod:`bot.features.move_picker.state`), so it goes on after a restart. Each
step edits the message in the interaction's own answer; nothing is played before *Confirm*.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self

from bot.feature import Feature
from bot.features.move.feature import check_turn
from bot.features.move_picker.menu import GROUP_PREFIX, PickMenuBuilder
from bot.features.move_picker.state import PICK_ID_PATTERN, PickState
from bot.outbox.responses import respond_with_update
from bot.posts import pictures
from bot.posts.post import Picture, Post
from bot.ui import ids
from bot.ui.buttons import PersistentButton, Style, view_of
from bot.ui.interactions import require_permissions, response_timeout
from bot.ui.refusals import format_refusal
from bot.ui.selects import PersistentSelect, select_option
from matches import MatchError, MatchId, MatchOver, MatchUnknown, StaleBoard
from move_builder import add_forced_answers, apply_answers, encode_answer, preview

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import discord

    from bot.client import Interaction
    from bot.features.move_picker.menu import PickMenu
    from engine.game import Game, Position
    from i18n import Texts
    from matches import MatchView, Preferences, Seat

    NextState = Callable[[Position, PickState], PickState]


class PickButton(PersistentButton, template=r"pick1:(?P<match>\d{1,12}):(?P<stamp>\d{1,10})"):
    """Stands under the latest board; opens the dialogue."""

    @classmethod
    def of(cls, texts: Texts, view: MatchView) -> Self:
        """Make the button for a board that can be played on."""
        return cls.create(texts("button.pick"), f"pick1:{view.id}:{view.revision}", Style.primary)

    async def on_click(self, interaction: Interaction) -> None:
        """Ask the first question, seen from the person's own side."""
        context = await load_pick_context(
            interaction, MatchId(int(self.values["match"])), int(self.values["stamp"])
        )
        preferences = await pictures.load_preferences(interaction)
        is_flipped = pictures.is_flipped(preferences, is_second=context.is_second)
        state = _advance(
            context.position, PickState(context.view.id, context.view.revision, is_flipped=is_flipped)
        )
        post = await _build_step_post(interaction.client.texts, context, state, preferences)
        async with response_timeout(interaction):
            await interaction.response.send_message(ephemeral=True, **post.send_arguments())


class AnswerButton(PersistentButton, template=f"answer1:{PICK_ID_PATTERN}"):
    """Goes on to where its id leads, and further wherever there is no alternative."""

    async def on_click(self, interaction: Interaction) -> None:
        """Show the next question or the preview."""
        await _show_step(interaction, PickState.from_values(self.values), _advance)


class StepButton(PersistentButton, template=f"step1:{PICK_ID_PATTERN}"):
    """Shows exactly the step that its id names: the one before, or the same from the other side."""

    async def on_click(self, interaction: Interaction) -> None:
        """Show that step."""
        await _show_step(interaction, PickState.from_values(self.values), lambda _, trail: trail)


class CellSelect(PersistentSelect, template=f"offer1:{PICK_ID_PATTERN}"):
    """Lists cells, or groups of cells."""

    async def on_select(self, interaction: Interaction, selected: tuple[str, ...]) -> None:
        """Take the answer, or narrow the question to a group."""
        await _show_step(
            interaction,
            PickState.from_values(self.values),
            lambda position, trail: _apply_selection(position, trail, selected),
        )


class ConfirmMoveButton(PersistentButton, template=f"confirm1:{PICK_ID_PATTERN}"):
    """Plays what the preview shows, if that is still the board."""

    async def on_click(self, interaction: Interaction) -> None:
        """Play, and answer with the turn's post for all to see."""
        require_permissions(interaction)
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
        except MatchError as error:
            is_played = await _is_played(interaction, state)
            await _close_dialog(
                interaction,
                client.texts("picking.played") if is_played else format_refusal(client.texts, error),
            )
        else:
            await respond_with_update(interaction, update)


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
    """Turn the message into the step that `next_state` gives; into a refusal where the match has moved on."""
    texts = interaction.client.texts
    try:
        context = await load_pick_context(interaction, state.match, state.revision, exact=True)
    except MatchError as error:
        await _close_dialog(interaction, format_refusal(texts, error))
    else:
        post = await _build_step_post(
            texts, context, next_state(context.position, state), await pictures.load_preferences(interaction)
        )
        async with response_timeout(interaction):
            await interaction.response.edit_message(**post.edit_arguments())


async def _close_dialog(interaction: Interaction, text: str) -> None:
    """Leave of the dialogue one sentence, and nothing to press."""
    async with response_timeout(interaction):
        await interaction.response.edit_message(**Post(text).edit_arguments())


async def _is_played(interaction: Interaction, state: PickState) -> bool:
    """Return whether the match went on with just what the preview shows: a second click on *Confirm*."""
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
    texts: Texts, context: PickContext, state: PickState, preferences: Preferences
) -> Post:
    """Return the message of one step: what is asked or previewed, the picture, what can be pressed."""
    move_state = apply_answers(context.position, state.answers)
    builder = PickMenuBuilder(texts, move_state, state, context.seat.side)
    menu, question = builder.build_menu(), builder.format_question()
    sides = move_state.start.game.sides
    render_options = pictures.build_render_options(preferences, sides[1] if state.is_flipped else sides[0])
    # Cells bear their names only where they themselves are in the menu.
    shown_position, preview_options = preview(
        move_state, render_options, menu.cells, show_names=not menu.is_multiple and not menu.group_kind
    )
    png, diagram = await pictures.render_board(shown_position, preview_options)
    cells = texts.join(menu.cells, "list.comma")
    alt = texts(
        "picking.alt" if cells else "picking.alt_bare", question=question, cells=cells, diagram=diagram
    )
    text = texts("picking.prompt", question=question, match=state.match)
    items = tuple(_items(texts, state, menu, builder.format_hint(menu)))
    return Post(text, Picture(png, alt), lambda: view_of(*items))


def _items(texts: Texts, state: PickState, menu: PickMenu, hint: str) -> Iterator[discord.ui.Item[Any]]:
    if menu.lines:
        options = [
            select_option(one.label, one.value, one.description, is_selected=one.is_selected)
            for one in menu.lines
        ]
        yield CellSelect.create(hint, f"offer1:{state}", options, many=menu.is_multiple)
    for one in menu.buttons:
        yield AnswerButton.create(one.label, f"answer1:{state.with_answers(one.value)}", Style.primary)
    if not menu.lines and not menu.buttons:
        yield ConfirmMoveButton.create(texts("button.confirm"), f"confirm1:{state}", Style.success)
    back = state.back()
    if back is not None:
        yield StepButton.create(texts("button.back"), f"step1:{back}")
    yield StepButton.create(texts("button.flip"), f"step1:{state.flip()}")


def setup(_words: Texts, _games: Mapping[str, Game]) -> Feature:
    """Return the button under every board that can be played on, and the dialogue's buttons and menu."""
    return Feature(items=ITEMS, board_buttons=(PickButton.of,))


@dataclass(frozen=True, slots=True)
class PickContext:
    """Somebody whose turn it is, at the board as it stands."""

    view: MatchView
    position: Position
    seat: Seat

    @property
    def is_second(self) -> bool:
        """Whether the person plays the side that moves second."""
        return self.seat.side is self.position.game.sides[1]


async def load_pick_context(
    interaction: Interaction, match: MatchId, revision: int, *, exact: bool = False
) -> PickContext:
    """Return the board of a match to whoever is to move on it and saw it when it had that stamp.

    That may also be the board on which a run under way began, unless `exact`: the placements since then
    are the person's own and were never posted. Raises MatchUnknown, NotInMatch, MatchOver,
    StaleBoard, NotYourTurn.
    """
    client = interaction.client
    view = await client.matches.view(match, now=client.now())
    check_turn(view, ids.user_account(interaction.user), revision)
    if view.position is None or view.to_move is None:
        raise MatchOver(match=match)
    if exact and revision != view.revision:
        raise StaleBoard(match=match, seen=revision, ply=view.ply)
    return PickContext(view, view.position, view.to_move)
