"""Commands of mails without mail: what Ann or Ben typed, read and carried out as by the receiver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mail.commands import MailRequest, carry_out, find_situation
from mail.context import MailContext
from mail.message import Sender
from mail.reading.vocabulary import Vocabulary
from mail.reading.words import read_words
from tests.games import GAMES, READER_TEXTS, TEXTS
from tests.mail.marks import check_answer_marks
from tests.mail.scenario import SECRET, StandInLinks, address_of
from tests.marks import IS_MARKED
from tests.matches.scenario import NOON

if TYPE_CHECKING:
    from datetime import datetime

    from mail.commands import Answer
    from matches import ChallengeId, Matches, MatchView, Person

VOCABULARY = Vocabulary.load(TEXTS, GAMES.values())


def make_context(matches: Matches, now: datetime = NOON) -> MailContext:
    sender = Sender("Rayuela <play@example.org>")
    return MailContext(matches, GAMES, READER_TEXTS, StandInLinks(), SECRET, sender, lambda: now)


async def write(
    matches: Matches,
    person: Person,
    typed: str,
    view: MatchView | None = None,
    *,
    challenge: ChallengeId | None = None,
    context: MailContext | None = None,
    now: datetime = NOON,
) -> Answer:
    """Carry out what a person types in answer to the board of `view`; without it, at the plain address."""
    context = make_context(matches, now) if context is None else context
    paragraphs = tuple(tuple(part.split("\n")) for part in typed.split("\n\n") if part)
    situation = await find_situation(
        context,
        person,
        paragraphs,
        match=None if view is None else view.id,
        revision=None if view is None else view.revision,
        now=now,
    )
    words = read_words(situation.paragraphs, situation.position, VOCABULARY)
    request = MailRequest(
        person,
        address_of(person),
        words,
        situation.match,
        situation.revision,
        challenge,
        subject="Re: Your turn",
    )
    answer = await carry_out(context, request, now=now)
    return check_answer_marks(answer, typed) if IS_MARKED else answer


def text_of(answer: Answer) -> str:
    return "\n".join((answer.title, *answer.lines))
