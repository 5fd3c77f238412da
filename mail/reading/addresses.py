"""Mail addresses in headers. Whatever could be understood in two ways is not understood."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from mail.reading.charsets import decode_words

MAX_ADDRESSES = 50  # of a header
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\\\"@]{1,64}@[^\s<>()\[\],;:\\\"@]{1,253}")
_BRACKETED = re.compile(r"([^<>]*)<([^<>]*)>")


class Mailbox(NamedTuple):
    """A name and an address in lower case; the address is empty if it is not well formed."""

    name: str
    address: str


def parse_mailboxes(text: str) -> list[Mailbox]:
    """Return the mailboxes of a header in one line, at most MAX_ADDRESSES."""
    return [_parse_mailbox(piece) for piece in _split(text)[:MAX_ADDRESSES] if piece.strip()]


def find_address(text: str) -> str:
    """Return the one address that a header names; empty if it names none, several, or an unclear one."""
    mailboxes = parse_mailboxes(text)
    return mailboxes[0].address if len(mailboxes) == 1 else ""


def domain_of(address: str) -> str:
    """Return the domain of an address as mail servers write it: in lower case, other scripts encoded."""
    return encode_domain(address.rpartition("@")[2])


def encode_domain(domain: str) -> str:
    """Return a domain in lower case and in ASCII; empty if that is not possible or not the same domain."""
    domain = domain.strip().rstrip(".").lower()
    if domain.isascii():
        return domain
    if unicodedata.normalize("NFKC", domain) != domain:
        return ""
    try:
        return domain.encode("idna").decode("ascii")
    except UnicodeError:
        return ""


def _parse_mailbox(piece: str) -> Mailbox:
    """Return one mailbox; a name without quotation marks that has an address or a group in it makes none."""
    plain = _without_quotes_and_comments(piece)
    bracketed = _BRACKETED.fullmatch(plain.strip())
    address = (bracketed[2] if bracketed else plain).strip()
    is_clear = _ADDRESS.fullmatch(address) and not (bracketed and set(bracketed[1]) & set("@:;,"))
    name = piece.partition("<")[0] if bracketed else ""
    return Mailbox(decode_words(name.strip().strip("\"'")), address.lower() if is_clear else "")


def _split(text: str) -> list[str]:
    """Return the parts of a text between commas that stand outside quotation marks, comments and brackets."""
    pieces, start = [], 0
    for index, sign, inside in _scan(text):
        if sign == "," and not inside:
            pieces.append(text[start:index])
            start = index + 1
    return [*pieces, text[start:]]


def _without_quotes_and_comments(text: str) -> str:
    return "".join(sign for _, sign, inside in _scan(text) if not inside)


def _scan(text: str) -> list[tuple[int, str, bool]]:
    """Return every sign with its place, and whether it belongs to a quoted string or a comment."""
    found: list[tuple[int, str, bool]] = []
    depth, is_quoted, is_escaped = 0, False, False
    for index, sign in enumerate(text):
        inside = is_quoted or depth > 0
        if is_escaped:
            is_escaped = False
        elif inside and sign == "\\":
            is_escaped = True
        elif sign == '"' and not depth:
            is_quoted = not is_quoted
            inside = True
        elif sign == "(" and not is_quoted:
            depth += 1
            inside = True
        elif sign == ")" and depth:
            depth -= 1
        found.append((index, sign, inside))
    return found
