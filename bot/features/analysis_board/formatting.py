"""The texts of an analysis message: the game, the line so far and the open question."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n import formatting, match_texts
from i18n.match_names import format_game_and_number

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bot.features.analysis_board.context import AnalysisContext
    from bot.ui.move_menu import PickMenuBuilder
    from i18n import Texts
    from matches.conditionals import ConditionalMoves, LineTurn

MAX_MOVES_SHOWN = 40  # of the line, before and after the position on display


def format_analysis(
    texts: Texts, context: AnalysisContext, builder: PickMenuBuilder | None, note: str
) -> str:
    """Return the whole text. `builder` describes the open question; None if the game is over."""
    if context.state.is_conditional and context.saved is not None:
        lines = (
            *_conditional_lines(texts, context, context.saved),
            _format_question(texts, context, builder),
        )
    else:
        lines = (*_what_if_lines(texts, context), _format_question(texts, context, builder))
    footer_key = "conditional.foot" if context.state.is_conditional else "analysis.foot"
    return texts.join([line for line in (*lines, note, texts(footer_key)) if line], "list.lines")


def format_alt_text(texts: Texts, context: AnalysisContext, diagram: str) -> str:
    """Describe the picture in plain text."""
    line = " ".join(move.text for move in context.moves)
    return texts.plain("analysis.alt" if line else "analysis.alt_start", line=line, diagram=diagram)


def format_line_turn(texts: Texts, line_turn: LineTurn) -> str:
    """Describe one turn of a conditional line."""
    return formatting.format_conditional_turn(
        texts, line_turn.board_after.position.vocabulary, line_turn.side, line_turn.events
    )


def _what_if_lines(texts: Texts, context: AnalysisContext) -> Iterable[str]:
    start_turn, state = context.start_turn, context.state
    title_key = "analysis.match" if context.replay.match is not None else "analysis.record"
    yield texts(
        title_key,
        match_name=format_game_and_number(texts, context.replay.game, state.replay_state.number),
        number=state.replay_state.number,
        turn=start_turn.number,
        turns=context.replay.turn_count,
        **match_texts.seat_values(texts, start_turn.seats),
    )
    played, ahead = state.moves_in_view[-MAX_MOVES_SHOWN:], state.line[state.cursor :][:MAX_MOVES_SHOWN]
    if not state.line:
        yield texts("analysis.nothing")
    elif not ahead:
        yield texts("analysis.line", played=" ".join(played))
    elif not played:
        yield texts("analysis.ahead", ahead=" ".join(ahead))
    else:
        yield texts("analysis.both", played=" ".join(played), ahead=" ".join(ahead))


def _conditional_lines(texts: Texts, context: AnalysisContext, saved: ConditionalMoves) -> Iterable[str]:
    seat = next(seat for seat in context.replay.turns[-1].seats if seat.side is not saved.board.side)
    yield texts(
        "conditional.title",
        match_name=format_game_and_number(texts, context.replay.game, saved.match),
        name=seat.person,
        side=formatting.format_side(texts, seat.side),
    )
    turns = [
        texts("conditional.own" if step.is_own else "conditional.theirs", turn=format_line_turn(texts, step))
        for step in context.line_turns(saved)
    ]
    if turns:
        yield texts.join(turns, "list.then")
    if context.unfinished_turn:
        yield texts("conditional.begun", cells=texts.join(context.unfinished_turn))
    if context.is_saved(saved):
        yield texts("conditional.saved")


def _format_question(texts: Texts, context: AnalysisContext, builder: PickMenuBuilder | None) -> str:
    """Ask for the next move, or state how the game ended."""
    position, state = context.position, context.state
    if state.resigns:
        return ""
    if builder is None or position.to_move is None:
        winner = position.outcome.winner if position.outcome else None
        if winner is None:
            return texts("analysis.drawn")
        return texts("analysis.won", side=formatting.format_side(texts, winner))
    if state.answers or state.group:
        return builder.format_question(texts)
    key = "analysis.ask"
    if state.is_conditional and context.saved is not None:
        is_own_turn = context.future_board(context.saved).is_own_turn
        key = "conditional.ask_own" if is_own_turn else "conditional.ask_theirs"
    return texts(key, side=formatting.format_side(texts, position.to_move), count=position.moves_due)
