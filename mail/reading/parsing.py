"""Bytes of a mail as an :class:`IncomingMail`, with bounded work whatever arrives.

Everything has a limit before the mail is parsed: bytes, lines, parts and depth. What is beyond is not read;
the text that a person typed is at the beginning. A mail never makes this raise.
"""

from __future__ import annotations

import hashlib
import re
from datetime import UTC, datetime
from email.parser import BytesParser
from email.policy import compat32
from email.utils import parsedate_to_datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from mail.reading.addresses import find_address, parse_mailboxes
from mail.reading.charsets import decode_text, decode_words, strip_controls, to_line
from mail.reading.flowed import join_flowed
from mail.reading.html_text import to_text
from mail.reading.values import IncomingMail

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from email.message import Message

MAX_BYTES = 256 * 1024  # of a mail that are looked at
MAX_LINES = 3000  # of a mail, headers and encoded attachments too
MAX_MULTIPARTS = 12  # mails and lists of parts inside each other, or one after another
MAX_PARTS = 60  # lines that can separate two parts
MAX_HEADERS = 200
MAX_HEADER = 4000  # characters of a header; a longer one is cut
MAX_TEXT = 64 * 1024  # characters of the text part
MAX_RECIPIENTS = 50
_RECIPIENTS = ("delivered-to", "x-original-to", "to", "cc")
_NESTING = re.compile(rb"(?:multipart|message)/", re.IGNORECASE)
_SEPARATOR = re.compile(rb"^--", re.MULTILINE)
_MESSAGE_ID = re.compile(rb"^message-id:[ \t]*(?:\n[ \t]+)?([^\n]*)", re.IGNORECASE | re.MULTILINE)
_PARAMETER = re.compile(r";\s*([\w*-]+)\s*=\s*(\"[^\"]*\"|[^\s;\"]+)")
_REFERENCE = re.compile(r"<[^<>\s]{1,250}>")


def parse_mail(raw: bytes) -> IncomingMail:
    """Return what a mail says. It never raises; what is beyond the limits is not read."""
    return _read_message(BytesParser(policy=compat32).parsebytes(_limit(raw)), is_attached=False)


def request_id(raw: bytes) -> int:
    """Return the id of the request that a mail is: the same for a mail that is delivered twice.

    It is made of the Message-ID, or of the whole mail if it has none, and negative: positive ids are those of
    Discord.
    """
    head = _normalize_line_ends(raw[:MAX_BYTES]).partition(b"\n\n")[0]
    found = _MESSAGE_ID.search(head)
    identity = found[1].strip() if found else b""
    digest = hashlib.sha256(identity or raw).digest()
    return -1 - (int.from_bytes(digest[:8]) >> 1)


def _limit(raw: bytes) -> bytes:
    """Return the beginning of a mail that is read."""
    lines = _normalize_line_ends(raw[:MAX_BYTES]).split(b"\n", MAX_LINES)
    kept = b"\n".join(lines[:MAX_LINES])
    for pattern, limit in ((_NESTING, MAX_MULTIPARTS), (_SEPARATOR, MAX_PARTS)):
        for count, found in enumerate(pattern.finditer(kept)):
            if count == limit:
                kept = kept[: found.start()]
                break
    return kept


def _normalize_line_ends(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def _read_message(message: Message[Any, Any], *, is_attached: bool) -> IncomingMail:
    headers = _read_headers(message)

    def first(name: str) -> str:
        return headers.get(name, ("",))[0]

    senders = headers.get("from", ())
    mailboxes = [
        one for name in _RECIPIENTS for value in headers.get(name, ()) for one in parse_mailboxes(value)
    ]
    parts = [] if is_attached else list(message.walk())
    attached = next((part for part in parts if part.get_content_type() == "message/rfc822"), None)
    return IncomingMail(
        message_id=first("message-id").strip(),
        from_address=find_address(senders[0]) if len(senders) == 1 else "",
        from_name=next((one.name for one in parse_mailboxes(first("from"))), ""),
        recipients=tuple(one.address for one in mailboxes if one.address)[:MAX_RECIPIENTS],
        in_reply_to=tuple(_REFERENCE.findall(f"{first('in-reply-to')} {first('references')}")),
        subject=decode_words(first("subject")),
        date=_parse_date(first("date")),
        headers=headers,
        content_type=message.get_content_type(),
        text=_find_text(message),
        report="\n\n".join(_read_reports(parts)),
        returned=None if attached is None else _read_attached(attached),
    )


def _read_attached(part: Message[Any, Any]) -> IncomingMail | None:
    inner = _parts_of(part)
    return _read_message(inner[0], is_attached=True) if inner else None


def _read_headers(message: Message[Any, Any]) -> Mapping[str, tuple[str, ...]]:
    """Return the headers by name in lower case, each value on one line, topmost first."""
    headers: dict[str, tuple[str, ...]] = {}
    for name, value in list(message.raw_items())[:MAX_HEADERS]:
        text = to_line(_to_bytes(str(value)).decode("utf-8", "replace"))[:MAX_HEADER]
        headers[name.lower()] = (*headers.get(name.lower(), ()), text)
    return MappingProxyType(headers)


def _to_bytes(text: str) -> bytes:
    """Return the bytes from which the parser made a text."""
    return text.encode("ascii", "surrogateescape")


def _parse_date(text: str) -> datetime | None:
    try:
        date = parsedate_to_datetime(text[:100])
        return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _parse_parameters(content_type: str) -> dict[str, str]:
    return {name.lower(): value.strip('"') for name, value in _PARAMETER.findall(content_type)}


def _read_reports(parts: list[Message[Any, Any]]) -> Iterator[str]:
    """Yield the groups of headers of delivery reports as lines."""
    for part in parts:
        if part.get_content_type() == "message/delivery-status":
            for group in _parts_of(part):
                yield "\n".join(
                    f"{name}: {value}" for name, values in _read_headers(group).items() for value in values
                )


def _find_text(message: Message[Any, Any]) -> str:
    """Return the text of the first part in plain text that is not empty; else that of the first in HTML."""
    html = ""
    for part in _inline_parts(message):
        kind = part.get_content_type()
        if kind == "text/plain" and (text := _read_part(part)).strip():
            return text
        if kind == "text/html" and not html:
            html = to_text(_read_part(part))
    return html


def _inline_parts(message: Message[Any, Any]) -> Iterator[Message[Any, Any]]:
    """Yield the parts that a mail program shows in its window, without attached mails and files."""
    if message.get_content_maintype() == "message":
        return
    if not message.is_multipart():
        yield message
    for part in _parts_of(message):
        if not _is_attachment(part):
            yield from _inline_parts(part)


def _parts_of(message: Message[Any, Any]) -> list[Message[Any, Any]]:
    payload: Any = message.get_payload() if message.is_multipart() else []
    return list(payload)


def _is_attachment(part: Message[Any, Any]) -> bool:
    disposition, kind = str(part.get("content-disposition", "")), str(part.get("content-type", ""))
    return disposition.strip().lower().startswith("attachment") or "name=" in f"{disposition};{kind}".lower()


def _read_part(part: Message[Any, Any]) -> str:
    """Return the decoded text of a part, at most MAX_TEXT characters."""
    if str(part.get("content-transfer-encoding", "")).strip().lower().startswith(("x-", "uu")):
        return ""
    payload: Any = part.get_payload(decode=True)
    data = payload[: MAX_TEXT * 4] if isinstance(payload, bytes) else b""
    parameters = _parse_parameters(to_line(str(part.get("content-type", "")))[:MAX_HEADER])
    text = decode_text(data, parameters.get("charset", ""))[:MAX_TEXT]
    text = strip_controls(text.replace("\r\n", "\n").replace("\r", "\n"))
    if parameters.get("format", "").lower() == "flowed":
        return join_flowed(text, deletes_space=parameters.get("delsp", "").lower() == "yes")
    return text
