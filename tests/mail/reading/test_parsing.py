"""What a mail says is found whatever its form, and nothing that is attached is taken for it."""

from __future__ import annotations

import base64
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.reading.html_text import SEPARATOR, to_text
from mail.reading.machines import find_machine
from mail.reading.parsing import (
    MAX_HEADER,
    MAX_RECIPIENTS,
    MAX_TEXT,
    parse_mail,
    request_id,
)
from mail.reading.senders import check_sender
from mail.reading.typed import MAX_LINES, find_typed
from mail.reading.words import read_words
from tests.mail.attacks import make_attacks
from tests.mail.reading.replies import AUTHSERV, BOB, REPLIES
from tests.mail.reading.scenario import MORELLI, OWN_MAIL, VOCABULARY, parse
from tests.unicode_text import unicode_text

MAILS = [*(reply.raw for reply in REPLIES), *(raw[:4000] for raw in make_attacks().values())]
PLAIN = "Content-Type: text/plain; charset="


def text_of(headers: str, body: bytes) -> str:
    return parse_mail(headers.encode() + b"\n\n" + body).text


@pytest.mark.parametrize(
    ("charset", "typed", "codec"),
    [
        ("utf-8", "Zug B1\u2013B10", "utf-8"),
        ("iso-8859-1", "B1\u2013B10", "cp1252"),
        ("us-ascii", "pour toi, Zoé", "utf-8"),
        ("Shift_JIS", "①よろしく\uff5e", "cp932"),
        ("iso-2022-jp", "\uff22\uff11よろしく", "iso2022_jp"),
        ("gb2312", "你好\u3400", "gb18030"),
        ("nonsense", "Zoé", "utf-8"),
        ("punycode", "Zoé", "cp1252"),
        ("", "Zoé", "utf-8"),
    ],
)
def test_character_set(charset: str, typed: str, codec: str) -> None:
    assert text_of(f"{PLAIN}{charset}", typed.encode(codec)) == typed


@pytest.mark.parametrize("encoding", ["base64", "BASE64"])
def test_base64_without_its_end_is_read(encoding: str) -> None:
    data = base64.b64encode(b"B1-B10\n and more").rstrip(b"=")
    assert text_of(f"{PLAIN}utf-8\nContent-Transfer-Encoding: {encoding}", data).startswith("B1-B10\n")


def test_flowed_lines_are_joined() -> None:
    flowed = "Content-Type: text/plain; format=flowed"
    assert text_of(flowed, b" B1-B10 \nis good\n-- \nBob") == "B1-B10 is good\n-- \nBob"
    assert text_of(f"{flowed}; DelSp=yes", b"B1- \nB10") == "B1-B10"
    assert text_of(flowed, b"> a \n> b\nc") == "> a b\nc"
    assert text_of(flowed, b"> a \nb") == "> a \nb"


def multipart(kind: str, *parts: str) -> str:
    body = "".join(f"--x\n{part}\n" for part in parts)
    return parse_mail(f'Content-Type: multipart/{kind}; boundary="x"\n\n{body}--x--\n'.encode()).text.strip()


def test_text_is_that_of_the_first_part_that_is_shown() -> None:
    typed, other = "Content-Type: text/plain\n\nB1-B10", "Content-Type: text/plain\n\nA1-B2"
    page = "Content-Type: text/html\n\n<p>C1-C2"
    attached = "Content-Disposition: attachment\n\nA1-B2"
    named = 'Content-Type: text/plain; name="note.txt"\n\nA1-B2'
    forwarded = "Content-Type: message/rfc822\n\nSubject: x\n\nA1-B2"
    assert multipart("mixed", typed, other) == "B1-B10"
    assert multipart("mixed", attached, named, forwarded, typed) == "B1-B10"
    assert multipart("alternative", page, typed) == "B1-B10"
    assert multipart("alternative", "Content-Type: text/plain\n\n \n", page) == "C1-C2"
    assert multipart("mixed", attached, named, forwarded) == ""


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("B1-B10<br>two", "B1-B10\ntwo"),
        ("<div>B1-B10</div><div><br></div><div>two</div>", "B1-B10\n\ntwo"),
        ("<p>B1-B10</p><p>two</p>", "B1-B10\n\ntwo"),
        ("<p class=MsoNormal>B1-B10</p><p class=MsoNormal>&nbsp;</p><p class=MsoNormal>x</p>", "B1-B10\n\nx"),
        ("B1&ndash;B10<style>a{}</style><!-- x -->", "B1\u2013B10"),
        ("a<blockquote>b<blockquote>c</blockquote>d</blockquote>e", "a\ne"),
        ('a<div class="gmail_quote x">b<div>c</div></div>d', "a\nd"),
        ('a<div id="divRplyFwdMsg">b</div>c', "a"),
        ("a<hr>b", f"a\n{SEPARATOR}\nb"),
        ("a<blockquote>b", "a"),
        ("a<style>b", "a"),
        ("a <b", "a <b"),
    ],
)
def test_html(source: str, text: str) -> None:
    assert to_text(source).strip() == text


def test_headers() -> None:
    mail = parse(
        "Delivered-To: play+a@games.example",
        'From: "Bob, the =?utf-8?q?Gro=C3=9Fe?=" <Bob@Mail.example>',
        "To: Ann <ann@mail.example>, play+b@games.example",
        "Subject: =?utf-8?q?Re=0D=0ABcc=3A_x?=\n folded",
        "In-Reply-To: <turn-1@games.example>",
        "Date: Mon, 24 Nov 2031 17:01:00 +0100",
        "Message-ID: <1@mail.example>",
    )
    assert mail.from_address == BOB
    assert mail.recipients == ("play+a@games.example", "ann@mail.example", "play+b@games.example")
    assert mail.subject == "Re Bcc: x folded"
    assert mail.in_reply_to == ("<turn-1@games.example>",)
    assert mail.date == datetime(2031, 11, 24, 16, 1, tzinfo=UTC)
    assert mail.message_id == "<1@mail.example>"


@pytest.mark.parametrize(
    ("value", "address"),
    [
        (BOB, BOB),
        (f"<{BOB}>", BOB),
        (f"Bob Example <{BOB}>", BOB),
        (f'"carol@other.example" <{BOB}>', BOB),
        (f"{BOB} (Bob)", BOB),
        (f"carol@other.example <{BOB}>", ""),
        (f"{BOB}, carol@other.example", ""),
        (f"Friends: {BOB};", ""),
        (f"<{BOB}> <carol@other.example>", ""),
        (f'"{BOB}', ""),
        ("bob@other.example@mail.example", ""),
        ("", ""),
    ],
)
def test_address_of_from_is_clear_or_none(value: str, address: str) -> None:
    assert parse(f"From: {value}").from_address == address


def test_two_headers_from_are_none() -> None:
    assert parse(f"From: {BOB}", f"From: {BOB}").from_address == ""


def test_request_id_is_that_of_the_message_id() -> None:
    first = request_id(b"Received: a\nMessage-ID:\n <1@mail.example>\n\nB1-B10")
    assert first == request_id(b"Received: b\r\nmessage-id: <1@mail.example>\r\n\r\nA1-B2")
    assert first != request_id(b"Message-ID: <2@mail.example>\n\n")
    assert request_id(b"\n\nMessage-ID: <1@mail.example>") != first
    assert request_id(b"a") != request_id(b"b")
    for number in range(100):
        assert -(2**63) <= request_id(b"%d" % number) < 0


def read_all(raw: bytes) -> int:
    """Do all that is done with a mail; return how many lines were typed."""
    mail = parse_mail(raw)
    request_id(raw)
    find_machine(mail, OWN_MAIL)
    check_sender(mail, {BOB}, AUTHSERV)
    typed = find_typed(mail, OWN_MAIL)
    read_words(typed, MORELLI, VOCABULARY)
    return sum(map(len, typed))


@pytest.mark.parametrize("name", sorted(make_attacks()))
def test_attack_stays_within_the_limits(name: str) -> None:
    raw = make_attacks()[name]
    mail = parse_mail(raw)
    assert len(mail.text) <= MAX_TEXT
    assert len(mail.recipients) <= MAX_RECIPIENTS
    assert all(len(value) <= MAX_HEADER for values in mail.headers.values() for value in values)
    assert read_all(raw) <= MAX_LINES
    for shown in (mail.subject, mail.from_name, mail.from_address, *mail.recipients):
        assert shown.isprintable()


@pytest.mark.long
@given(st.binary(max_size=400))
def test_any_bytes_are_read(data: bytes) -> None:
    read_all(data)
    read_all(b"Content-Type: multipart/mixed; boundary=x\n\n--x\n" + data)
    read_all(f"From: {BOB}\n\n".encode() + data)
    for header in (b"From: ", b"Subject: ", b"Authentication-Results: ", b"Content-Type: ", b"Date: "):
        read_all(header + data)


@pytest.mark.long
@given(st.sampled_from(MAILS), st.sampled_from(MAILS), st.floats(0, 1), st.floats(0, 1))
def test_beginning_of_one_mail_with_the_end_of_another_is_read(
    first: bytes, second: bytes, end: float, start: float
) -> None:
    read_all(first[: int(end * len(first))] + second[int(start * len(second)) :])


@pytest.mark.long
@given(unicode_text(400))
def test_any_text_is_read(text: str) -> None:
    read_all(f"From: {BOB}\nContent-Type: text/html\n\n{text}".encode("utf-8", "replace"))
    read_all(f"From: {BOB}\nContent-Type: text/plain; charset=utf-8\n\n{text}".encode("utf-8", "replace"))
