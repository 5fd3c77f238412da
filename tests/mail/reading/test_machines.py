"""Mails of machines get no answer, and reports of lost mails are understood."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mail.reading.machines import TURN_HEADER, find_machine
from mail.reading.parsing import parse_mail
from mail.reading.values import BounceReport, Ignored
from tests.mail.reading.replies import BOB, OWN
from tests.mail.reading.scenario import OWN_MAIL, parse

HARD = "Action: failed\nStatus: 5.1.1"
PERSON = f"From: Bob <{BOB}>"


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: auto-replied",
        "Auto-Submitted: AUTO-GENERATED; x=y",
        "Precedence: bulk",
        "Precedence: List",
        "Precedence: junk",
        "Precedence: auto_reply",
        "List-Id: <friends.lists.example>",
        "X-Autoreply: yes",
        "Return-Path: <>",
        "Return-Path: < >",
        f"{TURN_HEADER}: 123-6",
        "Message-ID: <turn-1@games.example>",
        "Content-Type: multipart/report; report-type=disposition-notification; boundary=x",
        "Content-Type: multipart/report; boundary=x",
    ],
)
def test_machine_is_ignored(header: str) -> None:
    assert isinstance(find_machine(parse(PERSON, header), OWN_MAIL), Ignored)


@pytest.mark.parametrize(
    "header",
    [
        "Auto-Submitted: no",
        "Auto-Submitted: No; x=y",
        "Precedence: normal",
        "X-Auto-Response-Suppress: All",
        "X-Autorespond: yes",
        f"Return-Path: <{BOB}>",
        "Message-ID: <1@mail.example>",
        "In-Reply-To: <turn-1@games.example>",
    ],
)
def test_person_is_not(header: str) -> None:
    assert find_machine(parse(PERSON, header), OWN_MAIL) is None


def test_own_mail_is_ignored() -> None:
    assert isinstance(find_machine(parse(f"From: Rayuela <{OWN}>"), OWN_MAIL), Ignored)


def test_mailbox_of_a_provider_shares_the_domain_of_message_ids_with_players() -> None:
    own = replace(OWN_MAIL, addresses=("games+a@mail.example",))
    assert find_machine(parse(PERSON, "Message-ID: <1@mail.example>"), own) is None


def report(*groups: str) -> BounceReport | Ignored | None:
    status = "\n\n".join(["Reporting-MTA: dns; mx.example", *groups])
    parts = ["Content-Type: text/plain\n\nB1-B10", f"Content-Type: message/delivery-status\n\n{status}\n"]
    parts.append(f"Content-Type: message/rfc822\n\nFrom: <{OWN}>\nTo: <{BOB}>\n\nIt is your turn.")
    head = "Return-Path: <>\nContent-Type: multipart/report; report-type=Delivery-Status; boundary=x"
    body = "".join(f"--x\n{part}\n" for part in parts)
    return find_machine(parse_mail(f"{head}\n\n{body}--x--\n".encode()), OWN_MAIL)


@pytest.mark.parametrize(
    ("group", "expected"),
    [
        (f"Final-Recipient: rfc822; {BOB}\nAction: failed\nStatus: 5.1.1", BounceReport(BOB, is_hard=True)),
        (f"Final-Recipient: RFC822;{BOB}\nACTION: Failed\nSTATUS: 5.0.0", BounceReport(BOB, is_hard=True)),
        (f"Final-Recipient: rfc822; {BOB}\nAction: failed\nStatus: 4.4.7", BounceReport(BOB, is_hard=False)),
        (f"Final-Recipient: rfc822; {BOB}\nAction: delayed\nStatus: 4.4.1", BounceReport(BOB, is_hard=False)),
        (f"Final-Recipient: rfc822; {BOB}\nAction: delayed\nStatus: 5.0.0", BounceReport(BOB, is_hard=False)),
        (
            f"Original-Recipient: rfc822; {BOB}\nFinal-Recipient: rfc822; x@y.example\n{HARD}",
            BounceReport(BOB, is_hard=True),
        ),
        ("Action: failed\nStatus: 5.1.1", BounceReport(None, is_hard=True)),
        ("Final-Recipient: x400; C=DE\nAction: failed", BounceReport(None, is_hard=False)),
    ],
)
def test_delivery_report(group: str, expected: BounceReport) -> None:
    assert report(group) == expected


def test_report_of_several_recipients_tells_of_the_one_that_is_lost() -> None:
    fine = "Final-Recipient: rfc822; ann@mail.example\nAction: delivered\nStatus: 2.0.0"
    late = "Final-Recipient: rfc822; carl@mail.example\nAction: delayed\nStatus: 4.0.0"
    lost = f"Final-Recipient: rfc822; {BOB}\nAction: failed\nStatus: 5.1.1"
    assert report(fine, late, lost) == BounceReport(BOB, is_hard=True)


def test_report_of_a_delivery_or_of_nothing_is_ignored() -> None:
    assert isinstance(report(f"Final-Recipient: rfc822; {BOB}\nAction: delivered\nStatus: 2.0.0"), Ignored)
    assert isinstance(report(), Ignored)


def test_returned_mail_is_read() -> None:
    attached = f"Content-Type: message/rfc822\n\nFrom: <{OWN}>\n\nIt is your turn.\n"
    mail = parse_mail(attached.encode())
    assert mail.text == ""
    assert mail.returned is not None
    assert (mail.returned.from_address, mail.returned.text) == (OWN, "It is your turn.\n")
