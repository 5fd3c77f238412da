"""Following the turns of a solver, from the first one on; a front end keeps them and nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches.puzzles.values import Progress, PuzzleVerdict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.puzzle import Puzzle


def follow_turns(puzzle: Puzzle, turns: Sequence[str]) -> Progress:
    """Return how far somebody is who played these turns; each is a move as typed.

    What follows a wrong turn, or the last right one, is ignored. Raises GameError for a move that is not
    legal.
    """
    found: tuple[str, ...] = ()
    progress = Progress(PuzzleVerdict.OPEN, (), puzzle.start)
    for text in turns:
        if progress.verdict is not PuzzleVerdict.OPEN:
            break
        position, step = progress.position, progress.step
        move = position.parse(text)
        after, events = position.play(move), position.events(move)
        if not puzzle.is_answer(step, move):
            return Progress(PuzzleVerdict.WRONG, found, after, events, position, str(move))
        found = (*found, str(move))
        if step + 1 == len(puzzle.line):
            progress = Progress(PuzzleVerdict.SOLVED, found, after, events, position)
        else:
            reply = after.parse(puzzle.line[step + 1])
            progress = Progress(PuzzleVerdict.OPEN, found, after.play(reply), after.events(reply), after)
    return progress
