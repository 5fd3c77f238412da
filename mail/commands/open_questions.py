"""Accepting, declining and withdrawing whatever is open where a mail was answered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from i18n.clocks import describe_terms
from i18n.match_names import format_game_and_number, format_match_name
from i18n.refusals import Formatted
from mail.commands.states import answer_about
from mail.commands.values import Answer
from mail.commands.words import find_word
from matches import ChallengeState, MatchState, Reader, Refusal
from matches.names import fold_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mail.commands.task import Task
    from matches import Challenge, MatchUpdate, MatchView

CHALLENGE, REMATCH, PAUSE = "challenge", "rematch", "pause"  # kinds besides those of offers
MAX_NAMED = 10  # questions that a mail lists


@dataclass(frozen=True, slots=True)
class OpenQuestion:
    """Something that waits for an answer, or is the person's own: a challenge, or an offer in a match."""

    kind: str
    challenge: Challenge | None = None
    view: MatchView | None = None


async def accept(task: Task) -> Answer:
    """Accept the only open question. Raises what the services raise, `nothing_open`, `several_open`."""
    question = await _choose(task, is_own=False)
    texts, now = task.texts, task.now
    if question.challenge is not None:
        has_link = task.request.challenge == question.challenge.id
        update = await task.matches.challenges.accept(
            question.challenge.id, task.person, has_link=has_link, now=now
        )
        name = format_match_name(texts, update.match, task.account)
        return answer_about(task, update.match, texts("mail.reply.started", match_name=name))
    update = await _answer_in_match(task, question, accept=True)
    return answer_about(task, update.match, texts(f"mail.reply.accepted.{question.kind}"))


async def decline(task: Task) -> Answer:
    """Decline the only open question. Raises as :func:`accept`."""
    question = await _choose(task, is_own=False)
    texts = task.texts
    if question.challenge is not None:
        closed = await task.matches.challenges.decline(question.challenge.id, task.person, now=task.now)
        return Answer(texts("mail.reply.declined.challenge", name=closed.challenge.by))
    update = await _answer_in_match(task, question, accept=False)
    return answer_about(task, update.match, texts(f"mail.reply.declined.{question.kind}"))


async def withdraw(task: Task) -> Answer:
    """Withdraw the only challenge or offer of the person's own. Raises as :func:`accept`."""
    question = await _choose(task, is_own=True)
    texts, person, now = task.texts, task.person, task.now
    if question.challenge is not None:
        await task.matches.challenges.withdraw(question.challenge.id, person, now=now)
        return Answer(texts("mail.reply.withdrawn_challenge"))
    view = _require_view(question)
    if question.kind == PAUSE:
        update = await task.matches.clocks.pauses.withdraw(view.id, person, now=now)
    elif view.pending_offer is None:
        raise Refusal("nothing_open")
    else:
        update = await task.matches.offers.withdraw(view.pending_offer.id, person, now=now)
    return answer_about(task, update.match, texts("offer.withdrawn"))


async def _answer_in_match(task: Task, question: OpenQuestion, *, accept: bool) -> MatchUpdate:
    view = _require_view(question)
    if question.kind == PAUSE:
        return await task.matches.clocks.pauses.answer(view.id, task.person, accept=accept, now=task.now)
    if view.pending_offer is None:
        raise Refusal("nothing_open")
    return await task.matches.offers.answer(view.pending_offer.id, task.person, accept=accept, now=task.now)


def _require_view(question: OpenQuestion) -> MatchView:
    if question.view is None:
        raise Refusal("nothing_open")
    return question.view


async def _choose(task: Task, *, is_own: bool) -> OpenQuestion:
    """Return the only question that fits the argument. Raises `nothing_open`, `several_open`."""
    found = await _find_all(task, is_own=is_own)
    if task.argument:
        found = [one for one in found if _is_meant(task, one)]
    if not found:
        raise Refusal("nothing_to_withdraw" if is_own else "nothing_open")
    if len(found) > 1:
        listed = task.texts.join([_describe(task, one) for one in found[:MAX_NAMED]], "list.or")
        raise Refusal("several_open", listed=Formatted(listed))
    return found[0]


async def _find_all(task: Task, *, is_own: bool) -> list[OpenQuestion]:
    """Return what is open in the thread of the mail; at the plain address everything."""
    request, found = task.request, list[OpenQuestion]()
    if request.challenge is not None:
        return await _find_challenge(task, is_own=is_own)
    if request.match is not None:
        view = await task.load_view()
        found += _list_offers(task, view, is_own=is_own)
    is_in_thread = request.revision is not None
    own = await task.matches.public_queries.list_own(Reader(frozenset({task.account})), now=task.now)
    for one in own.outgoing if is_own else own.incoming:
        is_rematch = one.challenge.rematch_of is not None
        if not is_in_thread or (is_rematch and one.challenge.rematch_of == request.match):
            found.append(OpenQuestion(REMATCH if is_rematch else CHALLENGE, challenge=one.challenge))
    return found


async def _find_challenge(task: Task, *, is_own: bool) -> list[OpenQuestion]:
    """Return the challenge of the reply address, in any state."""
    number = task.request.challenge
    shown = None
    if number is not None:
        shown = await task.matches.public_queries.find_for(
            number, Reader(frozenset({task.account})), has_link=True, now=task.now
        )
    if shown is None:
        raise Refusal("challenge_unknown")
    challenge = shown.challenge
    if challenge.state is ChallengeState.OPEN and shown.is_own is not is_own:
        raise Refusal("own_challenge" if shown.is_own else "nothing_to_withdraw")
    return [OpenQuestion(CHALLENGE, challenge=challenge)]


def _list_offers(task: Task, view: MatchView, *, is_own: bool) -> Iterator[OpenQuestion]:
    if view.state is MatchState.OVER:
        return
    pending = view.pending_offer
    if pending is not None and (pending.by.account == task.account) is is_own:
        yield OpenQuestion(pending.kind.value, view=view)
    by = None if view.time is None or view.time.paused else view.time.pause_offered_by
    if by is not None and (by.account == task.account) is is_own:
        yield OpenQuestion(PAUSE, view=view)


def _is_meant(task: Task, question: OpenQuestion) -> bool:
    """Return whether the argument is the kind of a question, or the name of who asks or is asked."""
    if find_word(task.texts, task.argument, (question.kind,)):
        return True
    challenge = question.challenge
    if challenge is None:
        return False
    other = challenge.by if challenge.by.account != task.account else challenge.to
    return other is not None and fold_name(other.name) == fold_name(task.argument.removeprefix("@"))


def _describe(task: Task, question: OpenQuestion) -> str:
    """Return what one types to name a question, and what it is."""
    texts, challenge = task.texts, question.challenge
    if challenge is None:
        return texts("mail.reply.open_offer", word=texts(f"answer_word.{question.kind}"))
    other = challenge.by if challenge.by.account != task.account else challenge.to
    if challenge.rematch_of is not None:
        match_name = format_game_and_number(texts, challenge.game, challenge.rematch_of)
        return texts("mail.reply.open_rematch", word=texts("answer_word.rematch"), match_name=match_name)
    return texts(
        "mail.reply.open_challenge",
        name=texts("mail.reply.games.anyone") if other is None else other,
        game=texts(f"game.{challenge.game}.name"),
        terms=describe_terms(texts, challenge.terms),
    )
