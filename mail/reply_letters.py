"""Letters that ask the sender of a mail something: whether it is genuine, or for a name to play under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from i18n.writing import Code, Moment, Url
from mail.message import Content, Link, Part

if TYPE_CHECKING:
    from mail.context import MailContext
    from matches.posting.letters import Letter

NO_LINKS = re.compile(r"[./:@\\]+")  # what makes mail programs turn the words of strangers into a link


async def describe_confirmation(context: MailContext, letter: Letter) -> Content | None:
    """Return the mail with the link that confirms what a mail asks for; None if it waits no more."""
    texts = context.texts
    command = await context.matches.people.mail_commands.find(int(letter.details["command"]))
    if command is None or command.confirmed_at is not None:
        return None
    draft = command.draft
    key = "mail.confirmation.other" if draft.match is None else "mail.confirmation.match"
    return Content(
        subject=texts("mail.confirmation.subject"),
        parts=(
            Part(
                title=texts("mail.confirmation.title"),
                lines=(
                    texts(key, typed=Code(NO_LINKS.sub(" ", draft.typed)), match=draft.match),
                    texts("mail.confirmation.why_asked"),
                    texts("mail.confirmation.until", until=Moment(command.expires_at)),
                ),
                link=Link(texts("mail.confirmation.open"), context.links.confirm_url(command.id)),
            ),
        ),
        foot=(texts("mail.confirmation.foot"),),
        headers={"Auto-Submitted": "auto-replied"},
    )


async def describe_greeting(context: MailContext, letter: Letter) -> Content | None:
    """Return the mail that tells somebody without an account how to join; nothing of theirs is in it."""
    texts, replies = context.texts, context.replies
    if replies is None:
        return None
    return Content(
        subject=texts("mail.greeting.subject"),
        parts=(
            Part(
                title=texts("mail.greeting.title"),
                lines=(
                    texts("mail.greeting.about", word=Code(texts("answer_word.join"))),
                    texts("mail.reply.join.terms", url=Url(context.links.terms_url())),
                    texts("mail.greeting.website"),
                ),
                link=Link(texts("mail.home"), context.links.home_url()),
            ),
        ),
        foot=(texts("mail.greeting.foot"),),
        reply_to=replies.join_address(letter.address, now=context.now()),
        headers={"Auto-Submitted": "auto-replied"},
    )
