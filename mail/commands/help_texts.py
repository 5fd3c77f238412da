"""What one can write: in the situation of a mail, and to the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.match_names import format_match_name
from mail.commands.states import split_lines
from mail.commands.values import Answer
from matches import MatchState

if TYPE_CHECKING:
    from mail.commands.task import Task

SECTIONS = ("match", "offers", "time", "private", "server", "puzzles")


async def show_help(task: Task) -> Answer:
    """Return what one can write; with a match the answer also says what is possible there now."""
    texts = task.texts
    lines = [texts(f"mail.reply.help.{section}") for section in SECTIONS]
    title = texts("mail.reply.help.title")
    request = task.request
    if request.challenge is not None:
        return Answer(title, tuple(split_lines(lines)), challenge=request.challenge)
    if request.match is None:
        return Answer(title, tuple(split_lines([*lines, texts("mail.reply.help.number")])))
    view = await task.load_view()
    if view.state is MatchState.OVER:
        lines.insert(
            0, texts("mail.reply.help.over", match_name=format_match_name(texts, view, task.account))
        )
    return Answer(title, tuple(split_lines(lines)), match=view.id, revision=view.revision)
