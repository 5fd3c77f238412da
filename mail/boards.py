"""The board of a match or a puzzle for a mail: as a picture, in words, and as lines of signs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING

import render
from i18n.match_texts import describe_pieces
from mail.message import Board
from matches import BoardOrientation
from metrics import Stage

if TYPE_CHECKING:
    from engine.game import Position, Side
    from i18n import Texts
    from mail.context import MailContext
    from matches import MatchView, Preferences, PuzzleStep, StoredPuzzle

PICTURE_WIDTH = 640  # pixels


async def draw_board(
    context: MailContext, texts: Texts, view: MatchView, account: str, preferences: Preferences
) -> Board | None:
    """Return the board of a view as an account wants to see it; None if there is none yet."""
    if view.position is None:
        return None
    seat = view.seat(account)
    options = _build_options(texts, preferences, None if seat is None else seat.side)
    options = replace(options, last_turn=view.latest_events, is_over=view.result is not None)
    return await _draw(context, texts, view.position, options)


async def draw_puzzle(
    context: MailContext, texts: Texts, stored: StoredPuzzle, step: PuzzleStep, preferences: Preferences
) -> Board:
    """Return the board of the next turn of a puzzle, or the last board, as a solver wants to see it."""
    puzzle = stored.puzzle
    number = min(2 * step.found, len(puzzle.line))
    options = _build_options(texts, preferences, puzzle.solver)
    if number:
        before = puzzle.position_at(number - 1)
        events = before.events(before.parse(puzzle.line[number - 1]))
        options = replace(options, last_turn=events)
    position = puzzle.position_at(number)
    return await _draw(context, texts, position, replace(options, is_over=position.to_move is None))


def _build_options(texts: Texts, preferences: Preferences, side: Side | None) -> render.RenderOptions:
    is_posted = preferences.orientation is BoardOrientation.POSTED
    return render.RenderOptions(
        texts,
        None if is_posted else side,
        render.ThemeName(preferences.theme),
        width=PICTURE_WIDTH,
        large_labels=preferences.large,
    )


async def _draw(
    context: MailContext, texts: Texts, position: Position, options: render.RenderOptions
) -> Board:
    def draw() -> tuple[bytes, str]:
        scene = render.build_scene(position, options)
        return render.to_png(scene), render.to_text(scene)

    with context.matches.metrics.time(Stage.PICTURE):
        png, diagram = await asyncio.to_thread(draw)
    # The last words keep a line with a single cell, which could be a move, from ending the text.
    description = (*describe_pieces(texts, position), texts("mail.board.whole"))
    return Board(png, description, diagram)
