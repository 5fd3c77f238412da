"""Ending a match, and offers: resign, draw, end, takeback, abort, claim, rematch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.announcements import describe_challenge
from i18n.match_names import format_match_name
from i18n.writing import Moment, MomentStyle
from mail.commands.states import answer_about, split_lines
from mail.commands.values import Answer
from matches import (
    Challenge,
    ChallengeUpdate,
    MatchState,
    OfferKind,
    OfferPending,
    Refusal,
)
from matches.updates import AnnouncementKind

if TYPE_CHECKING:
    from mail.commands.task import Task
    from matches import MatchView


async def resign(task: Task) -> Answer:
    """Ask back; resign once the person is sure. Raises `match_over`, StaleBoard."""
    view = await task.load_view()
    texts, opponent = task.texts, view.opponent(task.account)
    match_name = format_match_name(texts, view, task.account)
    if view.state is MatchState.OVER:
        raise Refusal("match_over", match=view.id)
    if not task.is_sure:
        name = "" if opponent is None else opponent.person
        question = texts("resign.ask", match_name=match_name, opponent=name)
        return answer_about(task, view, question, (texts("mail.reply.resign_how"),))
    update = await task.matches.resign(
        view.id, task.person, seen_revision=task.request.revision, now=task.now
    )
    return answer_about(task, update.match, texts("mail.reply.resigned", match_name=match_name))


async def offer(task: Task, kind: OfferKind) -> Answer:
    """Make an offer, or accept the opponent's that comes to the same.

    A takeback in one's own unfinished turn takes the last placement back at once.
    Raises what :meth:`matches.offers.service.Offers.make` raises.
    """
    view = await task.load_view()
    texts, opponent = task.texts, view.opponent(task.account)
    name = "" if opponent is None else opponent.person
    if kind is OfferKind.TAKEBACK and view.unfinished_moves:
        undone = await task.matches.undo(view.id, task.person, now=task.now)
        return answer_about(task, undone.match, texts("mail.reply.undone"))
    try:
        update = await task.matches.offers.make(
            view.id, task.person, kind, seen_revision=task.request.revision, now=task.now
        )
    except OfferPending:
        values = {"match_name": format_match_name(texts, view, task.account)}
        return answer_about(task, view, texts("mail.reply.offer_open", **values), (texts("mail.reply.wait"),))
    made = update.announcement
    if made is None or made.kind is not AnnouncementKind.OFFERED:
        return answer_about(task, update.match, texts("mail.reply.agreed"))
    title = texts(f"mail.reply.offered.{made.details['what']}", name=name)
    return answer_about(task, update.match, title, (texts("mail.reply.wait"),))


async def abort(task: Task) -> Answer:
    """Abort a match. Raises `match_over`, `too_late_to_abort`."""
    view = await task.load_view()
    update = await task.matches.offers.abort(view.id, task.person, now=task.now)
    name = format_match_name(task.texts, view, task.account)
    return answer_about(task, update.match, task.texts("mail.reply.aborted", match_name=name))


async def claim(task: Task) -> Answer:
    """Claim the win on time; in a match without a clock call the opponent, or claim the abandoned match.

    Raises `match_over`, `time_not_over`, `not_abandoned`, `computer_never_late`.
    """
    view = await task.load_view()
    texts, match_name = task.texts, format_match_name(task.texts, view, task.account)
    if view.time is None and view.state is not MatchState.OVER:
        found = await task.matches.clocks.abandoned.find(view.id, task.person, now=task.now)
        if not found.can_claim(task.now):
            return await _call_opponent(task, view)
    update = await task.matches.clocks.timeouts.claim(view.id, task.person, now=task.now)
    return answer_about(task, update.match, texts("mail.reply.claimed", match_name=match_name))


async def _call_opponent(task: Task, view: MatchView) -> Answer:
    """Call the opponent of a match without a clock, or say from when on that is possible."""
    texts, opponent = task.texts, view.opponent(task.account)
    found = await task.matches.clocks.abandoned.find(view.id, task.person, now=task.now)
    match_name = format_match_name(texts, view, task.account)
    name = "" if opponent is None else opponent.person
    rule = texts("abandoned.rule", name=name)
    if found.can_nudge(task.now):
        update = await task.matches.clocks.abandoned.nudge(view.id, task.person, now=task.now)
        return answer_about(task, update.match, texts("mail.reply.called", match_name=match_name), (rule,))
    next_step = found.claim_from if found.nudge_from is None else found.nudge_from
    said = texts(
        "abandoned.vacation" if found.on_vacation else "abandoned.wait",
        match_name=match_name,
        name=name,
        since=Moment(found.since, MomentStyle.DATE),
        when=Moment(next_step, MomentStyle.DATE),
        nudges=found.nudges,
    )
    return answer_about(task, view, texts("mail.reply.no_claim", match_name=match_name), (said, rule))


async def rematch(task: Task) -> Answer:
    """Offer a rematch, or accept that of the opponent; the computer starts at once.

    Raises what :meth:`matches.offers.rematches.Rematches.request` raises.
    """
    view = await task.load_view()
    texts, opponent = task.texts, view.opponent(task.account)
    parents = await task.matches.posting.threads.list_parents([view.channel])
    found = await task.matches.rematches.request(
        view.id,
        task.person,
        server=view.server,
        channel=parents.get(view.channel, view.channel),
        now=task.now,
    )
    if isinstance(found, ChallengeUpdate):
        lines = describe_challenge(texts, found.challenge, task.game_of(view), now=task.now)
        name = "" if opponent is None else opponent.person
        title = texts("mail.reply.rematch_offered", name=name)
        return Answer(title, tuple(split_lines(lines)), challenge=found.challenge.id)
    if isinstance(found, Challenge):
        found = await task.matches.challenges.accept(found.id, task.person, now=task.now)
    name = format_match_name(texts, found.match, task.account)
    return answer_about(task, found.match, texts("mail.reply.started", match_name=name))
