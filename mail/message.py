"""A mail as text and as HTML, with pictures of boards inside, from what it has to say.

The lines of the text are so short that no mail program breaks them when it quotes them: they come back as
they were sent, and can be left out when an answer is read.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime, parseaddr
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

from i18n.formats import sentence_gap
from i18n.quoting import quote
from i18n.readers import current_language
from mail.wrapping import wrap_text

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

MAX_SUBJECT_LENGTH = 150  # characters
MAX_LINE_LENGTH = (
    900  # of 998 that SMTP allows: a long address in a header would be encoded when it is folded
)
SIGNATURE = "-- "  # ends the text; clients leave out what follows when somebody replies
TURN_HEADER = "X-Rayuela-Turn"  # in every mail from here: one that comes back is not answered


@dataclass(frozen=True, slots=True)
class Board:
    """A board as PNG, in words sentence by sentence, and as lines of signs in columns."""

    png: bytes
    description: tuple[str, ...]
    diagram: str

    @property
    def words(self) -> str:
        """The description as a paragraph."""
        return sentence_gap(current_language()).join(self.description)


@dataclass(frozen=True, slots=True)
class Link:
    """An address and what it leads to."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Part:
    """One subject of a mail: a title, lines about it, what to open, and perhaps a board or a code.

    `answers` says what can be answered.
    """

    title: str
    lines: tuple[str, ...] = ()
    link: Link | None = None
    board: Board | None = None
    code: str = ""
    answers: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """What a mail says; the foot says why it came, and how to get no more of them.

    `reply_to` is the address to which it is answered; None for no other than that of the sender. `headers`
    are in addition to those of every mail.
    """

    subject: str
    parts: tuple[Part, ...]
    foot: tuple[str, ...]
    foot_links: tuple[Link, ...] = ()
    reply_to: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sender:
    """Who mails are from, such as ``Rayuela <play@example.org>``."""

    mail_from: str

    @property
    def domain(self) -> str:
        """The domain of the address."""
        return parseaddr(self.mail_from)[1].rpartition("@")[2]

    @property
    def name(self) -> str:
        """The name that mail programs show."""
        return parseaddr(self.mail_from)[0]

    def message_id(self, name: str) -> str:
        """Return the id of a mail: the same name has the same id."""
        return f"<{name}@{self.domain}>"


def unsubscribe_headers(url: str) -> dict[str, str]:
    """Return the headers with which mail programs offer to stop such mails (RFC 8058)."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def build_message(
    sender: Sender, address: str, content: Content, *, name: str, now: datetime
) -> EmailMessage:
    """Return the mail that says `content`. A mail that may be sent twice has the same `name` both times.

    No value can add a header: each is one line, and the policy refuses any other.
    """
    policy = SMTP if address.isascii() else SMTPUTF8
    message = EmailMessage(policy.clone(max_line_length=MAX_LINE_LENGTH))
    shown, from_address = parseaddr(sender.mail_from)
    message["From"] = Address(shown, addr_spec=from_address)
    message["To"] = Address(addr_spec=address)
    if content.reply_to is not None:
        message["Reply-To"] = Address(shown, addr_spec=content.reply_to)
    message["Subject"] = quote(content.subject, MAX_SUBJECT_LENGTH)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = sender.message_id(name)
    for header, value in {"Auto-Submitted": "auto-generated", TURN_HEADER: name, **content.headers}.items():
        message[header] = value
    message.set_content(format_text(content))
    message.add_alternative(_format_html(content), subtype="html")
    html = message.get_payload()[1]  # type: ignore[index]
    for number, part in enumerate(content.parts):
        if part.board is not None:
            html.add_related(  # type: ignore[union-attr]
                part.board.png,
                "image",
                "png",
                cid=f"<{picture_id(number)}>",
                filename=f"{picture_id(number)}.png",
                disposition="inline",
            )
    return message


def picture_id(number: int) -> str:
    """Return the id by which the HTML names the picture of a part."""
    return f"board-{number}"


def format_text(content: Content) -> str:
    """Return the plain text of a mail."""
    paragraphs = [paragraph for part in content.parts for paragraph in _format_part(part)]
    foot = [*map(wrap_text, content.foot), *(f"{link.label}: {link.url}" for link in content.foot_links)]
    return "\n\n".join([*paragraphs, "\n".join([SIGNATURE, *foot])]) + "\n"


def _format_part(part: Part) -> list[str]:
    diagram, words = ("", "") if part.board is None else (part.board.diagram, part.board.words)
    link = "" if part.link is None else f"{part.link.label}: {part.link.url}"
    blocks = (
        wrap_text(part.title),
        "\n".join(map(wrap_text, part.lines)),
        wrap_text(part.answers),
        part.code,
        link,
        "\n".join(map(wrap_text, diagram.splitlines())),
        wrap_text(words),
    )
    return [block for block in blocks if block]


def _format_html(content: Content) -> str:
    template = _environment().get_template("mail.html")
    return template.render(content=content, picture_id=picture_id, language=current_language())


@cache
def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("mail", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
