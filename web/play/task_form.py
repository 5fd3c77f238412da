"""The move form of a task: the answers so far are in the URL of its page, and nothing is played."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import GameError
from i18n.refusals import format_game_error
from move_builder import apply_answers, parse_turn, split_moves
from web.play import move_form

if TYPE_CHECKING:
    from aiohttp import web

    from engine.game import Event, Move, Position, Side
    from web.context import WebContext
    from web.pages.view_options import ViewOptions
    from web.play.move_form import MoveForm

MAX_MOVE_TEXT = 200


def build_task_form(
    context: WebContext,
    request: web.Request,
    view_options: ViewOptions,
    start: Position,
    side: Side,
    last_events: tuple[Event, ...] = (),
) -> tuple[MoveForm, tuple[Move, ...], str]:
    """Return the form for `side` after the answers in the URL, the moves of a complete turn, and a notice.

    The notice says why what was typed is no turn. `last_events` are those of the turn before `start`.
    """
    form_context = move_form.MoveFormContext(
        texts=context.pages.texts,
        side=side,
        view_options=view_options,
        revision=0,
        last_events=last_events,
    )
    try:
        return *_read_form(request, form_context, start), ""
    except GameError as error:
        form = move_form.build_form(form_context, start, (), skips_forced=False)
        return form, (), format_game_error(context.texts, error)


def _read_form(
    request: web.Request, form_context: move_form.MoveFormContext, start: Position
) -> tuple[MoveForm, tuple[Move, ...]]:
    """Return the form after the answers in the URL, and the moves of a complete turn. Raises GameError."""
    query = request.query
    text = query.get("text", "")[:MAX_MOVE_TEXT]
    if len(split_moves(text)) == start.moves_due:
        state = parse_turn(start, text)
        return move_form.build_preview(form_context, state, text), state.moves
    answers = move_form.parse_answers(query.get("answers", ""))
    if "then" in query:
        answers = (*answers, *move_form.parse_answers(query["then"]))
    if "ticked" in query:
        answers = move_form.add_ticked_cells(start, answers, query.getall("take", []))
    # A learner chooses every stone and cell, also where there is only one to choose.
    form = move_form.build_form(form_context, start, answers, skips_forced=False)
    return form, apply_answers(start, answers).moves if form.is_complete else ()
