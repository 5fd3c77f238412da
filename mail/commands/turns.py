"""Turns by mail: moves, the placements of a set-up run, and picks of a simultaneous choice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.match_names import format_match_name
from i18n.match_texts import describe_pick, format_played_turn
from i18n.typed_values import find_value
from mail.commands.states import answer_about, describe_own_copy
from matches import MatchState, Refusal, StaleBoard
from move_builder import split_moves

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.game import Game
    from i18n import Texts
    from mail.commands.task import Task
    from mail.commands.values import Answer
    from matches import MatchUpdate, MatchView

MAX_TURN_LENGTH = 400  # characters of a typed turn


async def play(task: Task, words: Sequence[str]) -> Answer:
    """Play a turn, or make a pick while the match waits for picks.

    An incomplete set-up run is saved. Raises what :meth:`matches.Matches.play` and
    :meth:`matches.Matches.pick` raise.
    """
    view = await task.load_view()
    if view.state is MatchState.CHOOSING:
        return await _pick(task, view, " ".join(words))
    update = await task.matches.play(
        view.id, task.person, words, seen_revision=task.request.revision, now=task.now
    )
    return _answer_turn(task, update)


async def play_text(task: Task, text: str) -> Answer:
    """Play a typed line that could not be read on the present board, so that the refusal says why."""
    return await play(task, split_moves(text[:MAX_TURN_LENGTH]))


async def check_turn(task: Task, view: MatchView) -> None:
    """Raise StaleBoard, `not_your_turn` or `match_over` if a turn cannot be played from the mail at all."""
    if view.state is MatchState.OVER:
        raise Refusal("match_over", match=view.id)
    seen = task.request.revision
    if seen is not None and seen not in {view.revision, view.revision + len(view.unfinished_moves)}:
        raise StaleBoard(match=view.id)
    if view.to_move is not None and view.to_move.person.account != task.account:
        raise Refusal("not_your_turn", match=view.id, name=view.to_move.person)


def find_pick(texts: Texts, game: Game, typed: str) -> str:
    """Return the pick that is typed as its letters, its name or what it stands for.

    Raises `invalid_pick_named`.
    """
    picks = () if game.simultaneous_choice is None else game.simultaneous_choice.picks
    described = {pick: describe_pick(texts.plain, game, pick) for pick in picks}
    for part in ("name", "value"):
        found = find_value([(values[part], pick) for pick, values in described.items()], typed)
        if found is not None:
            return found
    raise Refusal("invalid_pick_named", text=typed, picks=picks)


async def _pick(task: Task, view: MatchView, typed: str) -> Answer:
    game, texts = task.game_of(view), task.texts
    if not any(person.account == task.account for person in view.waits_for):
        raise Refusal("already_picked", match=view.id)
    pick = find_pick(texts, game, typed)
    update = await task.matches.pick(view.id, task.person, pick, now=task.now)
    opponent = view.opponent(task.account)
    is_last = update.announcement is not None
    said = texts.for_game(
        game.name,
        "choice.picked_last" if is_last else "choice.picked",
        opponent="" if opponent is None else opponent.person,
        **describe_pick(texts, game, pick),
    )
    title = texts("mail.reply.picked", match_name=format_match_name(texts, view, task.account))
    shown = [] if update.announcement is None else describe_own_copy(task, update.announcement, update)[:1]
    return answer_about(task, update.match, title, (said, *shown))


def _answer_turn(task: Task, update: MatchUpdate) -> Answer:
    view, texts = update.match, task.texts
    if update.announcement is None:
        return answer_about(task, view, texts("mail.reply.saved"))
    first, *replies = (*view.preceding_turns, view.last_turn)
    title = texts("mail.reply.played", turn=format_played_turn(texts, first))
    lines = [
        texts("turn.replied", name=reply[-1].person, turn=format_played_turn(texts, reply))
        for reply in replies
    ]
    loser = None if view.result is None else view.result.loser
    if "resigned" in update.announcement.details and loser is not None:
        lines.append(texts("turn.replied_resigned", name=loser.person))
    return answer_about(task, view, title, lines, with_turn=False)
