"""The text of the private message of a puzzle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.features.puzzles.state import HINT, SOLUTION
from bot.ui.markdown import hide
from i18n import puzzle_texts
from i18n.formatting import format_turn
from i18n.writing import Code, Url
from matches import PuzzleVerdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bot.features.puzzles.state import PuzzleState
    from i18n import Texts
    from matches import Progress, StoredPuzzle


MAX_SOLUTION = 400  # characters of the turns in words; a longer solution is shown as moves


def format_heading(texts: Texts, stored: StoredPuzzle) -> str:
    """Return the game and what is to be found."""
    return texts(
        "puzzle_post.heading",
        game=texts(f"game.{stored.puzzle.game.name}.name"),
        task=puzzle_texts.format_task(texts, stored),
    )


def format_rules(texts: Texts, stored: StoredPuzzle) -> str:
    """Return the options of the game that hold on the board; empty if there are none."""
    rules = puzzle_texts.format_rules(texts, stored)
    return texts("puzzle_post.rules", rules=rules) if rules else ""


def format_daily_heading(texts: Texts, stored: StoredPuzzle) -> str:
    """Return the game of a daily puzzle and what is to be found."""
    return texts(
        "daily_puzzle.heading",
        game=texts(f"game.{stored.puzzle.game.name}.name"),
        task=puzzle_texts.format_task(texts, stored),
    )


def format_past_post(
    texts: Texts, stored: StoredPuzzle, url: str, names: Sequence[str], count: int
) -> Iterator[str]:
    """Yield the solution of a daily puzzle, hidden, with a link to its post; then who has solved it.

    Those are `count` people, some of whom have `names`.
    """
    solution = texts.join(puzzle_texts.format_solution(texts, stored, format_turn), "list.then")
    if len(solution) > MAX_SOLUTION:
        solution = texts.join(map(Code, stored.puzzle.line), "list.then")
    yield texts("daily_puzzle.last", url=Url(url), solution=hide(solution))
    more = count - len(names)
    if more:
        yield texts("daily_puzzle.solved_more", names=texts.join(names, "list.comma"), count=more)
    elif names:
        yield texts("daily_puzzle.solved", names=texts.join(names))


def format_state(
    texts: Texts, stored: StoredPuzzle, progress: Progress, state: PuzzleState, question: str
) -> Iterator[str]:
    """Yield the lines below the heading: the open question with what was asked for, or the verdict."""
    last = puzzle_texts.format_last_turn(texts, progress, format_turn)
    if progress.verdict is PuzzleVerdict.SOLVED:
        yield texts("puzzle_post.solved", turn=last)
    elif state.shown == SOLUTION:
        turns = puzzle_texts.format_solution(texts, stored, format_turn)
        yield texts("puzzle_post.solution", turns=texts.join(turns, "list.lines"))
    elif progress.verdict is PuzzleVerdict.WRONG:
        yield texts("puzzle_post.wrong", turn=last)
    else:
        if last:
            yield texts("puzzle_post.right", turn=last)
        if state.shown == HINT:
            yield texts("learn.hint", hint=puzzle_texts.format_hint(texts, stored, progress))
        yield texts("learn.question", question=question)
