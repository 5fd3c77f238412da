"""Bytes of mails as text, whatever character set they claim to have."""

from __future__ import annotations

import codecs
import re
from email.errors import HeaderParseError
from email.header import decode_header

MAX_CHARSET_LENGTH = 40
# What mail programs write, and what they mean.
_MEANT = {"shift_jis": "cp932", "x-sjis": "cp932", "iso-8859-1": "cp1252"}
_MEANT |= {"gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949"}
_MEANT |= {"windows-31j": "cp932", "unicode-1-1-utf-8": "utf-8"}
# Others of Python's codecs take time that grows with the square of the length, or are no character sets.
_CHARSET = re.compile(
    r"(?:utf-?(?:8|16|32)|iso|latin|windows|cp|koi8|gb|big5|euc|shift|ks_|mac|tis|ascii|us-)[a-z0-9_-]*"
)
_FURTHER_JAPANESE = ("iso2022_jp_3", "iso2022_jp_ext")
_UNSEEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_ENCODED_WORD = "=?"


def decode_text(data: bytes, charset: str) -> str:
    """Return the text of `data` in `charset`, or in what it is more likely to be; it never raises."""
    wanted = _find_codec(charset)
    further = _FURTHER_JAPANESE if wanted.startswith("iso-2022") else ("utf-8", "cp1252")
    for name in filter(None, (wanted, *further)):
        try:
            return data.decode(name)
        except ValueError:
            continue
    return data.decode(wanted or "latin-1", "replace")


def decode_words(text: str) -> str:
    """Return the text of a header with its encoded words decoded, on one line."""
    if _ENCODED_WORD not in text:
        return to_line(text)
    try:
        parts = decode_header(text)
    except (HeaderParseError, ValueError):
        return to_line(text)
    decoded = (part if isinstance(part, str) else decode_text(part, charset or "") for part, charset in parts)
    return to_line("".join(decoded))


def to_line(text: str) -> str:
    """Return a text on one line, without control characters."""
    return " ".join(strip_controls(text).split())


def strip_controls(text: str) -> str:
    """Return a text with a space for each control character but line breaks and tabs."""
    return _UNSEEN.sub(" ", text)


def _find_codec(charset: str) -> str:
    name = charset.strip().strip("\"'").lower()[:MAX_CHARSET_LENGTH]
    name = _MEANT.get(name, name)
    if not _CHARSET.fullmatch(name):
        return ""
    try:
        codecs.lookup(name)
    except LookupError:
        return ""
    return name
