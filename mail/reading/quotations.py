"""Which lines of a reply were not typed: quotations, their heads, and lines of mails that we sent."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum, auto
from typing import TYPE_CHECKING

from mail.reading.addresses import domain_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mail.reading.values import IncomingMail, OwnMail

MAX_COMPARED = 200  # characters of a line that are compared with ours
MIN_PIECE = 12  # letters and digits of a line that can be a piece of ours, because lines were wrapped anew
LONG_LINE = 60  # characters of a marked line whose rest may stand without a mark in the next one
MAX_HEAD = 8  # lines of the head of a quotation above the one that names the sender
MAX_WRAPPED = 2  # further lines of an attribution
_MARK = re.compile(r"(?:[>\uff1e\u00bb|]|[A-Za-z]{1,4}>)")
_LABEL = re.compile(r"[*\s]{0,4}[^\W\d_][^\d:<>@]{0,24}:")
_ADDRESS = re.compile(r"[^\s<>()\[\];:,\"']{1,64}@[^\s<>()\[\];:,\"']{1,100}")
_SENTENCE_ENDS = (".", "!", "?")
_TIME = re.compile(r"\b20\d\d\b|\b\d{1,2}[:.h]\d\d\b")


class LineKind(Enum):
    """What a line is."""

    TEXT = auto()
    EMPTY = auto()
    QUOTED = auto()  # it bears the mark of a quotation, or is one of ours
    END = auto()  # the head of the quotation of somebody else's mail, which cannot be told from typed text


def classify(lines: Sequence[str], mail: IncomingMail, own: OwnMail) -> list[LineKind]:
    """Return what each line is. Lines have no spaces around them."""
    return _Classifier(lines, mail, own).classify()


def squash(text: str) -> str:
    """Return the letters and digits of a line in lower case, for comparisons."""
    folded = unicodedata.normalize("NFKC", text[:MAX_COMPARED]).casefold()
    return "".join(sign for sign in folded if sign.isalnum())


class _Classifier:
    def __init__(self, lines: Sequence[str], mail: IncomingMail, own: OwnMail) -> None:
        self._lines = [unicodedata.normalize("NFKC", line[:MAX_COMPARED]) for line in lines]
        self._kinds = [_first_kind(line) for line in lines]
        sent = [squash(line) for line in own.sent_lines]
        self._sent_lines, self._sent_text = {line for line in sent if line}, "".join(sent)
        self._names = {squash(name) for name in own.names} - {""}
        self._addresses = {address.lower() for address in own.addresses}
        # A mailbox of a provider shares its domain with players.
        domains = {domain_of(address) for address in self._addresses}
        self._domains = domains - {domain_of(mail.from_address), ""}
        self._prefixes = {address.partition("+")[0] for address in self._addresses if "+" in address}

    def classify(self) -> list[LineKind]:
        for index, line in enumerate(self._lines):
            if self._is_text(index) and self._is_sent(line):
                self._kinds[index] = LineKind.QUOTED
        self._find_rests()
        for index in range(len(self._lines)):
            if self._is_text(index):
                self._read_head(index)
        for index in range(len(self._lines)):
            if self._is_text(index):
                self._read_attribution(index)
        return self._kinds

    def _is_sent(self, line: str) -> bool:
        letters = squash(line)
        return letters in self._sent_lines or (len(letters) >= MIN_PIECE and letters in self._sent_text)

    def _find_rests(self) -> None:
        """Drop the rest of a marked line that was wrapped: it stands below without a mark."""
        for index in range(1, len(self._lines)):
            above, line = self._lines[index - 1], self._lines[index]
            if self._is_text(index) and _MARK.match(above) and len(above) >= LONG_LINE:
                is_between = index + 1 < len(self._lines) and _MARK.match(self._lines[index + 1])
                is_cut_off = is_between and not above.endswith(_SENTENCE_ENDS)
                if is_cut_off or squash(line) in self._sent_text:
                    self._kinds[index] = LineKind.QUOTED

    def _read_head(self, index: int) -> None:
        """Drop the head of a quotation of ours, up to the next empty line; or end at that of another one.

        A head is a few lines such as ``From:``, in any language; the first address or name in it is the
        sender's.
        """
        if not _LABEL.match(self._lines[index]):
            return
        if not (sender := self._find_sender(index)):
            return
        start = index
        while start and index - start < MAX_HEAD and self._has_label(start - 1):
            start -= 1
        if sender == "ours":
            end = index
            while end < len(self._lines) and self._is_text(end):
                end += 1
            self._drop(start, end)
        elif sender == "another's" and (start < index or self._has_label(index + 1)):
            self._kinds[start] = LineKind.END

    def _find_sender(self, index: int) -> str:
        line = self._lines[index]
        if found := _ADDRESS.search(line):
            return "ours" if self._is_ours(found[0]) else "another's"
        return "ours" if squash(line.partition(":")[2]) in self._names else ""

    def _has_label(self, index: int) -> bool:
        return index < len(self._lines) and self._is_text(index) and bool(_LABEL.match(self._lines[index]))

    def _read_attribution(self, index: int) -> None:
        """Drop a line that says who wrote what follows, with its wrapped parts.

        It names us, or it has a time and what follows bears marks.
        """
        line = self._lines[index]
        if not (self._names_us(line) or self._is_above_marks(index)):
            return
        start, end = index, index + 1
        while (
            start and index - start < MAX_WRAPPED and self._is_text(start - 1) and self._has_time(start - 1)
        ):
            start -= 1
        if not line.endswith(":"):
            for further in range(index + 1, min(index + 1 + MAX_WRAPPED, len(self._lines))):
                if not self._is_text(further):
                    break
                if self._lines[further].endswith(":"):
                    end = further + 1
                    break
        self._drop(start, end)

    def _is_above_marks(self, index: int) -> bool:
        """Return whether a line with a time, or the end of one, introduces marked lines of anybody."""
        has_time = self._has_time(index) or (
            index > 0 and self._is_text(index - 1) and self._has_time(index - 1)
        )
        below = index + 1
        while below < len(self._lines) and self._kinds[below] is LineKind.EMPTY:
            below += 1
        is_marked = below < len(self._lines) and _MARK.match(self._lines[below])
        return self._lines[index].endswith(":") and has_time and bool(is_marked)

    def _has_time(self, index: int) -> bool:
        return bool(_TIME.search(self._lines[index]))

    def _names_us(self, line: str) -> bool:
        """Return whether a line has our address or that of one of our pages, or ends after our name."""
        if found := _ADDRESS.search(line):
            return self._is_ours(found[0])
        folded = line.casefold()
        if any(f"{sign}{domain}" in folded for domain in self._domains for sign in ("/", "%2f")):
            return True
        if not line.endswith((":", "<")):
            return False
        letters = squash(line)
        return any(name in letters for name in self._names)

    def _is_ours(self, found: str) -> bool:
        address = found.lower().removeprefix("mailto:").rstrip(".>")
        name = address.partition("+")[0]
        return (
            address in self._addresses
            or domain_of(address) in self._domains
            or ("+" in address and name in self._prefixes)
        )

    def _is_text(self, index: int) -> bool:
        return self._kinds[index] is LineKind.TEXT

    def _drop(self, start: int, end: int) -> None:
        self._kinds[start:end] = [LineKind.QUOTED] * (end - start)


def _first_kind(line: str) -> LineKind:
    if not line:
        return LineKind.EMPTY
    return LineKind.QUOTED if _MARK.match(line) else LineKind.TEXT
