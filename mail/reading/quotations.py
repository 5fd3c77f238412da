"""Which lines of a reply were not typed: quotations, their heads, and lines of mails that we sent."""

from __future__ import annotations

import re
import unicodedata
from enum import Enum, auto
from typing import TYPE_CHECKING

from mail.reading.addresses import domain_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from mail.reading.values import IncomingMail, OwnMail

MAX_COMPARED = 200  # characters of a line that are compared with ours
MIN_PIECE = 24  # letters and digits of a line that is a piece of ours, wherever it stands
LONG_LINE = 60  # characters of a marked line whose rest may stand without a mark in the next one
MAX_HEAD = 8  # lines of the head of a quotation above the one that names the sender
MAX_WRAPPED = 2  # further lines of an attribution
_MARK = re.compile(r"(?:[>\uff1e\u00bb|]|[A-Za-z]{1,4}>)")
_LABEL = re.compile(r"[*\s]{0,4}[^\W\d_][^\d:<>@]{0,24}:")
_NO_LETTERS = re.compile(r"[\W_]+")
_LINK = re.compile(r"<?https?://\S+")
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
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKC", text[:MAX_COMPARED]).casefold())


class _Classifier:
    def __init__(self, lines: Sequence[str], mail: IncomingMail, own: OwnMail) -> None:
        self._lines = [unicodedata.normalize("NFKC", line[:MAX_COMPARED]) for line in lines]
        self._kinds = [_first_kind(line) for line in lines]
        sent = [squash(line) for line in own.sent_lines]
        self._sent_labels = {squash(_without_links(line)) for line in own.sent_lines if _LINK.search(line)}
        self._sent_lines, self._sent_text = {line for line in sent if line}, "".join(sent)
        self._sent: set[int] = set()  # which lines are ours, or pieces of them
        self._names = {squash(name) for name in own.names} - {""}
        self._addresses = {address.lower() for address in own.addresses}
        # A mailbox of a provider shares its domain with players.
        domains = {domain_of(address) for address in self._addresses}
        self._domains = domains - {domain_of(mail.from_address), ""}
        self._prefixes = {address.partition("+")[0] for address in self._addresses if "+" in address}

    def classify(self) -> list[LineKind]:
        for index, line in enumerate(self._lines):
            if self._is_text(index) and self._is_sent(line):
                self._sent.add(index)
                self._kinds[index] = LineKind.QUOTED
        self._find_pieces(range(len(self._lines)), -1)
        self._find_pieces(reversed(range(len(self._lines))), 1)
        self._find_rests()
        for index in range(len(self._lines)):
            if self._is_text(index):
                self._read_head(index)
        for index in range(len(self._lines)):
            if self._is_text(index):
                self._read_attribution(index)
        return self._kinds

    def _is_sent(self, line: str) -> bool:
        # Programs write links twice, or replace them.
        if _LINK.search(line) and squash(_without_links(line)) in self._sent_labels:
            return True
        letters = squash(line)
        return letters in self._sent_lines or (len(letters) >= MIN_PIECE and letters in self._sent_text)

    def _find_pieces(self, indexes: Iterable[int], step: int) -> None:
        """Drop short pieces of ours beside a line of ours: lines were wrapped anew."""
        for index in indexes:
            beside = index + step
            is_beside = 0 <= beside < len(self._lines) and beside in self._sent
            if is_beside and self._is_text(index) and squash(self._lines[index]) in self._sent_text:
                self._sent.add(index)
                self._kinds[index] = LineKind.QUOTED

    def _find_rests(self) -> None:
        """Drop the rest of a marked line that was wrapped: it stands below without a mark."""
        for index in range(1, len(self._lines)):
            above, line = self._lines[index - 1], self._lines[index]
            if self._is_text(index) and _MARK.match(above) and len(above) >= LONG_LINE:
                is_between = index + 1 < len(self._lines) and _MARK.match(self._lines[index + 1])
                is_cut_off = is_between and not above.endswith(_SENTENCE_ENDS)
                if is_cut_off or squash(above)[-MIN_PIECE:] + squash(line) in self._sent_text:
                    self._kinds[index] = LineKind.QUOTED

    def _read_head(self, index: int) -> None:
        """Drop the head of a quotation of ours, up to the next empty line; or end at that of another one.

        A head is a few lines such as ``From:``, in any language. The first line is the sender's, or follows a
        date; if that is a name alone which is not ours, an address of ours further down is the recipient's.
        """
        if not _LABEL.match(self._lines[index]):
            return
        if not (sender := self._find_sender(index)):
            return
        start = index
        while index - start < MAX_HEAD and self._has_label(start - 1):
            start -= 1
        dates = all(self._has_time(above) for above in range(start, index))
        if sender == "ours" and dates:
            end = index
            while self._is_text(end):
                end += 1
            self._drop(start, end)
        elif start < index or (sender == "another's" and self._has_label(index + 1)):
            self._kinds[start] = LineKind.END

    def _find_sender(self, index: int) -> str:
        line = self._lines[index]
        if found := _ADDRESS.search(line):
            return "ours" if self._is_ours(found[0]) else "another's"
        return "ours" if squash(line.partition(":")[2]) in self._names else ""

    def _has_label(self, index: int) -> bool:
        return self._is_text(index) and bool(_LABEL.match(self._lines[index]))

    def _read_attribution(self, index: int) -> None:
        """Drop a line that says who wrote what follows, with its wrapped parts.

        It names us, or it has a time and what follows bears marks.
        """
        start, end = index, self._find_colon(index)
        has_time = self._has_time(index) or (self._is_text(index - 1) and self._has_time(index - 1))
        is_above_quotation = end and self._is_above_quotation(end)
        if self._has_our_address(index):
            is_attribution = end or has_time or len(self._lines[index].split()) <= MAX_WRAPPED
        elif self._has_our_name(index):
            is_attribution = has_time or is_above_quotation
        else:
            is_attribution = has_time and is_above_quotation and end == index + 1
        if is_attribution:
            while index - start < MAX_WRAPPED and self._is_text(start - 1) and self._has_time(start - 1):
                start -= 1
            self._drop(start, end or index + 1)

    def _find_colon(self, index: int) -> int:
        """Return the end of the lines from `index` to one that ends as an attribution does; 0 without one."""
        for further in range(index, index + 1 + MAX_WRAPPED):
            if not self._is_text(further):
                return 0
            if self._lines[further].endswith((":", "<")):
                return further + 1
        return 0

    def _is_above_quotation(self, index: int) -> bool:
        """Return whether the first line from `index` that is not empty is dropped."""
        rest = (kind for kind in self._kinds[index:] if kind is not LineKind.EMPTY)
        return next(rest, LineKind.TEXT) is LineKind.QUOTED

    def _has_time(self, index: int) -> bool:
        return bool(_TIME.search(self._lines[index]))

    def _has_our_address(self, index: int) -> bool:
        found = _ADDRESS.search(self._lines[index])
        return bool(found and self._is_ours(found[0]))

    def _has_our_name(self, index: int) -> bool:
        """Return whether a line has our name and nobody's address."""
        if _ADDRESS.search(self._lines[index]) or not self._lines[index].endswith((":", "<")):
            return False
        letters = squash(self._lines[index])
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
        return 0 <= index < len(self._kinds) and self._kinds[index] is LineKind.TEXT

    def _drop(self, start: int, end: int) -> None:
        self._kinds[start:end] = [LineKind.QUOTED] * (end - start)


def _without_links(line: str) -> str:
    return _LINK.sub("", line)


def _first_kind(line: str) -> LineKind:
    if not line:
        return LineKind.EMPTY
    return LineKind.QUOTED if _MARK.match(line) else LineKind.TEXT
