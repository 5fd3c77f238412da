"""Strangers who answer an invitation: they get an account with a name, and with it the match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from i18n.match_names import format_match_name
from i18n.refusals import format_refusal
from i18n.writing import Url
from mail.commands.states import answer_about, split_lines
from mail.commands.task import Task
from mail.commands.values import Answer, MailRequest
from mail.reading.values import Command, CommandName
from mail.writing import texts_for
from matches import Refusal
from matches.invitations import address_digest
from matches.people.handles import MAX_LENGTH, MIN_LENGTH
from matches.people.mail_codes import clean_address
from matches.preferences.quiet_hours import UTC_NAME

if TYPE_CHECKING:
    from datetime import datetime

    from i18n import Texts
    from mail.context import MailContext
    from mail.reading.values import Words
    from matches import ChallengeId

MAX_TYPED_NAME = 80  # characters
EXAMPLE = "Maria"  # when nothing in the address can be a name


async def join(
    context: MailContext, address: str, words: Words, *, challenge: ChallengeId | None, now: datetime
) -> Answer:
    """Do what the owner of an address without an account asks for: `accept NAME` or `join NAME`, or neither.

    `challenge` is that of the invitation, if it is known; without it, it is that of the last one. Raises
    StorageUnavailable and RequestRepeated; then nothing may be answered.
    """
    texts = texts_for(context.texts, UTC_NAME)
    address = clean_address(address)
    if challenge is None:
        challenge = await context.matches.invitations.find_latest(address, now=now)
    name = words.argument.strip()[:MAX_TYPED_NAME] if isinstance(words, Command) else ""
    command = words.name if isinstance(words, Command) else None
    try:
        match command:
            case CommandName.ACCEPT if challenge is not None:
                return await _accept(context, texts, address, name, challenge, now)
            case CommandName.JOIN | CommandName.ACCEPT:
                return await _register(context, texts, address, name, now)
            case CommandName.DECLINE:
                return Answer(texts("mail.reply.join.declined"), (texts("mail.reply.join.declined_how"),))
            case CommandName.STOP:
                await context.matches.invitations.refuse(address_digest(address), now=now)
                return Answer(texts("mail.reply.join.stopped"), (texts("mail.reply.join.stopped_how"),))
            case _:
                return _ask(context, texts, address, challenge)
    except Refusal as error:
        refused = format_refusal(texts, error, front_end="mail")
        return _ask(context, texts, address, challenge, refused)


async def _accept(
    context: MailContext, texts: Texts, address: str, name: str, challenge: ChallengeId, now: datetime
) -> Answer:
    _check_name(name)
    person, update = await context.matches.invitations.accept(challenge, address, name, now=now)
    request = MailRequest(person, address, Command(CommandName.ACCEPT), update.match.id)
    title = texts("mail.reply.started", match_name=format_match_name(texts, update.match, person.account))
    lines = (texts("mail.reply.join.title", name=person), texts("mail.reply.join.how"))
    return answer_about(Task(context, request, texts, now), update.match, title, lines)


async def _register(context: MailContext, texts: Texts, address: str, name: str, now: datetime) -> Answer:
    _check_name(name)
    person = await context.matches.people.accounts.register(address, name, now=now)
    lines = (texts("mail.reply.join.how"), texts("mail.reply.games.none"))
    return Answer(texts("mail.reply.join.title", name=person), lines)


def _check_name(name: str) -> None:
    if not name:
        raise Refusal("name_missing")


def _ask(
    context: MailContext, texts: Texts, address: str, challenge: ChallengeId | None, refused: str = ""
) -> Answer:
    """Return the question for a name; `refused` says what is wrong with the one that was typed."""
    how = texts(
        "mail.reply.join.how_to_join" if challenge is None else "mail.reply.join.how_to_accept",
        example=_suggest_name(address),
    )
    terms = texts("mail.reply.join.terms", url=Url(context.links.terms_url()))
    return Answer(texts("mail.reply.join.ask"), tuple(split_lines((refused, how, terms))))


def _suggest_name(address: str) -> str:
    """Return a name for an example, made of the address that only its owner sees."""
    local = address.partition("@")[0].partition("+")[0]
    name = "".join(sign for sign in local if sign.isascii() and sign.isalnum())[:MAX_LENGTH]
    return name.capitalize() if len(name) >= MIN_LENGTH and name[:1].isalpha() else EXAMPLE
