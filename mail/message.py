"""A mail as text and as HTML, with pictures of boards inside, from what it has to say."""

from __future__ import annotations

from dataclasses import dataclass
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8
from email.utils import format_datetime, parseaddr
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

from i18n.quoting import quote

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

MAX_SUBJECT_LENGTH = 150  # characters
MAX_LINE_LENGTH = (
    900  # of 998 that SMTP allows: a long address in a header would be encoded when it is folded
)
SIGNATURE = "-- "  # ends the text; clients leave out what follows when somebody replies


@dataclass(frozen=True, slots=True)
class Picture:
    """A board as PNG, and its description in words, sentence by sentence."""

    png: bytes
    description: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """An address and what it leads to."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Part:
    """One subject of a mail: a title, lines about it, what to open, and perhaps a board or a code."""

    title: str
    lines: tuple[str, ...] = ()
    link: Link | None = None
    picture: Picture | None = None
    code: str = ""


@dataclass(frozen=True, slots=True)
class Content:
    """What a mail says; the foot says why it came, and how to get no more of them."""

    subject: str
    parts: tuple[Part, ...]
    foot: tuple[str, ...]
    foot_links: tuple[Link, ...] = ()


@dataclass(frozen=True, slots=True)
class Sender:
    """Who mails are from, such as ``Rayuela <play@example.org>``."""

    mail_from: str

    @property
    def domain(self) -> str:
        """The domain of the address."""
        return parseaddr(self.mail_from)[1].rpartition("@")[2]

    def message_id(self, name: str) -> str:
        """Return the id of a mail: the same name has the same id."""
        return f"<{name}@{self.domain}>"


def unsubscribe_headers(url: str) -> dict[str, str]:
    """Return the headers with which mail programs offer to stop such mails (RFC 8058)."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


def build_message(
    sender: Sender, address: str, content: Content, *, name: str, now: datetime, headers: Mapping[str, str]
) -> EmailMessage:
    """Return the mail that says `content`. A mail that may be sent twice has the same `name` both times.

    No value can add a header: each is one line, and the policy refuses any other.
    """
    policy = SMTP if address.isascii() else SMTPUTF8
    message = EmailMessage(policy.clone(max_line_length=MAX_LINE_LENGTH))
    shown, from_address = parseaddr(sender.mail_from)
    message["From"] = Address(shown, addr_spec=from_address)
    message["To"] = Address(addr_spec=address)
    message["Subject"] = quote(content.subject, MAX_SUBJECT_LENGTH)
    message["Date"] = format_datetime(now)
    message["Message-ID"] = sender.message_id(name)
    message["Auto-Submitted"] = "auto-generated"
    for header, value in headers.items():
        message[header] = value
    message.set_content(format_text(content))
    message.add_alternative(_format_html(content), subtype="html")
    html = message.get_payload()[1]  # type: ignore[index]
    for number, part in enumerate(content.parts):
        if part.picture is not None:
            html.add_related(  # type: ignore[union-attr]
                part.picture.png,
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
    foot = [*content.foot, *(f"{link.label}: {link.url}" for link in content.foot_links)]
    return "\n\n".join([*paragraphs, "\n".join([SIGNATURE, *foot])]) + "\n"


def _format_part(part: Part) -> list[str]:
    described = () if part.picture is None else part.picture.description
    link = "" if part.link is None else f"{part.link.label}: {part.link.url}"
    blocks = (part.title, "\n".join(part.lines), part.code, link, "\n".join(described))
    return [block for block in blocks if block]


def _format_html(content: Content) -> str:
    return _environment().get_template("mail.html").render(content=content, picture_id=picture_id)


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
