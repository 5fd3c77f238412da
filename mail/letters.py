"""Letters: mails about no match, such as codes and invitations. One that has expired is never sent."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

from i18n.clocks import describe_terms
from i18n.formatting import format_options, format_side
from i18n.names import name_of
from i18n.readers import reading_in
from i18n.writing import Moment, Url
from mail.answers import describe_answer
from mail.languages import language_of
from mail.message import Content, Link, Part, build_message, unsubscribe_headers
from mail.possible_answers import describe_challenge_answers
from mail.puzzles import describe_daily_puzzle
from mail.reply_letters import describe_confirmation, describe_greeting
from matches import ChallengeId, Refusal
from matches.names import clean_name
from matches.people.mail_codes import derive_code, derive_link_token
from matches.posting.letters import LetterKind
from matches.values import ChallengeState

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from email.message import EmailMessage

    from mail.context import MailContext
    from mail.sender import Job
    from matches import Challenge
    from matches.posting.letters import Letter

AT_ONCE = 3  # so that each is sent within its lease
CLICKABLE = re.compile(r"[./:@\\]+")  # what makes mail programs turn a name into a link


class LetterJob:
    """A claimed letter."""

    def __init__(self, context: MailContext, letter: Letter) -> None:
        self._context = context
        self._letter = letter
        self.kind = letter.kind.value
        self.address = letter.address

    @property
    def envelope_sender(self) -> str | None:
        """Where the mail comes back if it cannot be delivered."""
        return self._context.envelope_sender(self.address)

    async def build(self) -> EmailMessage | None:
        """Return the mail, None if what it is about is over."""
        context, letter = self._context, self._letter
        with reading_in(await _find_language(context, letter)):
            content = await _CONTENTS[letter.kind](context, letter)
            if content is None:
                return None
            return build_message(
                context.sender, self.address, content, name=f"letter-{letter.id}", now=context.now()
            )

    async def finish(self, *, is_sent: bool) -> None:  # noqa: ARG002 - it is not tried again in both cases
        """Record that the letter was sent, or is not to be sent."""
        context = self._context
        await context.matches.posting.letters.mark_sent(self._letter.id, now=context.now())

    async def refuse(self, *, is_final: bool) -> None:
        """Record that the address does not take it."""
        context = self._context
        await self.finish(is_sent=False)
        await context.matches.people.mail_addresses.record_bounce(
            self.address, is_hard=is_final, now=context.now()
        )

    async def postpone(self, *, is_failed: bool, may_have_arrived: bool = False) -> None:  # noqa: ARG002 - its name never changes
        """Make it due again."""
        context = self._context
        await context.matches.posting.letters.postpone(self._letter, is_failed=is_failed, now=context.now())


async def _find_language(context: MailContext, letter: Letter) -> str:
    """Return the language of a letter: its reader's, or that of the page or the person that asked for it."""
    if letter.account is None and letter.kind is LetterKind.INVITATION:
        with suppress(Refusal):
            number = ChallengeId(int(letter.details["challenge"]))
            challenge = await context.matches.challenges.find(number, now=context.now())
            return await language_of(context, challenge.by.account)
    return await language_of(context, letter.account, str(letter.details.get("language", "")))


class LetterSource:
    """The letters of a database."""

    def __init__(self, context: MailContext) -> None:
        self._context = context

    async def claim(self) -> Sequence[Job]:
        """Claim a few letters that are due."""
        letters = self._context.matches.posting.letters
        claimed = await letters.claim_due(now=self._context.now(), limit=AT_ONCE)
        return [LetterJob(self._context, letter) for letter in claimed]

    async def renew(self, jobs: Sequence[Job]) -> None:
        """Do nothing: a letter is sent within its lease."""


async def _describe_code(context: MailContext, letter: Letter) -> Content:
    texts, question = context.texts, str(letter.details["code"])
    token = derive_link_token(context.secret, question)
    return Content(
        subject=texts("mail.code.subject"),
        parts=(
            Part(
                title=texts("mail.code.title"),
                lines=(
                    texts("mail.code.sign_in" if letter.account is None else "mail.code.add"),
                    texts("mail.code.type", until=Moment(letter.expires_at)),
                ),
                code=derive_code(context.secret, question),
                link=Link(texts("mail.code.open"), context.links.code_url(token)),
            ),
        ),
        foot=(texts("mail.code.ignore"),),
    )


async def _describe_invitation(context: MailContext, letter: Letter) -> Content | None:
    """Return an invitation without anything that its sender typed, but the name, which cannot be a link."""
    texts, now = context.texts, context.now()
    try:
        challenge = await context.matches.challenges.find(
            ChallengeId(int(letter.details["challenge"])), now=now
        )
    except Refusal:
        return None
    if challenge.state is not ChallengeState.OPEN:
        return None
    name = clean_name(CLICKABLE.sub(" ", name_of(texts, challenge.by))) or texts("mail.invitation.somebody")
    game = texts(f"game.{challenge.game}.name")
    reply_to, answers = _describe_joining(context, letter, challenge)
    stop = context.links.refuse_url(letter.address)
    return Content(
        subject=texts("mail.invitation.subject", game=game),
        parts=(
            Part(
                title=texts("mail.invitation.title", name=name, game=game),
                lines=_describe_terms(context, challenge, name),
                link=Link(texts("mail.invitation.open"), context.links.challenge_url(challenge.id)),
                answers=answers,
            ),
        ),
        foot=(texts("mail.invitation.why", name=name), texts("mail.invitation.never")),
        foot_links=(Link(texts("mail.invitation.stop"), stop),),
        reply_to=reply_to,
        headers=unsubscribe_headers(stop),
    )


def _describe_joining(context: MailContext, letter: Letter, challenge: Challenge) -> tuple[str | None, str]:
    """Return where an invitation is answered, and what can be: with a name by whoever has no account."""
    replies, texts = context.replies, context.texts
    if replies is None:
        return None, ""
    if letter.account is not None:
        answers = describe_challenge_answers(texts, challenge, letter.account)
        return replies.challenge_address(challenge.id, letter.account), answers
    terms = texts("mail.reply.join.terms", url=Url(context.links.terms_url()))
    how = texts.join([texts("mail.invitation.answer"), terms], "list.space")
    return replies.join_address(letter.address, now=context.now()), how


def _describe_terms(context: MailContext, challenge: Challenge, name: str) -> tuple[str, ...]:
    texts, side = context.texts, challenge.colour
    colour = texts("colour.drawn") if side is None else format_side(texts, side)
    lines = (
        format_options(texts, context.games[challenge.game], challenge.options),
        texts(
            "mail.invitation.details",
            terms=describe_terms(texts, challenge.terms),
            colour=colour,
            name=name,
        ),
        texts("mail.invitation.until", until=Moment(challenge.expires_at)),
    )
    return tuple(line for line in lines if line)


async def _describe_warning(context: MailContext, letter: Letter) -> Content:
    texts = context.texts
    return Content(
        subject=texts("mail.warning.subject"),
        parts=(
            Part(
                title=texts("mail.warning.title"),
                lines=(texts("mail.warning.about"), str(letter.details["text"])),
                link=Link(texts("mail.home"), context.links.home_url()),
            ),
        ),
        foot=(texts("mail.warning.why"),),
    )


async def _describe_change(context: MailContext, letter: Letter) -> Content:
    texts, key = context.texts, f"mail.change.{letter.details['what']}"
    return Content(
        subject=texts("mail.change.subject"),
        parts=(
            Part(
                title=texts("mail.change.title"),
                lines=(texts(key), texts("mail.change.not_you")),
                link=Link(texts("mail.home"), context.links.home_url()),
            ),
        ),
        foot=(texts("mail.change.why"),),
    )


_CONTENTS: dict[LetterKind, Callable[[MailContext, Letter], Awaitable[Content | None]]] = {
    LetterKind.CODE: _describe_code,
    LetterKind.INVITATION: _describe_invitation,
    LetterKind.WARNING: _describe_warning,
    LetterKind.NOTICE: _describe_change,
    LetterKind.PUZZLE: describe_daily_puzzle,
    LetterKind.ANSWER: describe_answer,
    LetterKind.CONFIRMATION: describe_confirmation,
    LetterKind.GREETING: describe_greeting,
}
