"""A mail is a player's only if the operator's own mail server says so; everybody else can write that too."""

from __future__ import annotations

import pytest

from mail.reading.parsing import MAX_HEADER
from mail.reading.senders import check_sender, parse_results
from mail.reading.values import Sender
from tests.mail.reading.replies import AUTHSERV, BOB
from tests.mail.reading.scenario import parse

FROM = f"From: Bob <{BOB}>"
OURS = f"Authentication-Results: {AUTHSERV}"
PASSED = f"{OURS}; dmarc=pass header.from=mail.example"
FAILED = f"{OURS}; dmarc=fail header.from=mail.example"


def check(*headers: str, addresses: tuple[str, ...] = (BOB,), authserv_id: str | None = AUTHSERV) -> Sender:
    return check_sender(parse(*headers), addresses, authserv_id)


@pytest.mark.parametrize(
    "headers",
    [
        (PASSED, FROM),
        (PASSED, FAILED, FROM),  # only the topmost counts
        ("Authentication-Results: other.example; dmarc=fail header.from=mail.example", PASSED, FROM),
        (f"Authentication-Results: {AUTHSERV.upper()} 1; DMARC=Pass (p=none) Header.From=Mail.Example", FROM),
        (
            f'Authentication-Results: (x; dmarc=fail) "{AUTHSERV}"; dmarc = pass header.from = mail.example',
            FROM,
        ),
        (
            f"{OURS};\n\tspf=fail (it's \"x)\n\tsmtp.mailfrom=a@b;\n dmarc=pass\n\theader.from=mail.example",
            FROM,
        ),
        (f'{OURS}; dmarc=pass reason="x; y" header.from=mail.example', FROM),
        (f"{OURS}; dmarc=none header.from=mail.example; dkim=pass header.d=mail.example", FROM),
        (f"{OURS}; dkim=pass header.i=@mail.example", FROM),
        (f"{OURS}; dkim=fail header.d=mail.example; spf=pass smtp.mailfrom={BOB}", FROM),
        (f"{OURS}; dkim=pass header.d=mail.example", "From: bob@eu.mail.example"),
        (PASSED, f'From: "carol@other.example" <{BOB}>'),
        (PASSED, "From: BOB@MAIL.EXAMPLE"),
    ],
)
def test_confirmed(headers: tuple[str, ...]) -> None:
    assert check(*headers, addresses=(BOB, "bob@eu.mail.example")) is Sender.CONFIRMED


@pytest.mark.parametrize(
    "headers",
    [
        (FROM,),
        ("Authentication-Results: other.example; dmarc=pass header.from=mail.example", FROM),
        (f"Authentication-Results: {AUTHSERV}.other.example; dmarc=pass header.from=mail.example", FROM),
        (f"X-{PASSED}", FROM),
        (f"{OURS}; none", FROM),
        (f"{OURS}; dmarc=pass", FROM),
        (f"{OURS}; dmarc=pass header.from=other.example", FROM),
        (f"{OURS}; dmarc=pass header.from=mail.example.other.example", FROM),
        (f"{OURS}; dmarc=pass header.from=mail.example header.from=other.example", FROM),
        (f"{OURS}; dmarc=temperror header.from=mail.example; dkim=pass header.d=mail.example", FROM),
        (f"{OURS}; dkim=pass header.d=other.example", FROM),
        (f"{OURS}; dkim=pass header.d=sub.mail.example", FROM),
        (f"{OURS}; dkim=pass header.d=example", FROM),
        (f"{OURS}; spf=pass smtp.mailfrom=bob@other.example", FROM),
        (f"{OURS}; spf=pass smtp.helo=mail.example", FROM),
        (f"{OURS}; dkim=none (dmarc=pass header.from=mail.example)", FROM),
        (f'{OURS}; spf=none smtp.mailfrom="; dmarc=pass header.from=mail.example"', FROM),
        (f"{OURS}; dmarc=pass header.from=mail.example (", FROM),
        (f'{OURS}; dmarc=pass header.from="mail.example', FROM),
        (f"{PASSED}{'; x=y' * MAX_HEADER}; dmarc=fail", FROM),  # cut
        (f"{PASSED};{' ' * MAX_HEADER}; dmarc", FROM),
        (f"{OURS}; dmarc", FROM),
        (f"{OURS}; dkim=fail", PASSED, FROM),  # one below the topmost may be anybody's
    ],
)
def test_unproven(headers: tuple[str, ...]) -> None:
    assert check(*headers) is Sender.UNPROVEN


@pytest.mark.parametrize(
    "headers",
    [
        (FAILED, FROM),
        (FAILED, PASSED, FROM),
        (f"{OURS}; dmarc=pass header.from=mail.example; dmarc=fail header.from=mail.example", FROM),
        (f"{OURS}; dkim=pass header.d=mail.example; dmarc=fail", FROM),
        (f"{OURS}; dmarc=fail x=y=z; dkim=pass header.d=mail.example", FROM),
        (PASSED, "From: carol@other.example"),
        (PASSED, f'From: "{BOB}" <carol@other.example>'),
        (PASSED, f"From: {BOB} <carol@other.example>"),
        (PASSED, f"From: {BOB}, carol@other.example"),
        (PASSED, FROM, FROM),
        (PASSED, f"From: Friends: {BOB};"),
        (PASSED, "From: bob@m\u0430il.example"),
        (PASSED, "From: bob@\uff4dail.example"),
        (PASSED, "From: bob@mail.example.other.example"),
        (PASSED, f"From: =?utf-8?q?{BOB.replace('@', '=40')}?="),
        (PASSED,),
    ],
)
def test_forged(headers: tuple[str, ...]) -> None:
    assert check(*headers) is Sender.FORGED


def test_server_that_stamps_nothing_proves_nothing() -> None:
    assert check(PASSED, FROM, authserv_id=None) is Sender.UNPROVEN
    assert check(PASSED, "From: carol@other.example", authserv_id=None) is Sender.FORGED


def test_domain_of_another_script() -> None:
    stamp = f"{OURS}; dmarc=pass header.from=xn--bcher-kva.example"
    assert (
        check(stamp, "From: bob@b\u00fccher.example", addresses=("bob@b\u00fccher.example",))
        is Sender.CONFIRMED
    )


def test_results_are_parsed() -> None:
    name, results = parse_results('mx.example 1; spf=pass (a(b)\\)c) smtp.mailfrom="a b@x.example"; x/2=pass')
    assert name == "mx.example"
    assert [(one.method, one.result, dict(one.properties)) for one in results] == [
        ("spf", "pass", {"smtp.mailfrom": "a b@x.example"}),
        ("x", "pass", {}),
    ]
