"""The lines of a mail of ours that a reply may quote without any mark."""

from __future__ import annotations

from typing import TYPE_CHECKING

import render
from i18n.match_texts import describe_pieces
from mail.mistakes import describe_mistake
from mail.possible_answers import describe_match_answers
from mail.puzzles import describe_puzzle, describe_puzzle_answers
from mail.writing import texts_for

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Event, Position
    from i18n import Texts
    from mail.context import MailContext
    from matches import MatchView, Mistake, PuzzleStep, StoredPuzzle


def list_sent_lines(
    context: MailContext, view: MatchView, account: str, zone: str, mistake: Mistake | None = None
) -> list[str]:
    """Return what a mail to an account about a view says, or about a mistake there.

    That is all but its title, which is the subject, and what was said of the turn that it answers.
    """
    texts, position = texts_for(context.texts, zone), view.position
    lines = [describe_match_answers(texts, view, context.games[view.game], account)]
    if mistake is not None:
        lines += describe_mistake(texts, mistake)
    if position is not None:
        lines += _list_board_lines(texts, position, view.latest_events)
    return [line for line in lines if line.strip()]


def list_puzzle_lines(context: MailContext, stored: StoredPuzzle, step: PuzzleStep, zone: str) -> list[str]:
    """Return what a mail that asks for the next turn of a puzzle says."""
    texts, puzzle = texts_for(context.texts, zone), stored.puzzle
    lines = [*describe_puzzle(texts, stored, step), describe_puzzle_answers(texts)]
    lines += _list_board_lines(texts, step.position(puzzle), ())
    return [line for line in lines if line.strip()]


def _list_board_lines(texts: Texts, position: Position, last_turn: Sequence[Event]) -> list[str]:
    options = render.RenderOptions(texts, last_turn=tuple(last_turn))
    diagram = render.to_text(render.build_scene(position, options))
    return [*describe_pieces(texts, position), texts("mail.board.whole"), *diagram.splitlines()]
