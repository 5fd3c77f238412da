"""The move form: enters a turn step by step with a clickable board, a question and its possible answers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import render
from engine.game import EventKind, GameError, SelectionKind
from i18n.facts import format_facts
from matches import choose_facts
from move_builder import (
    MovePrompts,
    add_forced_answers,
    apply_answers,
    encode_answer,
    is_cell,
    preview,
    undo_last_choice,
)
from web.match import formatting
from web.pages.view_options import BoardPicture

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from engine.game import Event, Move, MoveChoice, Position, Side
    from i18n import Texts
    from move_builder import MoveBuilderState
    from web.pages.view_options import ViewOptions

ANSWER_SEPARATOR = "."
MAX_NUMBER_LENGTH = 13
# For these many cells can be selected. Large marks on all of them would hide the board, so they are light.
PLACE_MARK = "dot"
LIGHT_MARKS = {
    SelectionKind.STONE: "ring",
    SelectionKind.PLACE: PLACE_MARK,
    SelectionKind.SECOND: PLACE_MARK,
    SelectionKind.RESTORE: PLACE_MARK,
}
# What a hint marks on the board; captures have marks of their own.
HINT_KINDS = frozenset({EventKind.MOVE, EventKind.PLACE, EventKind.RESTORE})


@dataclass(frozen=True, slots=True)
class MoveOption:
    """One possible answer: its label, its effect in words, the URL that it leads to.

    `changes` are the cells of other pieces that it would change. `mark` is the light mark of its cell.
    """

    label: str
    about: str
    href: str
    value: str = ""
    changes: tuple[str, ...] = ()
    mark: str = ""


@dataclass(frozen=True, slots=True)
class MoveForm:
    """The state of a turn that is being entered, ready for a template.

    `counts` are the count of each side, as (side, text), if the board is drawn without a status bar.
    `cells` are the answers that are cells, `other_options` all others. With `many` any subset of the cells
    can be chosen, and `other_options` are all and none. A complete turn has no options left; it is
    confirmed by posting `answers`, or `text` if the moves were typed. `back_href` leads to the previous
    question, and is empty at the first. `position` is the one of the open question, `hint` a good move in it,
    as a sentence, and `hint_reason` what speaks for it.
    """

    svg: str
    counts: tuple[tuple[str, str], ...]
    question: str
    cells: tuple[MoveOption, ...]
    other_options: tuple[MoveOption, ...]
    many: bool
    answers: str
    text: str
    back_href: str
    moves: tuple[str, ...]
    position: Position
    hint: str = ""
    hint_reason: str = ""

    def query(self, revision: int) -> dict[str, str]:
        """Return the parameters of the URL that leads to this form; empty if nothing was chosen."""
        if not self.back_href:
            return {}
        entered = {"text": self.text} if self.text else {"answers": self.answers}
        return {"board": str(revision), **entered}

    @property
    def is_complete(self) -> bool:
        """Whether no question is left, so that the turn can be confirmed."""
        return not self.cells and not self.other_options


@dataclass(frozen=True, slots=True)
class MoveFormContext:
    """What the form needs besides the position and the answers.

    `last_events` are those of the last turn. Without `has_status_bar` the page shows counts and turn itself.
    `parameters` are those of every URL of the form, encoded; by default the board's revision. `hint` is a
    move to show as a hint where it is legal.
    """

    texts: Texts
    side: Side
    view_options: ViewOptions
    revision: int
    last_events: tuple[Event, ...]
    has_status_bar: bool = True
    parameters: str = ""
    hint: str = ""

    def href(self, answers: Sequence[str]) -> str:
        """Return the URL of the form with these answers, relative to the page."""
        values = {} if self.parameters else {"board": str(self.revision)}
        values["answers"] = ANSWER_SEPARATOR.join(answers)
        if self.view_options.side is not self.view_options.default_side:
            values["side"] = self.view_options.side.value
        return f"?{self.parameters}&{urlencode(values)}" if self.parameters else f"?{urlencode(values)}"


def parse_answers(text: str) -> tuple[str, ...]:
    """Parse the `answers` parameter of a URL."""
    return tuple(filter(None, text.split(ANSWER_SEPARATOR)))


def add_ticked_cells(start: Position, answers: tuple[str, ...], cells: Iterable[str]) -> tuple[str, ...]:
    """Add the ticked cells as an answer if any subset can be chosen. Raises IllegalMove."""
    choice = apply_answers(start, answers).choice
    return answers if choice is None or not choice.multiple else (*answers, encode_answer(choice, cells))


def build_form(
    form_context: MoveFormContext, start: Position, answers: tuple[str, ...], *, skips_forced: bool = True
) -> MoveForm:
    """Return the form at the next question after `answers`, by default one with more than one answer.

    Raises IllegalMove.
    """
    if skips_forced:
        answers = add_forced_answers(start, answers)
    back = undo_last_choice(start, answers)
    state = apply_answers(start, answers)
    prompts = MovePrompts(form_context.texts, state, form_context.side)
    labels = MovePrompts(form_context.texts.plain, state, form_context.side)
    cells = _cell_options(form_context, state, answers, labels)
    other_options = _other_options(form_context, state.choice, answers, labels)
    many = state.choice is not None and state.choice.multiple
    if many and len(cells) == 1:  # all or none: a check box would be a third button for the same
        many, everything = False, other_options[0]
        cells = (replace(cells[0], about=everything.label, href=everything.href),)
    hint = _find_hint(form_context, state)
    hinted = state.position.events(hint) if hint else ()
    picture = _render_board(form_context, state, answers, cells, hinted)
    return MoveForm(
        svg=picture.svg,
        counts=picture.counts,
        question=_question(form_context, state, prompts),
        cells=cells,
        other_options=other_options,
        many=many,
        answers=ANSWER_SEPARATOR.join(answers),
        text="",
        back_href="" if back is None else form_context.href(back),
        moves=tuple(map(str, state.moves)),
        position=state.position,
        hint=_describe(form_context, state, hinted) if hinted else "",
        hint_reason=_explain(form_context, state.position, hint) if hint else "",
    )


def build_preview(form_context: MoveFormContext, state: MoveBuilderState, text: str) -> MoveForm:
    """Return the form of a complete turn that was typed as `text`."""
    picture = _render_board(form_context, state, (), ())
    return MoveForm(
        svg=picture.svg,
        counts=picture.counts,
        question=_question(form_context, state, MovePrompts(form_context.texts, state, form_context.side)),
        cells=(),
        other_options=(),
        many=False,
        answers="",
        text=text,
        back_href=form_context.href(()),
        moves=tuple(map(str, state.moves)),
        position=state.position,
    )


def _question(form_context: MoveFormContext, state: MoveBuilderState, prompts: MovePrompts) -> str:
    """Return the open question; for a complete turn, what it does."""
    return _describe(form_context, state, state.events) if state.choice is None else prompts.question()


def _describe(form_context: MoveFormContext, state: MoveBuilderState, events: Sequence[Event]) -> str:
    return formatting.describe_turn(form_context.texts, state.start.vocabulary, form_context.side, events)


def _find_hint(form_context: MoveFormContext, state: MoveBuilderState) -> Move | None:
    """Return the move of the hint; None without a hint, or if it is not a legal move now."""
    if not form_context.hint or state.choice is None:
        return None
    try:
        return state.position.parse(form_context.hint)
    except GameError:
        return None


def _explain(form_context: MoveFormContext, position: Position, move: Move) -> str:
    facts = choose_facts(position.facts((move,)))
    return format_facts(form_context.texts, position.vocabulary, facts)


def _cell_options(
    form_context: MoveFormContext, state: MoveBuilderState, answers: tuple[str, ...], prompts: MovePrompts
) -> tuple[MoveOption, ...]:
    choice = state.choice
    if choice is None:
        return ()
    if choice.kind is SelectionKind.ACTION:
        return _cells_of_actions(form_context, state, answers, prompts)
    cells = filter(is_cell, choice.options)
    if choice.multiple:
        return tuple(MoveOption(cell, "", "", cell) for cell in cells)
    return tuple(
        MoveOption(cell, about, form_context.href((*answers, cell)), cell, changes)
        for cell in cells
        for about, changes in (prompts.describe_effect(cell),)
    )


def _cells_of_actions(
    form_context: MoveFormContext, state: MoveBuilderState, answers: tuple[str, ...], prompts: MovePrompts
) -> tuple[MoveOption, ...]:
    """Return the cells that follow the actions, to be chosen at once; none if one fits several actions."""
    found: dict[str, MoveOption] = {}
    for action in () if state.choice is None else state.choice.options:
        following = apply_answers(state.start, (*answers, action))
        if following.choice is None or following.choice.multiple or following.path != (*state.path, action):
            continue
        inner = MovePrompts(form_context.texts.plain, following, form_context.side)
        label = prompts.option_label(SelectionKind.ACTION, action)
        mark = LIGHT_MARKS.get(following.choice.kind, "")
        for option in _cell_options(form_context, following, (*answers, action), inner):
            if option.label in found:
                return ()
            value = f"{action}{ANSWER_SEPARATOR}{option.value}"
            found[option.label] = replace(option, about=option.about or label, value=value, mark=mark)
    return tuple(found.values())


def _other_options(
    form_context: MoveFormContext, choice: MoveChoice | None, answers: tuple[str, ...], prompts: MovePrompts
) -> tuple[MoveOption, ...]:
    if choice is None:
        return ()
    if choice.multiple:
        options = prompts.all_or_none_options(choice)
    else:
        values = (option for option in choice.options if not is_cell(option))
        options = tuple((prompts.option_label(choice.kind, option), option) for option in values)
    return tuple(
        MoveOption(label, "", form_context.href((*answers, value)), value) for label, value in options
    )


def _render_board(
    form_context: MoveFormContext,
    state: MoveBuilderState,
    answers: tuple[str, ...],
    cells: tuple[MoveOption, ...],
    hinted: tuple[Event, ...] = (),
) -> BoardPicture:
    """Return the board after the answers, with the selectable cells as links, and what a hint would do."""
    light_mark = "" if state.choice is None else LIGHT_MARKS.get(state.choice.kind, "")
    strong = [cell.label for cell in cells if not light_mark and not cell.mark]
    position, view = preview(
        state,
        form_context.view_options.render_options(),
        strong,
    )
    if not state.path and not state.moves:
        last_view = form_context.view_options.render_options(hinted or form_context.last_events)
        view = replace(last_view, marks=view.marks)
    view = replace(view, marks=(*view.marks, *_hint_marks(hinted)))
    scene = render.build_scene(position, view)
    empty = {cell for cell, _, _ in scene.cell_positions()} - scene.pieces().keys()
    marks = {cell.label: cell.mark or light_mark for cell in cells}
    if empty <= {cell for cell, mark in marks.items() if mark == PLACE_MARK}:
        # Dots on all empty cells would tell nothing, and hide the board.
        marks |= dict.fromkeys(empty, "")
    placed = _placed_piece(form_context, state, answers, [cell for cell in cells if cell.label in empty])
    targets = _replacement_targets(form_context, state, answers) | {
        cell.label: _cell_target(cell, marks[cell.label]) for cell in cells
    }
    if form_context.has_status_bar:
        return BoardPicture(render.to_svg(scene, targets, placed), ())
    return BoardPicture.of(scene, targets, placed)


def _placed_piece(
    form_context: MoveFormContext,
    state: MoveBuilderState,
    answers: tuple[str, ...],
    empty_cells: Sequence[MoveOption],
) -> render.Sprite | None:
    """Return the piece that the next answer puts on one of these cells; None if it puts none."""
    option = next((cell for cell in empty_cells if cell.href), None)
    if option is None:
        return None
    following = apply_answers(state.start, (*answers, *parse_answers(option.value)))
    position, view = preview(following, form_context.view_options.render_options())
    return render.build_scene(position, view).pieces().get(option.label)


def _hint_marks(hinted: tuple[Event, ...]) -> Iterator[render.Mark]:
    """Return marks on the cells that a hint moves between or fills."""
    for event in hinted:
        if event.kind in HINT_KINDS:
            yield from (render.Mark(render.MarkKind.SELECTED, cell) for cell in event.cells)


def _cell_target(option: MoveOption, mark: str) -> render.ClickTarget:
    if not option.href:
        return render.ClickTarget(option.label, "switch", is_checked=True)
    label = f"{option.label}: {option.about}" if option.about else option.label
    return render.ClickTarget(label, "open", option.href, mark=mark, changes=option.changes)


def _replacement_targets(
    form_context: MoveFormContext, state: MoveBuilderState, answers: tuple[str, ...]
) -> dict[str, render.ClickTarget]:
    """Return the other cells of the previous question; a click on one replaces the last answer."""
    previous = undo_last_choice(state.start, answers)
    choice = None if previous is None else apply_answers(state.start, previous).choice
    if previous is None or choice is None or choice.multiple or not _can_replace(state):
        return {}
    return {
        cell: render.ClickTarget(
            form_context.texts.plain("web.ask.instead", cell=cell),
            "instead",
            form_context.href((*previous, cell)),
        )
        for cell in choice.options
        if is_cell(cell)
    }


def _can_replace(state: MoveBuilderState) -> bool:
    """Whether the last answer can be replaced on the board: only while a target is chosen."""
    return state.choice is not None and state.choice.kind is SelectionKind.TARGET


def parse_number(value: object) -> int:
    """Parse a number of a URL or form; return -1 for anything else."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() and len(text) < MAX_NUMBER_LENGTH else -1
