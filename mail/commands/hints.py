"""Hints by mail: a good turn in a match against the computer, found on the server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.match_names import format_match_name
from i18n.writing import Code
from mail.commands.states import answer_about
from matches import MatchState, Refusal, is_computer

if TYPE_CHECKING:
    from mail.commands.task import Task
    from mail.commands.values import Answer
    from matches import MatchView


async def show_hint(task: Task) -> Answer:
    """Answer with a good turn.

    Raises `match_over`, `choice_pending`, `hint_for_computer`, `hint_rated`, `not_your_turn`, `no_hint`.
    """
    view = await task.load_view()
    _check(task, view)
    position = view.position
    if position is None:
        raise Refusal("choice_pending", match=view.id)
    is_known = task.game_of(view).rules_version == view.rules_version
    turn = await task.context.hints.find_turn(position) if is_known else ()
    if not turn:
        raise Refusal("no_hint", match=view.id)
    title = task.texts("mail.reply.hint", match_name=format_match_name(task.texts, view, task.account))
    return answer_about(task, view, title, (task.texts("mail.reply.hint_turn", turn=Code(" ".join(turn))),))


def _check(task: Task, view: MatchView) -> None:
    """Raise unless it is the person's turn, in an unrated match against the computer."""
    opponent = view.opponent(task.account)
    if view.state is MatchState.OVER:
        raise Refusal("match_over", match=view.id)
    if opponent is None or not is_computer(opponent.person.account):
        raise Refusal("hint_for_computer", match=view.id)
    if view.terms.rated:
        raise Refusal("hint_rated", match=view.id)
    if view.to_move is not None and view.to_move.person.account != task.account:
        raise Refusal("not_your_turn", match=view.id, name=view.to_move.person)
