"""What a person typed into a reply: its lines without quotations, signatures, and what mail programs add."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from mail.reading.quotations import LineKind, classify

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mail.reading.values import IncomingMail, OwnMail, Paragraphs

MAX_LINES = 500  # of a text that are looked at
MAX_LINE = 2000  # characters of a line that are kept
SIGNATURE = "--"
SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"  # headers up to an empty line follow
_SEPARATORS = ("-----", "_____", "=====", "*****", "\u2015\u2015", "\u2500\u2500")
# How lines begin that mail programs put below what was typed.
_ADDED = (
    *("sent from ", "sent with ", "sent via ", "sent using ", "get outlook", "get [outlook", "yahoo mail:"),
    *(
        "von meinem ",
        "gesendet von ",
        "gesendet mit ",
        "diese nachricht wurde ",
        "envoyé de",
        "envoyé depuis",
    ),
    *("télécharger outlook", "outlook für ", "holen sie sich outlook", "enviado desde ", "enviado do "),
    *(
        "enviado de ",
        "obtener outlook",
        "inviato da",
        "ottieni outlook",
        "verzonden vanaf ",
        "verstuurd vanaf ",
    ),
    *("wysłane z", "wysłano z", "отправлено ", "skickat från ", "sendt fra ", "lähetetty ", "odesláno "),
    *(
        "iphoneから送信",
        "ipadから送信",
        "androidから送信",
        "发自我的",
        "發自我的",
        "나의 iphone",
        "telefonumdan gönderildi",
    ),
    *("iphone'umdan gönderildi", "iphone\u2019umdan gönderildi", "elküldve "),
)


def find_typed(mail: IncomingMail, own: OwnMail) -> Paragraphs:
    """Return what was typed as paragraphs of lines, at most MAX_LINES lines."""
    lines = [_strip(line[:MAX_LINE]) for line in mail.text.split("\n", MAX_LINES)[:MAX_LINES]]
    paragraphs: list[tuple[str, ...]] = [()]
    for line in _typed_lines(lines, classify(lines, mail, own)):
        if line:
            paragraphs[-1] += (line,)
        else:
            paragraphs.append(())
    return tuple(paragraph for paragraph in paragraphs if paragraph)


def _typed_lines(lines: Sequence[str], kinds: Sequence[LineKind]) -> Iterator[str]:
    """Yield the typed lines up to the signature, with an empty line for what is between them."""
    has_text = is_signed = False
    for index, (line, kind) in enumerate(zip(lines, kinds, strict=True)):
        if kind is LineKind.END:
            return
        if kind is not LineKind.TEXT:
            is_signed = False
            yield ""
        elif is_signed or line == SIGNED:
            is_signed = True
        elif line == SIGNATURE:
            # In a quotation of ours without marks it is not the end.
            if has_text or not index or kinds[index - 1] is not LineKind.QUOTED:
                return
        elif line.startswith(_SEPARATORS) or line.casefold().startswith(_ADDED):
            if has_text:
                return
        else:
            has_text = True
            yield line


def _strip(line: str) -> str:
    """Return a line without spaces and invisible characters around it."""
    start, end = 0, len(line)
    while start < end and _is_invisible(line[start]):
        start += 1
    while end > start and _is_invisible(line[end - 1]):
        end -= 1
    return line[start:end]


def _is_invisible(sign: str) -> bool:
    return sign.isspace() or unicodedata.category(sign) in {"Cf", "Cc"}
