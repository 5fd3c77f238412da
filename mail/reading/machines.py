"""Mails that no person wrote: replies of machines, lists, receipts, and reports of lost mails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mail.reading.addresses import domain_of, find_address
from mail.reading.values import BounceReport, Ignored

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from mail.reading.values import IncomingMail, OwnMail

TURN_HEADER = "X-Rayuela-Turn"
"""The header of every mail that we send about a match."""

_MACHINE_PRECEDENCE = frozenset({"bulk", "list", "junk", "auto_reply"})
_HARD = "5."
_LOST, _DELAYED = "failed", "delayed"


def find_machine(mail: IncomingMail, own: OwnMail) -> Ignored | BounceReport | None:
    """Return why a mail must never be answered, or the report that it is; None for a mail of a person."""
    if _is_own(mail, own):
        return Ignored("own mail")
    if mail.content_type == "multipart/report":
        return _find_bounce(mail) or Ignored("report")
    mark = _find_mark(mail)
    return Ignored(mark) if mark else None


def _find_mark(mail: IncomingMail) -> str:
    """Return the header by which a mail says that a machine wrote it; empty if none does."""
    submitted = _first(mail, "auto-submitted").partition(";")[0].strip().lower()
    marks = {
        "Auto-Submitted": submitted not in {"", "no"},
        "Precedence": _first(mail, "precedence").strip().lower() in _MACHINE_PRECEDENCE,
        "List-Id": "list-id" in mail.headers,
        "X-Autoreply": "x-autoreply" in mail.headers,
        "Return-Path": _first(mail, "return-path").replace(" ", "") == "<>",
    }
    return next((name for name, is_marked in marks.items() if is_marked), "")


def _is_own(mail: IncomingMail, own: OwnMail) -> bool:
    """Return whether a mail is one of ours that came back."""
    # A mailbox of a provider shares its domain with players.
    domains = {domain_of(address) for address in own.addresses} - {domain_of(mail.from_address)}
    has_own_id = domain_of(mail.message_id.strip("<> ")) in domains
    return TURN_HEADER.lower() in mail.headers or has_own_id or mail.from_address in own.addresses


def _find_bounce(mail: IncomingMail) -> BounceReport | None:
    """Return what a report says of the recipient that fared worst; None if nothing was lost or delayed."""
    found = [
        BounceReport(_address(group), group["action"] == _LOST and group.get("status", "").startswith(_HARD))
        for group in _groups(mail.report)
        if group.get("action") in {_LOST, _DELAYED}
    ]
    return max(found, key=lambda report: report.is_hard, default=None)


def _groups(report: str) -> Iterator[Mapping[str, str]]:
    for group in report.split("\n\n"):
        pairs = [line.partition(":") for line in group.split("\n")]
        yield {name.lower(): value.strip().lower() for name, _, value in pairs}


def _address(group: Mapping[str, str]) -> str | None:
    """Return the address that we wrote to if the report says it, else the one that failed."""
    for name in ("original-recipient", "final-recipient"):
        if address := find_address(group.get(name, "").partition(";")[2].strip()):
            return address
    return None


def _first(mail: IncomingMail, name: str) -> str:
    return mail.headers.get(name, ("",))[0]
