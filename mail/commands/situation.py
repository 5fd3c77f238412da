"""What a mail is about, before its words are read: the match that it names, and its present board."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mail.mistakes import load_board
from matches import MatchId, MatchUnknown, Refusal

if TYPE_CHECKING:
    from datetime import datetime

    from engine.game import Position
    from mail.context import MailContext
    from mail.reading.values import Paragraphs
    from matches import Person, PuzzleStep

MAX_LINE = 200  # characters of a line in which the number of a match is looked for
_NUMBER_FIRST = re.compile(
    r"(?:(?:match|game)[ ]{0,2}#?[ ]?|#)([0-9]{1,12})(?![0-9.])[ ]?[:,]?[ ]?", re.IGNORECASE
)
_NUMBER_LAST = re.compile(r"(.{1,180}?)[ ](?:(?:in )?match[ ]?#?|#)([0-9]{1,12})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Situation:
    """The match that is meant, at the board that the sender saw, and what was typed without its number.

    `position` is the present board, without the moves of an unfinished turn, which can be replaced by a whole
    one; None if there is none, or the person does not play there. In answer to the task of a `mistake`, the
    number of a turn, it is the board before that, and in answer to a `puzzle` that of its next turn.
    """

    paragraphs: Paragraphs
    match: MatchId | None = None
    revision: int | None = None
    position: Position | None = None
    mistake: int | None = None
    puzzle: PuzzleStep | None = None


async def find_situation(
    context: MailContext,
    person: Person,
    paragraphs: Paragraphs,
    *,
    match: MatchId | None = None,
    revision: int | None = None,
    mistake: int | None = None,
    puzzle: PuzzleStep | None = None,
    now: datetime,
) -> Situation:
    """Return what a mail is about; what is named here is that of the reply address.

    A match that is named by its number, as in ``#12 resign``, counts more. At the plain address without a
    number it is the only match that waits for the person, or the only one that is under way.
    """
    number, typed = split_number(paragraphs)
    if number is not None and number != match:
        match, revision, mistake, puzzle = number, None, None, None
    elif puzzle is not None:
        return Situation(typed, position=await _find_board(context, puzzle), puzzle=puzzle)
    elif number is None and match is None:
        match = await _find_only_match(context, person)
    position = None
    if match is not None and mistake is not None:
        board = await load_board(context.matches, match, mistake, person.account, now=now)
        return Situation(typed, match, None, board.position, mistake)
    if match is not None:
        try:
            view = await context.matches.view(match, readers=(person.account,), now=now)
        except MatchUnknown:
            view = None
        if view is not None and view.seat(person.account) is not None and view.result is None:
            position = view.turn_start if view.unfinished_moves else view.position
    return Situation(typed, match, revision, position)


async def _find_board(context: MailContext, step: PuzzleStep) -> Position | None:
    """Return the board of the next turn of a puzzle, None if it is over, or nobody gets it any more."""
    try:
        puzzle = (await context.matches.puzzles.get(step.key)).puzzle
    except Refusal:
        return None
    return None if step.is_over(puzzle) else step.position(puzzle)


def split_number(paragraphs: Paragraphs) -> tuple[MatchId | None, Paragraphs]:
    """Return the match that the first line names, and what was typed without its number.

    It is ``#12 MOVE``, ``match 12 resign`` or ``resign #12``. A number alone asks for the board.
    """
    if not paragraphs or not paragraphs[0] or len(paragraphs[0][0]) > MAX_LINE:
        return None, paragraphs
    line = " ".join(paragraphs[0][0].split())
    first = _NUMBER_FIRST.match(line)
    if first is not None:
        rest, number = line[first.end() :] or "board", int(first[1])
    else:
        last = _NUMBER_LAST.fullmatch(line)
        if last is None:
            return None, paragraphs
        rest, number = last[1], int(last[2])
    return MatchId(number), ((rest, *paragraphs[0][1:]), *paragraphs[1:])


async def _find_only_match(context: MailContext, person: Person) -> MatchId | None:
    awaiting = await context.matches.views.list_awaiting(person)
    found = awaiting or await context.matches.views.list_active_of(person, None)
    return found[0].id if len(found) == 1 else None
