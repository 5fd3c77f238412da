"""What is said about a puzzle: the task, a hint, what a turn did, the solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.formatting import describe_option, format_side

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from engine.game import Event, Side
    from i18n import Texts
    from matches.puzzles.values import Attempt, Progress, SolverRating, StoredPuzzle

    DescribeTurn = Callable[[Texts, str, Side, Sequence[Event]], str]

PROVISIONAL = "?"  # after a rating that is still uncertain


def format_task(texts: Texts, stored: StoredPuzzle) -> str:
    """Return what is to be found: a win in so many turns, or the best turn."""
    puzzle = stored.puzzle
    side = format_side(texts, puzzle.solver)
    if puzzle.wins_in:
        return texts("puzzle.win", side=side, count=puzzle.wins_in)
    return texts("puzzle.best", side=side)


def format_rules(texts: Texts, stored: StoredPuzzle) -> str:
    """Return the options of the game that hold on the board, and what they mean; empty if there are none."""
    start = stored.puzzle.start
    described = [describe_option(texts, start.game.name, *option) for option in start.options.items()]
    return texts.join(described, "list.dot") if described else ""


def format_last_turn(texts: Texts, progress: Progress, describe_turn: DescribeTurn) -> str:
    """Return what the last turn on the board did; empty at the start."""
    before = progress.before
    if before is None or before.to_move is None:
        return ""
    return describe_turn(texts, before.vocabulary, before.to_move, progress.events)


def format_solution(texts: Texts, stored: StoredPuzzle, describe_turn: DescribeTurn) -> list[str]:
    """Return each turn of the line as text."""
    position, lines = stored.puzzle.start, []
    for text in stored.puzzle.line:
        move, side = position.parse(text), position.to_move
        if side is not None:
            lines.append(describe_turn(texts, position.vocabulary, side, position.events(move)))
        position = position.play(move)
    return lines


def list_theme_names(texts: Texts, vocabulary: str, themes: Sequence[str]) -> list[tuple[str, str]]:
    """Return the key and the name of each theme that has a name."""
    named = (one for one in themes if texts.has_for_game(vocabulary, f"theme.{one}"))
    return [(one, texts.for_game(vocabulary, f"theme.{one}")) for one in named]


def format_hint(texts: Texts, stored: StoredPuzzle, progress: Progress) -> str:
    """Return a hint for the next turn: what the puzzle is about, or else where the turn begins."""
    names = list_theme_names(texts, stored.puzzle.start.vocabulary, stored.puzzle.themes)
    if names:
        return texts("puzzle.hint", themes=texts.join([name for _, name in names]))
    move = progress.position.parse(stored.puzzle.line[progress.step])
    cells = next((event.cells for event in progress.position.events(move) if event.cells), ())
    return texts("puzzle.look", cell=cells[0]) if cells else format_task(texts, stored)


def format_points(rating: float, *, is_provisional: bool) -> str:
    """Return a rating as whole points."""
    return f"{rating:.0f}{PROVISIONAL if is_provisional else ''}"


def format_figures(
    texts: Texts, stored: StoredPuzzle, attempt: Attempt | None, rating: SolverRating | None, *, is_new: bool
) -> str:
    """Return what an attempt that has ended did to the rating, and how others fared; else what counts.

    `rating` is the solver's at the puzzles of the game.
    """
    if attempt is None:
        return texts("puzzle_post.costs")
    change = f"{attempt.after - attempt.before:+d}".replace("-", "\u2212")
    return texts(
        "puzzle_post.rated" if is_new else "puzzle_post.rated_before",
        rating=format_points(attempt.after, is_provisional=rating is not None and rating.is_provisional),
        change=change,
        puzzle=format_points(stored.rating.rating, is_provisional=stored.is_provisional),
        solved=stored.solved,
        count=stored.solved + stored.failed,
    )
