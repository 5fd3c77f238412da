"""The mail that answers a mail: what was done or refused, and the board of the match.

It is a letter, written with the change or after the refusal. All of it is in the details of the letter but
the board, which is drawn when it is sent. One that could not be sent within ANSWER_LIFETIME is dropped.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import TYPE_CHECKING

from i18n.match_names import format_short_match_name
from i18n.quoting import quote
from mail.boards import draw_board
from mail.message import MAX_SUBJECT_LENGTH, Content, Link, Part
from mail.possible_answers import describe_challenge_answers, describe_match_answers
from mail.puzzles import show_puzzle
from mail.writing import texts_for
from matches import ChallengeId, MatchId, MatchUnknown, PuzzleStep, Refusal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from i18n import Texts
    from mail.commands.values import Answer
    from mail.context import MailContext
    from matches import MatchView, Preferences
    from matches.posting.letters import Letter

ANSWER_LIFETIME = timedelta(days=1)
MAX_ID_LENGTH = 250  # characters; a longer Message-ID is left out
MAX_LINES_LENGTH = 8000  # characters
MESSAGE_ID = re.compile(r"<[!-;=?-~]+>")  # printable, without spaces and further angle brackets
REPLY_PREFIX = re.compile(r"(?:re|aw|antw|sv|vs|odp|res|rv|fwd?|wg) ?: ?", re.IGNORECASE)
MAX_PREFIXES = 10


def answer_details(
    answer: Answer, *, message_id: str | None = None, subject: str = ""
) -> dict[str, str | int]:
    """Return an answer as details of a letter of the kind ANSWER, which lives for ANSWER_LIFETIME.

    `message_id` and `subject` are those of the mail that is answered, as they were received.
    """
    is_id = message_id is not None and len(message_id) <= MAX_ID_LENGTH and MESSAGE_ID.fullmatch(message_id)
    details: dict[str, str | int | None] = {
        "title": answer.title,
        "lines": "\n".join(answer.lines)[:MAX_LINES_LENGTH],
        "match": answer.match,
        "revision": answer.revision,
        "challenge": answer.challenge,
        "mistake": answer.mistake,
        "puzzle": None if answer.puzzle is None else str(answer.puzzle),
        "message_id": message_id if is_id else None,
        "subject": clean_subject(subject),
    }
    return {key: value for key, value in details.items() if value is not None}


def clean_subject(subject: str) -> str:
    """Return a subject on one line, without what mail programs put before it."""
    cleaned = quote(subject, MAX_SUBJECT_LENGTH)
    for _ in range(MAX_PREFIXES):
        found = REPLY_PREFIX.match(cleaned)
        if found is None:
            break
        cleaned = cleaned[found.end() :]
    return cleaned


async def describe_answer(context: MailContext, letter: Letter) -> Content:
    """Return the mail of a letter that answers one."""
    details, account = letter.details, letter.account or ""
    preferences = await context.matches.people.preferences.get(account)
    texts = texts_for(context.texts, preferences.zone)
    title, lines = str(details["title"]), tuple(line for line in str(details["lines"]).split("\n") if line)
    part, reply_to, thread = Part(title, lines), context.plain_reply_to, None
    if "match" in details:
        match = MatchId(int(details["match"]))
        thread = context.thread_of(match)
        view = await _load_view(context, details, match, account)
        if view is not None:
            part = await _show_match(context, texts, part, view, account, preferences)
            if context.replies is not None and "mistake" in details:
                reply_to = context.replies.mistake_address(match, int(details["mistake"]), account)
            elif context.replies is not None:
                reply_to = context.replies.match_address(match, view.revision, account)
    elif "challenge" in details:
        challenge = ChallengeId(int(details["challenge"]))
        part = await _show_challenge(context, texts, part, challenge, account)
        if context.replies is not None:
            reply_to = context.replies.challenge_address(challenge, account)
    elif "puzzle" in details:
        step = PuzzleStep.parse(str(details["puzzle"]))
        part, reply_to = await show_puzzle(context, texts, part, step, account, preferences)
    # What somebody without an account has typed as the subject is not sent to an address that is not theirs.
    subject = str(details["subject"]) if account else ""
    return Content(
        subject=texts("mail.reply.subject", subject=subject) if subject else title,
        parts=(part,),
        foot=(texts("mail.reply.why"),),
        reply_to=reply_to,
        headers=_headers(details, thread),
    )


async def _load_view(
    context: MailContext, details: Mapping[str, str | int], match: MatchId, account: str
) -> MatchView | None:
    """Return the match as the account may see it, at the revision of the answer; None if it may not."""
    views, readers = context.matches.views, (account,)
    try:
        names = await views.names_for(match, account)
        if names is None:
            return None
        if "revision" in details:
            return await views.at_revision(match, int(details["revision"]), readers, names)
        return await views.current(match, readers, names)
    except MatchUnknown:
        return None


async def _show_match(
    context: MailContext, texts: Texts, part: Part, view: MatchView, account: str, preferences: Preferences
) -> Part:
    link = Link(
        texts("mail.reply.open", match_name=format_short_match_name(texts, view)),
        context.links.match_url(view.id),
    )
    board = await draw_board(context, texts, view, account, preferences)
    answers = ""
    if context.replies is not None:
        answers = describe_match_answers(texts, view, context.games[view.game], account)
    return Part(part.title, part.lines, link, board, answers=answers)


async def _show_challenge(
    context: MailContext, texts: Texts, part: Part, number: ChallengeId, account: str
) -> Part:
    try:
        challenge = await context.matches.challenges.find(number, now=context.now())
    except Refusal:
        return part
    link = Link(texts("mail.notices.open_challenge"), context.links.challenge_url(number))
    answers = "" if context.replies is None else describe_challenge_answers(texts, challenge, account)
    return Part(part.title, part.lines, link, answers=answers)


def _headers(details: Mapping[str, str | int], thread: str | None) -> dict[str, str]:
    """Return the headers that make it an answer, in the thread of its match."""
    headers = {"Auto-Submitted": "auto-replied"}
    message_id = details.get("message_id")
    references = [str(one) for one in (thread, message_id) if one is not None]
    if references:
        headers |= {"In-Reply-To": references[-1], "References": " ".join(references)}
    return headers
