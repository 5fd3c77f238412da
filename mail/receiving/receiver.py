"""Does with a mail what has to be done, from its bytes to the commit of what it changes and of its answer."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import structlog

from i18n.readers import reading_in
from mail.answers import ANSWER_LIFETIME, answer_details
from mail.commands import Answer, MailRequest, carry_out, find_situation, join
from mail.languages import language_of
from mail.mistakes import list_mistakes, load_board
from mail.reading.machines import find_machine
from mail.reading.parsing import parse_mail, request_id
from mail.reading.senders import check_sender
from mail.reading.typed import find_typed
from mail.reading.values import (
    BounceReport,
    Command,
    CommandName,
    IncomingMail,
    OwnMail,
    Sender,
    Unclear,
)
from mail.reading.vocabulary import Vocabulary
from mail.reading.words import read_words
from mail.receiving.limits import MailLimits
from mail.receiving.outcomes import Outcome
from mail.receiving.recipients import Several, find_owner, find_subject, is_known
from mail.receiving.sent_lines import list_puzzle_lines, list_sent_lines
from mail.receiving.stored_words import describe_words, make_sure, pack_words, unpack_words
from mail.reply_addresses import (
    BounceToken,
    ChallengeToken,
    JoinToken,
    MatchToken,
    MistakeToken,
    PuzzleToken,
)
from matches import MatchUnknown, PuzzleStep, Refusal, RequestRepeated
from matches.people.mail_codes import clean_address
from matches.people.mail_commands import MailDraft
from matches.platforms import MAIL
from matches.posting.letters import LetterKind
from matches.work.requests import MAIL_MEMORY

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from mail.context import MailContext
    from mail.reading.values import Words
    from mail.receiving.recipients import Subject
    from mail.reply_addresses import ReplyAddresses
    from matches import Person, Request
    from matches.people.mail_commands import MailCommand

log = structlog.stdlib.get_logger(__name__)

# What only tells the player something: it needs no proof, since the answer goes to the player's own address.
HARMLESS = frozenset({CommandName.BOARD, CommandName.GAMES, CommandName.HELP})
COMMANDS_AT_ONCE = 20  # confirmed ones
_NO_MAIL = IncomingMail()


@dataclass(frozen=True, slots=True)
class Arrival:
    """A mail with the id of its request, and the form in which its From is compared with stored addresses."""

    mail: IncomingMail
    request: int
    sender: str
    recipients: tuple[str, ...]
    subject: Subject | None


class Receiver:
    """Receives the mails of an installation; `replies` are its addresses.

    `authserv_id` is the name in the ``Authentication-Results`` of the operator's own mail server, None if it
    stamps none.
    """

    def __init__(
        self,
        context: MailContext,
        replies: ReplyAddresses,
        *,
        authserv_id: str | None = None,
        limits: MailLimits | None = None,
    ) -> None:
        self._context = context
        self._matches = context.matches
        self._replies = replies
        self._authserv_id = authserv_id
        self._limits = MailLimits() if limits is None else limits
        self._vocabulary = Vocabulary.load(context.texts, context.games.values())

    async def knows(self, recipient: str) -> bool:
        """Return whether mail to an address can be meant for somebody. Raises StorageUnavailable."""
        token = self._replies.read(recipient)
        return token is not None and await is_known(
            self._matches, self._replies, token, now=self._context.now()
        )

    async def is_ours(self, head: bytes) -> bool:
        """Return whether a mail with these headers went to an address of ours."""
        mail = await asyncio.to_thread(parse_mail, head)
        return find_subject(self._replies, mail.recipients) is not None

    async def receive(self, raw: bytes, recipients: Sequence[str] = ()) -> Outcome:
        """Do all that a mail asks for, and return what that was; after it the mail is done with.

        `recipients` are the addresses of the envelope, if they are known. Raises StorageUnavailable: then the
        mail must be kept, and given again later.
        """
        mail = await asyncio.to_thread(parse_mail, raw)
        addresses = tuple(dict.fromkeys(one.lower() for one in (*recipients, *mail.recipients)))
        subject = find_subject(self._replies, addresses)
        arrival = Arrival(mail, request_id(raw), _clean(mail.from_address), addresses, subject)
        outcome = await self._receive(arrival)
        self._matches.metrics.count_received_mail(outcome.value)
        log.info("mail.received", outcome=outcome.value, request=arrival.request)
        return outcome

    async def carry_out_confirmed(self) -> None:
        """Carry out what was confirmed by a click. Raises StorageUnavailable."""
        commands = await self._matches.people.mail_commands.list_confirmed(limit=COMMANDS_AT_ONCE)
        for command in commands:
            await self._carry_out_command(command)

    async def _receive(self, arrival: Arrival) -> Outcome:
        subject = arrival.subject
        machine = find_machine(arrival.mail, OwnMail((self._replies.plain,)))
        if isinstance(machine, BounceReport):
            return await self._record_bounce(arrival, machine)
        if machine is not None or isinstance(subject, BounceToken):
            return Outcome.IGNORED
        if subject is None:
            return Outcome.NOT_OURS
        person = await self._find_person(subject, arrival.sender)
        if person is not None:
            with reading_in(await language_of(self._context, person.account)):
                return await self._receive_from(arrival, person)
        if isinstance(subject, MatchToken | MistakeToken | PuzzleToken | ChallengeToken):
            return Outcome.UNKNOWN_TOKEN
        return await self._receive_from_stranger(arrival)

    async def _find_person(self, subject: Subject, sender: str) -> Person | None:
        """Return whose mail it must be: by the address that it went to, else by that in From."""
        accounts = self._matches.people.accounts
        if isinstance(subject, PuzzleToken):
            person = await accounts.find_by_mail(sender)
            is_own = person is not None and self._replies.is_valid(subject, person.account)
            return person if is_own else None
        if not isinstance(subject, MatchToken | MistakeToken | ChallengeToken):
            return await accounts.find_by_mail(sender)
        account = await find_owner(self._matches, self._replies, subject, now=self._context.now())
        return None if account is None else await accounts.get(account)

    async def _receive_from(self, arrival: Arrival, person: Person) -> Outcome:
        """Receive a mail that claims to be from a person."""
        identities = await self._matches.people.identities.list(person.account)
        addresses = [
            one.address for one in identities if one.platform == MAIL and one.confirmed_at is not None
        ]
        sender = self._check_sender(arrival, addresses)
        if sender is Sender.FORGED:
            return Outcome.FORGED
        now, is_proven = self._context.now(), sender is Sender.CONFIRMED
        keys = (arrival.sender, person.account) if is_proven else (f"? {arrival.sender}",)
        if not self._limits.admit(keys, arrival.request, now):
            return await self._refuse_more(arrival, person.account, now)
        if isinstance(arrival.subject, Several):
            text = self._context.texts
            answer = Answer(text("mail.several.title"), (text("mail.several.about"),))
            return await self._answer(arrival, answer, person.account)
        request = await self._read(arrival, person)
        if is_proven:
            return await self._carry_out(arrival, request)
        if not self._limits.admit_unproven(arrival.sender, arrival.request, now):
            return Outcome.LIMITED
        return await (self._carry_out if _is_harmless(request) else self._ask)(arrival, request)

    def _check_sender(self, arrival: Arrival, addresses: Sequence[str]) -> Sender:
        """Return what is known about the sender, whose address is compared in its stored form."""
        mail = replace(arrival.mail, from_address=arrival.sender)
        return check_sender(mail, addresses, self._authserv_id)

    async def _read(self, arrival: Arrival, person: Person) -> MailRequest:
        """Return what a mail of a person asks for."""
        subject = arrival.subject
        token = subject if isinstance(subject, MatchToken | MistakeToken) else None
        step = subject.step if isinstance(subject, PuzzleToken) else None
        own = self._own_mail(arrival, await self._list_sent_lines(token or step, person.account))
        found = await find_situation(
            self._context,
            person,
            await asyncio.to_thread(find_typed, arrival.mail, own),
            match=None if token is None else token.match,
            revision=token.revision if isinstance(token, MatchToken) else None,
            mistake=token.turn if isinstance(token, MistakeToken) else None,
            puzzle=step,
            now=self._context.now(),
        )
        words = await asyncio.to_thread(read_words, found.paragraphs, found.position, self._vocabulary)
        return MailRequest(
            person=person,
            address=arrival.sender,
            words=words,
            match=found.match,
            revision=found.revision,
            challenge=subject.challenge if isinstance(subject, ChallengeToken) else None,
            subject=arrival.mail.subject,
            mistake=found.mistake,
            puzzle=found.puzzle,
        )

    async def _list_sent_lines(
        self, token: MatchToken | MistakeToken | PuzzleStep | None, account: str
    ) -> Sequence[str]:
        """Return what the mail said that is answered."""
        if token is None:
            return ()
        matches, now, mistake = self._matches, self._context.now(), None
        zone = (await matches.people.preferences.get(account)).zone
        if isinstance(token, PuzzleStep):
            try:
                stored = await matches.puzzles.get(token.key)
            except Refusal:
                return ()
            return await asyncio.to_thread(list_puzzle_lines, self._context, stored, token, zone)
        try:
            if isinstance(token, MistakeToken):
                view = await load_board(matches, token.match, token.turn, account, now=now)
                mistakes = await list_mistakes(matches, token.match, account, now=now)
                mistake = next((one for one in mistakes if one.turn == token.turn), None)
            else:
                view = await matches.view(token.match, revision=token.revision, now=now)
        except MatchUnknown:
            return ()
        return await asyncio.to_thread(list_sent_lines, self._context, view, account, zone, mistake)

    def _own_mail(self, arrival: Arrival, lines: Sequence[str] = ()) -> OwnMail:
        ours = [one for one in arrival.recipients if self._replies.read(one) is not None]
        return OwnMail((self._replies.plain, *ours), (self._context.sender.name,), lines)

    async def _carry_out(self, arrival: Arrival, request: MailRequest) -> Outcome:
        """Carry out what a mail asks for, once, and answer it once."""
        requests = self._matches.work.requests
        try:
            with self._handle(arrival.request) as handled:
                if not await requests.is_done_elsewhere(handled):
                    answer = await carry_out(self._context, request, now=self._context.now())
                    # Whatever the answer is: if another process was faster, this raises RequestRepeated.
                    await self._write(arrival, answer, request.person.account)
                    return Outcome.ANSWERED
        except RequestRepeated:
            pass
        return await self._answer_again(arrival, request)

    async def _answer_again(self, arrival: Arrival, request: MailRequest) -> Outcome:
        """Answer a mail that was handled before, unless it has its answer: a process may have died."""
        text = self._context.texts
        answer = Answer(
            text("mail.repeated.title"),
            (text("mail.repeated.about"),),
            request.match,
            None,
            request.challenge,
            puzzle=request.puzzle,
        )
        if not await self._matches.posting.letters.has_answered(arrival.request):
            await self._write(arrival, answer, request.person.account)
        return Outcome.REPEATED

    async def _ask(self, arrival: Arrival, request: MailRequest) -> Outcome:
        """Store what a mail asks for that nobody has proven to be from its sender, and ask them."""
        assert not isinstance(request.words, Unclear)  # noqa: S101 - that needs no proof
        draft = MailDraft(
            account=request.person.account,
            address=request.address,
            typed=describe_words(request.words),
            words=pack_words(request.words),
            request=arrival.request,
            match=request.match,
            revision=request.revision,
            challenge=request.challenge,
            puzzle=request.puzzle,
        )
        try:
            with self._handle(arrival.request) as handled:
                if await self._matches.work.requests.is_done_elsewhere(handled):
                    return Outcome.REPEATED
                is_stored = await self._matches.people.mail_commands.add(draft, now=self._context.now())
        except RequestRepeated:
            return Outcome.REPEATED
        return Outcome.ASKED if is_stored else Outcome.LIMITED

    async def _carry_out_command(self, command: MailCommand) -> None:
        """Carry out a confirmed command, once, and answer the mail that it came in."""
        draft, now = command.draft, self._context.now()
        person = await self._matches.people.accounts.get(draft.account)
        if person is not None:
            request = MailRequest(
                person=person,
                address=draft.address,
                words=make_sure(unpack_words(draft.words)),
                match=draft.match,
                revision=draft.revision,
                challenge=draft.challenge,
                puzzle=draft.puzzle,
            )
            # Of the mail, its id was used when it was stored.
            arrival = Arrival(_NO_MAIL, confirmed_request(command.id), draft.address, (), None)
            with reading_in(await language_of(self._context, person.account)):
                await self._carry_out(arrival, request)
        await self._matches.people.mail_commands.mark_done(command.id, now=now)

    async def _receive_from_stranger(self, arrival: Arrival) -> Outcome:
        """Receive a mail from an address that belongs to nobody: it joins, or is told how to."""
        subject, now = arrival.subject, self._context.now()
        if not arrival.sender:
            return Outcome.IGNORED
        sender = self._check_sender(arrival, (arrival.sender,))
        if sender is Sender.FORGED:
            return Outcome.FORGED
        if not self._limits.admit((f"? {arrival.sender}",), arrival.request, now):
            return Outcome.LIMITED
        paragraphs = await asyncio.to_thread(find_typed, arrival.mail, self._own_mail(arrival))
        words = await asyncio.to_thread(read_words, paragraphs, None, self._vocabulary)
        if isinstance(subject, JoinToken):
            is_valid = not subject.has_expired(now) and self._replies.is_valid(subject, arrival.sender)
            return await self._join(arrival, words) if is_valid else Outcome.UNKNOWN_TOKEN
        if sender is Sender.UNPROVEN and isinstance(words, Unclear):
            return Outcome.IGNORED  # probably advertising, in somebody's name
        return await self._greet(arrival, now)

    async def _join(self, arrival: Arrival, words: Words) -> Outcome:
        """Carry out what somebody writes who has no account, and was written to."""
        now = self._context.now()
        challenge = await self._matches.invitations.find_latest(arrival.sender, now=now)
        try:
            with self._handle(arrival.request) as handled:
                if await self._matches.work.requests.is_done_elsewhere(handled):
                    return Outcome.REPEATED
                answer = await join(self._context, arrival.sender, words, challenge=challenge, now=now)
                person = await self._matches.people.accounts.find_by_mail(arrival.sender)
                await self._write(arrival, answer, None if person is None else person.account)
        except RequestRepeated:
            return Outcome.REPEATED
        return Outcome.ANSWERED

    async def _greet(self, arrival: Arrival, now: datetime) -> Outcome:
        """Tell an address once in a while how to join."""
        if not self._limits.admit_stranger(arrival.request, now):
            return Outcome.LIMITED
        try:
            with self._handle(arrival.request):
                is_new = await self._matches.posting.letters.greet(arrival.sender, now=now)
        except RequestRepeated:
            return Outcome.REPEATED
        return Outcome.GREETED if is_new else Outcome.IGNORED

    async def _record_bounce(self, arrival: Arrival, report: BounceReport) -> Outcome:
        """Record that a mail of ours came back, if it did: only we know the address that it comes back to."""
        token, returned = arrival.subject, arrival.mail.returned
        if not isinstance(token, BounceToken):
            return Outcome.IGNORED
        named = (report.address or "", *(() if returned is None else returned.recipients))
        address = next((one for one in named if one and self._replies.is_valid(token, one)), None)
        if address is None:
            return Outcome.UNKNOWN_TOKEN
        try:
            with self._handle(arrival.request):
                await self._matches.people.mail_addresses.record_bounce(
                    address, is_hard=report.is_hard, now=self._context.now()
                )
        except RequestRepeated:
            return Outcome.REPEATED
        return Outcome.BOUNCED

    async def _refuse_more(self, arrival: Arrival, account: str, now: datetime) -> Outcome:
        """Say once an hour that an address writes too much."""
        if self._limits.may_tell(arrival.sender, arrival.request, now):
            text = self._context.texts
            await self._answer(
                arrival, Answer(text("mail.limited.title"), (text("mail.limited.about"),)), account
            )
        return Outcome.LIMITED

    async def _answer(self, arrival: Arrival, answer: Answer, account: str | None) -> Outcome:
        """Answer a mail that changes nothing, once."""
        try:
            with self._handle(arrival.request):
                await self._write(arrival, answer, account)
        except RequestRepeated:
            return Outcome.REPEATED
        return Outcome.ANSWERED

    async def _write(self, arrival: Arrival, answer: Answer, account: str | None) -> None:
        """Write an answer, unless the mail has one. Raises RequestRepeated if another process handles it."""
        mail = arrival.mail
        await self._matches.posting.letters.write(
            LetterKind.ANSWER,
            arrival.sender,
            account=account,
            details=answer_details(answer, message_id=mail.message_id or None, subject=mail.subject),
            lifetime=ANSWER_LIFETIME,
            request=arrival.request,
            now=self._context.now(),
        )

    def _handle(self, request: int) -> AbstractContextManager[Request]:
        return self._matches.work.requests.handle(request, now=self._context.now(), memory=MAIL_MEMORY)


def confirmed_request(command: int) -> int:
    """Return the id of the request to carry out a confirmed command, like those of mails."""
    digest = hashlib.sha256(f"confirmed command {command}".encode()).digest()
    return -1 - (int.from_bytes(digest[:8]) >> 1)


def _clean(address: str) -> str:
    """Return an address as it is stored, empty for one that nobody can have here."""
    try:
        return clean_address(address)
    except Refusal:
        return ""


def _is_harmless(request: MailRequest) -> bool:
    """Return whether a mail asks for nothing that needs a proof of who sent it; a task plays nothing."""
    words, is_task = request.words, request.mistake is not None
    if isinstance(words, Command):
        is_answer = is_task and words.name in {CommandName.HINT, CommandName.SOLUTION}
        return words.name in HARMLESS or is_answer
    return isinstance(words, Unclear) or is_task
