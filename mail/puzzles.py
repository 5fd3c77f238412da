"""What mails about puzzles show: the board, the sentences of the task, and how to answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n import puzzle_texts
from i18n.writing import Code
from mail.boards import draw_puzzle
from mail.message import Content, Link, Part, unsubscribe_headers
from mail.writing import texts_for
from matches import PuzzleStep, Refusal

if TYPE_CHECKING:
    from i18n import Texts
    from mail.context import MailContext
    from matches import Preferences, StoredPuzzle
    from matches.posting.letters import Letter


def describe_puzzle(texts: Texts, stored: StoredPuzzle, step: PuzzleStep) -> tuple[str, ...]:
    """Return the sentences of the task: what is to be found, by which rules, and what counts.

    The example is a turn that is not right.
    """
    example = _find_example(stored, step)
    lines = (
        puzzle_texts.format_task(texts, stored),
        puzzle_texts.format_rules(texts, stored),
        texts("puzzle_mail.how", example=Code(example)) if example else texts("puzzle_mail.how_short"),
    )
    return tuple(line for line in lines if line)


def describe_puzzle_answers(texts: Texts) -> str:
    """Return what else than a turn can be answered."""
    hint, solution = Code(texts("answer_word.hint")), Code(texts("answer_word.solution"))
    return texts("puzzle_mail.answers", hint=hint, solution=solution)


async def show_puzzle(
    context: MailContext,
    texts: Texts,
    part: Part,
    step: PuzzleStep,
    account: str,
    preferences: Preferences,
) -> tuple[Part, str | None]:
    """Return a part with the board of a puzzle, and where it is answered; without one if it was withdrawn."""
    reply_to = context.plain_reply_to
    try:
        stored = await context.matches.puzzles.get(step.key)
    except Refusal:
        return part, reply_to
    board = await draw_puzzle(context, texts, stored, step, preferences)
    link = Link(texts("puzzle_mail.open"), context.links.puzzle_url(step.key))
    answers = ""
    if context.replies is not None and not step.is_over(stored.puzzle):
        reply_to = context.replies.puzzle_address(step, account)
        answers = describe_puzzle_answers(texts)
    return Part(part.title, part.lines, link, board, answers=answers), reply_to


async def describe_daily_puzzle(context: MailContext, letter: Letter) -> Content | None:
    """Return the mail with the puzzle of a day; None if the person wants none, or nobody gets this one."""
    account, step = letter.account or "", PuzzleStep(str(letter.details["puzzle"]))
    preferences = await context.matches.people.preferences.get(account)
    is_last = bool(letter.details["is_last"])
    if not await context.matches.puzzle_mails.is_wanted(account, letter.address, is_last=is_last):
        return None
    try:
        stored = await context.matches.puzzles.get(step.key)
    except Refusal:
        return None
    texts = texts_for(context.texts, preferences.zone)
    game = texts(f"game.{stored.puzzle.game.name}.name")
    lines: tuple[str, ...] = (
        puzzle_texts.format_task(texts, stored),
        puzzle_texts.format_rules(texts, stored),
    )
    if context.replies is not None:
        lines = describe_puzzle(texts, stored, step)
    if is_last:
        command = Code(texts("answer_word.puzzle_daily"))
        lines = (*lines, texts("puzzle_mail.last", command=command))
    title = texts("puzzle_mail.title", game=game)
    part = Part(title, tuple(line for line in lines if line))
    part, reply_to = await show_puzzle(context, texts, part, step, account, preferences)
    stop = context.links.puzzle_stop_url(account)
    return Content(
        subject=title,
        parts=(part,),
        foot=(texts("puzzle_mail.why"),),
        foot_links=(
            Link(texts("mail.notices.choose"), context.links.notices_url()),
            Link(texts("puzzle_mail.stop"), stop),
        ),
        reply_to=reply_to,
        headers={"List-Id": f"<puzzles.{context.sender.domain}>", **unsubscribe_headers(stop)},
    )


def _find_example(stored: StoredPuzzle, step: PuzzleStep) -> str:
    """Return a legal turn that is not right, as one types it; empty if there is none."""
    puzzle, number = stored.puzzle, 2 * step.found
    if step.is_over(puzzle):
        return ""
    position = puzzle.position_at(number)
    wanted, example = position.play(position.parse(puzzle.line[number])), position.example_move
    if not puzzle.is_answer(number, example):
        return example
    others = (move for move in position.legal_moves() if position.play(move) != wanted)
    return next((str(move) for move in others if not puzzle.is_answer(number, move)), "")
