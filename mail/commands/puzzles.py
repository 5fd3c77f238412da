"""Puzzles by mail: one for each day, others that are asked for, and answers to both.

The reply address says which puzzle a mail is about and how many of its turns are found, so nothing is stored
but the first attempt, as everywhere else, and which puzzles were sent.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.game import GameError
from i18n import puzzle_texts
from i18n.formatting import format_turn
from i18n.refusals import format_game_error
from i18n.writing import Code, Moment, TimeOfDay
from mail.commands.states import split_lines
from mail.commands.values import Answer
from mail.puzzles import describe_puzzle
from matches import PuzzleChoice, PuzzleStep, PuzzleVerdict, Refusal, parse_time_of_day
from matches.puzzles.solving import follow_turns
from move_builder import split_moves

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mail.commands.task import Task
    from matches import StoredPuzzle

DAILY, OFF = "daily", "off"  # what can follow the command besides a game


async def begin(task: Task) -> Answer:
    """Answer with a puzzle, or switch that of each day on or off.

    Raises `too_many_puzzles_asked`, `no_puzzle_left`, `time_of_day_unreadable`, `puzzle_mail_no_address`.
    """
    word, _, rest = task.argument.partition(" ")
    if word == DAILY:
        return await _switch_on(task, rest)
    if word == OFF:
        await task.matches.puzzle_mails.switch_off(task.account)
        return Answer(
            task.texts("puzzle_mail.off"), (task.texts("puzzle_mail.off_how", command=_daily(task)),)
        )
    choice = PuzzleChoice(_find_game(task))
    stored = await task.matches.puzzle_mails.ask(task.person, choice, now=task.now)
    if stored is None:
        raise Refusal("no_puzzle_left")
    title = task.texts("web.puzzles.of", game=task.texts(f"game.{stored.puzzle.game.name}.name"))
    return _ask(task, stored, PuzzleStep(stored.key), title)


async def try_turn(task: Task, words: Sequence[str]) -> Answer:
    """Judge a turn; the first attempt is rated. Raises `puzzle_unknown`, `puzzle_withdrawn`."""
    stored, step = await load(task)
    turns = [*step.found_turns(stored.puzzle), " ".join(words)]
    try:
        result = await task.matches.puzzles.attempt(stored.key, task.person, turns, now=task.now)
    except GameError as error:
        said = format_game_error(task.texts, error)
        return _ask(task, stored, step, task.texts("mail.reply.not_done"), (said,))
    progress = result.progress
    last = puzzle_texts.format_last_turn(task.texts, progress, format_turn)
    if progress.verdict is PuzzleVerdict.OPEN:
        said = task.texts("puzzle.reply", turn=last)
        following = PuzzleStep(stored.key, len(progress.found))
        return _ask(task, stored, following, task.texts("puzzle.right"), (said,))
    figures = await _format_figures(task, stored, is_new=result.is_new)
    if progress.verdict is PuzzleVerdict.WRONG:
        said = task.texts("puzzle.not_that", turn=last)
        return _ask(task, stored, step, task.texts("puzzle.wrong"), (said, figures))
    return _end(task, stored, task.texts("puzzle.solved"), (last, figures))


async def show_hint(task: Task) -> Answer:
    """Answer with a hint, which ends a first attempt. Raises `puzzle_unknown`, `puzzle_withdrawn`."""
    stored, step = await load(task)
    if step.is_over(stored.puzzle):
        return await show_board(task)
    await task.matches.puzzles.reveal(stored.key, task.person, now=task.now)
    progress = follow_turns(stored.puzzle, step.found_turns(stored.puzzle))
    hint = puzzle_texts.format_hint(task.texts, stored, progress)
    return _ask(task, stored, step, task.texts("puzzle_mail.hint"), (hint,))


async def show_solution(task: Task) -> Answer:
    """Answer with the solution, which ends a first attempt. Raises `puzzle_unknown`, `puzzle_withdrawn`."""
    stored, _ = await load(task)
    await task.matches.puzzles.reveal(stored.key, task.person, now=task.now)
    lines = puzzle_texts.format_solution(task.texts, stored, format_turn)
    figures = await _format_figures(task, stored, is_new=False)
    return _end(task, stored, task.texts("puzzle_mail.solution"), (*lines, figures))


async def ask_again(task: Task, title: str, lines: Iterable[str] = ()) -> Answer:
    """Ask for the turn again, after some lines. Raises `puzzle_unknown`, `puzzle_withdrawn`."""
    stored, step = await load(task)
    return _ask(task, stored, step, title, lines)


async def show_board(task: Task) -> Answer:
    """Answer with the board and the task. Raises `puzzle_unknown`, `puzzle_withdrawn`."""
    stored, step = await load(task)
    title = task.texts("web.puzzles.of", game=task.texts(f"game.{stored.puzzle.game.name}.name"))
    return _ask(task, stored, step, title)


async def try_text(task: Task, text: str) -> Answer:
    """Try a typed line that could not be read, so that the answer says why."""
    stored, step = await load(task)
    return await try_turn(task, step.position(stored.puzzle).resolve_words(split_moves(text)))


async def load(task: Task) -> tuple[StoredPuzzle, PuzzleStep]:
    """Return the puzzle that a mail answers, and where the person is.

    Raises `puzzle_unknown`, `puzzle_withdrawn`.
    """
    step = task.request.puzzle
    if step is None:
        raise Refusal("puzzle_unknown")
    return await task.matches.puzzles.get(step.key), step


async def _switch_on(task: Task, typed: str) -> Answer:
    at = parse_time_of_day(typed) if typed else None
    mails = await task.matches.puzzle_mails.switch_on(task.person, at, now=task.now)
    texts = task.texts
    zone = (await task.matches.people.preferences.get(task.account)).zone
    lines = [texts("puzzle_mail.on_about", time=TimeOfDay(mails.at), zone=zone)]
    if mails.next_at is not None:
        lines.append(texts("puzzle_mail.next", when=Moment(mails.next_at)))
    lines.append(texts("puzzle_mail.on_how", command=Code(texts("answer_word.puzzle_off"))))
    return Answer(texts("puzzle_mail.on"), tuple(lines))


def _daily(task: Task) -> Code:
    return Code(task.texts("answer_word.puzzle_daily"))


def _find_game(task: Task) -> str:
    """Return the key of the game that is named; empty for any."""
    named = task.argument.casefold()
    names = {task.texts.plain(f"game.{key}.name").casefold(): key for key in task.context.games}
    return named if named in task.context.games else names.get(named, "")


async def _format_figures(task: Task, stored: StoredPuzzle, *, is_new: bool) -> str:
    """Return what the first attempt did to the rating; empty for a player of the puzzle's match."""
    puzzles = task.matches.puzzles
    stored = await puzzles.get(stored.key)  # with this attempt
    attempt = await puzzles.find_attempt(stored.key, task.account)
    if attempt is None:
        return ""
    rating = await puzzles.find_rating(task.account, stored.puzzle.game.name)
    return puzzle_texts.format_figures(task.texts, stored, attempt, rating, is_new=is_new)


def _ask(task: Task, stored: StoredPuzzle, step: PuzzleStep, title: str, lines: Iterable[str] = ()) -> Answer:
    """Return the task of a puzzle, after some lines, with its board; how it ended if all turns are found."""
    if step.is_over(stored.puzzle):
        return _end(task, stored, title, lines)
    asked = describe_puzzle(task.texts, stored, step)
    return Answer(title, _split((*lines, *asked)), puzzle=step)


def _end(task: Task, stored: StoredPuzzle, title: str, lines: Iterable[str]) -> Answer:
    """Return what is said when a puzzle is over, with its last board."""
    more = task.texts("puzzle_mail.another", command=Code(task.texts("answer_word.puzzle")))
    step = PuzzleStep(stored.key, stored.puzzle.solver_turns)
    return Answer(title, _split((*lines, more)), puzzle=step)


def _split(lines: Iterable[str]) -> tuple[str, ...]:
    return tuple(split_lines(line for line in lines if line))
