"""Mails that are made to stop or to deceive whoever reads them; the tests and the benchmark use them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

OWN = "play+mz-7-q4zt9v3mxp6w8h1d@games.example"
BOB = "bob@mail.example"
AUTHSERV = "mx.games.example"
STAMP = f"Authentication-Results: {AUTHSERV}; dmarc=pass header.from=mail.example"
FROM = f"From: Bob <{BOB}>"
MANY = 20_000
MEGABYTE = 1024 * 1024


def mail(
    body: bytes | str, *headers: str, sender: str = FROM, message_id: str = "Message-ID: <1@mail.example>"
) -> bytes:
    """Return a mail with a body after its headers."""
    head = [
        f"Return-Path: <{BOB}>",
        f"Delivered-To: {OWN}",
        STAMP,
        sender,
        f"To: <{OWN}>",
        message_id,
        *headers,
    ]
    content = body if isinstance(body, bytes) else body.encode()
    return "\n".join(line for line in head if line).encode() + b"\n\n" + content


def nest(levels: int) -> bytes:
    """Return multiparts inside each other."""
    opened = "".join(f'--b{n}\nContent-Type: multipart/mixed; boundary="b{n + 1}"\n\n' for n in range(levels))
    return f"{opened}--b{levels}\n\nB1-B10\n".encode()


def attach(levels: int) -> bytes:
    """Return mails attached to each other."""
    return b"Content-Type: message/rfc822\n\n" * levels + b"Subject: x\n\nB1-B10\n"


def _lines() -> Mapping[str, str]:
    """Return texts that are expensive for patterns or loops."""
    return {
        "empty lines": "\n" * MANY,
        "empty marked lines": "> \n" * MANY,
        "on on on": "On " * 16_000,
        "on many lines": "On Mon, Nov 23, 2026 x\n" * 2000,
        "dashes": "-" * 4000 + "\n",
        "many dashes": "-" * MEGABYTE,
        "separators": "-----\n" * MANY,
        "one megabyte": "a" * MEGABYTE,
        "one megabyte of words": "no B1-B10 " * (MEGABYTE // 10),
        "one megabyte of moves": "B1-B10\n" * (MEGABYTE // 7),
        "moves in one line": "B1-B10 " * MANY,
        "labels": "From: a@b.example\n" * MANY,
        "own addresses": f"From: Rayuela <{OWN}>\n" * MANY,
        "own names": "Rayuela wrote:\n" * MANY,
        "addresses": f"{'a' * 60}@{'b' * 60} " * MANY,
        "at signs": "@" * MEGABYTE,
        "spaces": "B1-B10" + " " * MEGABYTE + "x",
        "greetings": "Hi Bob,\n" * MANY,
        "quotation marks": "*_*_" * MANY + "B1-B10",
        "please": "resign" + " please" * MANY,
        "then": "if " + "A1-B2 then " * MANY,
        "commas": "A1," * MANY,
        "full width": "\uff22\uff11" * MANY,
        "ligatures": "\ufdfa" * MANY,
        "combining": "B1-B10" + "\u0301" * MANY,
        "invisible": "\u200b" * MANY + "B1-B10",
        "control characters": "\x00\x0b\x0c\x1b\u2028" * MANY,
    }


def _html() -> Mapping[str, str]:
    """Return sources that are expensive for parsers."""
    return {
        "open comments": "<!--" * MANY,
        "open tags": "<" * MEGABYTE,
        "nested": "<div>" * MANY + "B1-B10",
        "nested quotations": "<blockquote>" * MANY + "B1-B10",
        "styles": "<style></style>" * MANY,
        "open styles": "<style>" * MANY,
        "attributes": "<div " + "class='" * MANY + ">",
        "long attribute": "<div class='" + "a" * MEGABYTE + "'>",
        "entities": "&amp;" * MANY,
        "broken entities": "&" * MEGABYTE,
        "breaks": "<br>" * MANY,
        "declarations": "<!DOCTYPE " * MANY + "<![CDATA[" * MANY,
    }


def _parts() -> Mapping[str, bytes]:
    part = "--x\nContent-Type: text/plain\n\n\n"
    mixed = 'Content-Type: multipart/mixed; boundary="x"'
    plain = "Content-Type: text/plain"
    return {
        "many parts": mail(part * MANY, mixed),
        "nested parts": mail(nest(1000), 'Content-Type: multipart/mixed; boundary="b0"'),
        "attached mails": mail(b"Subject: x\n\n" + attach(1000), "Content-Type: message/rfc822"),
        "digest": mail(part * MANY, 'Content-Type: multipart/digest; boundary="x"'),
        "no boundary": mail(part, "Content-Type: multipart/mixed"),
        "empty boundary": mail("--\n" * MANY, 'Content-Type: multipart/mixed; boundary=""'),
        "long boundary": mail("--" + "y" * MEGABYTE, f"Content-Type: multipart/mixed; boundary={'y' * 3000}"),
        "delivery report": mail(
            "Action: failed\nStatus: 5.1.1\nFinal-Recipient: rfc822; a@b.example\n\n" * MANY,
            "Content-Type: message/delivery-status",
        ),
        "report without groups": mail(
            "--x\nContent-Type: message/delivery-status\n\n\n--x--", mixed.replace("mixed", "report")
        ),
        "broken base64": mail("Q" * 4001 + "=\n!!", plain, "Content-Transfer-Encoding: base64"),
        "base64 bomb": mail("Q" * MEGABYTE, plain, "Content-Transfer-Encoding: base64"),
        "broken quoted-printable": mail("=" * MEGABYTE, plain, "Content-Transfer-Encoding: quoted-printable"),
        "uuencode": mail("begin 644 x\n" + "M" * MEGABYTE, plain, "Content-Transfer-Encoding: x-uuencode"),
        "flowed": mail("> " * MANY + "\n" + "x \n" * MANY, f"{plain}; format=flowed; delsp=yes"),
        "parameters": mail("B1-B10", plain + "; a=b" * MANY),
        "broken parameters": mail("B1-B10", plain + '; charset="' * MANY),
    }


def _charsets() -> Mapping[str, bytes]:
    """Return texts under names of codecs that are slow, that do not exist, or that are no character sets."""
    slow = [
        "punycode",
        "idna",
        "zip",
        "undefined",
        "unicode_escape",
        "utf-7",
        "nonsense",
        "../../x",
        "x" * 4000,
    ]
    names = [*slow, "iso-2022-jp", "utf-16", "utf-8", "", "big5", "hz"]
    data = bytes(range(256)) * 400
    return {f"charset {name[:20]}": mail(data, f"Content-Type: text/plain; charset={name}") for name in names}


def _headers() -> Mapping[str, bytes]:
    recipients = ", ".join(f"p{number}@mail.example" for number in range(5000))
    injected = "=?utf-8?q?Bob=0D=0ABcc:_a=40b.example=0D=0A?="
    return {
        "5,000 recipients": mail("B1-B10", f"Cc: {recipients}"),
        "5,000 headers for recipients": mail(
            "B1-B10", *(f"Cc: p{number}@mail.example" for number in range(5000))
        ),
        "many headers": mail("B1-B10", *(f"X-{number}: x" for number in range(MANY))),
        "one long header": mail("B1-B10", "X-Long: " + "x" * MEGABYTE),
        "a folded header": mail("B1-B10", "X-Long: x" + "\n x" * MANY),
        "a header without end": (FROM + "x" * MEGABYTE).encode(),
        "no message id": mail("B1-B10", message_id=""),
        "no headers": b"\n\nB1-B10",
        "nothing": b"",
        "only NUL": b"\0" * MEGABYTE,
        "noise": bytes(range(256)) * 4000,
        "date of 2031": mail("B1-B10", "Date: Mon, 24 Nov 2031 17:01:00 +0100"),
        "impossible date": mail("B1-B10", "Date: Mon, 99 Foo 99999 99:99:99 +9999999999"),
        "date with a year of many digits": mail("B1-B10", f"Date: Mon, 24 Nov {'9' * 90} 1:1:1 +0"),
        "injection through a name": mail("B1-B10", sender=f"From: {injected} <{BOB}>"),
        "injection through the subject": mail("B1-B10", f"Subject: {injected}"),
        "commas for an address": mail("B1-B10", sender="From: ,"),
        "comments in an address": mail("B1-B10", sender="From: " + "(" * MANY + BOB),
        "quotation marks in an address": mail("B1-B10", sender="From: " + '"' * MANY + BOB),
        "escapes in an address": mail("B1-B10", sender="From: " + '"\\' * MANY + BOB),
        "encoded words": mail("B1-B10", "Subject: " + "=?utf-8?q?" * MANY),
        "broken encoded words": mail("B1-B10", "Subject: " + "=?utf-8?b?Q?=" * MANY),
        "question marks": mail("B1-B10", "Subject: " + "=?" * MANY),
        "forged results": mail("B1-B10", *([STAMP] * 5000)),
        "comments in results": mail("B1-B10", f"Authentication-Results: {AUTHSERV};" + "(" * MANY),
        "references": mail("B1-B10", "References: " + "<" * MANY, "In-Reply-To: " + "<a@b> " * MANY),
        "bytes in headers": mail("B1-B10").replace(b"Bob", bytes(range(128, 256))),
    }


def make_attacks() -> dict[str, bytes]:
    """Return the attacks by name."""
    html = "Content-Type: text/html; charset=utf-8"
    texts = {name: mail(text) for name, text in _lines().items()}
    pages = {f"html: {name}": mail(source, html) for name, source in _html().items()}
    return {**texts, **pages, **_parts(), **_charsets(), **_headers()}
