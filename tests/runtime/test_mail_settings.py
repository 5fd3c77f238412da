"""The settings of mail: what each may be, what they must be together, and one sentence for each mistake."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from i18n import Texts
from mail.reply_addresses import ReplyAddresses
from matches.values import MatchId
from runtime.mail_settings import (
    REPLY_ADDRESS,
    LmtpListener,
    Mailbox,
    MailSettings,
    MailSource,
    check_mail_settings,
)
from runtime.settings import SettingsError, parse_settings

SENDING = {"mail_url": "smtps://mail.example", "mail_from": "play@example.org"}
RECEIVING = {**SENDING, "mail_in": "lmtp://127.0.0.1:8025", "mail_reply_to": "play@example.org"}


def parse(**values: str) -> MailSettings:
    return parse_settings(MailSettings, values)


@pytest.mark.parametrize(
    ("value", "source"),
    [
        ("lmtp://127.0.0.1:8025", LmtpListener("127.0.0.1", 8025)),
        ("lmtp://localhost:8025/", LmtpListener("localhost", 8025)),
        ("lmtp://[::1]:8025", LmtpListener("::1", 8025)),
        ("lmtp://10.89.14.3:8025", LmtpListener("10.89.14.3", 8025)),
        ("lmtp://0.0.0.0:8025?public", LmtpListener("0.0.0.0", 8025)),  # noqa: S104 - it is what is meant
        (
            "imaps://bob%40mail.example:p%3Aw%2F@imap.example/Rayuela",
            Mailbox("imap.example", 993, "bob@mail.example", "p:w/", "Rayuela", is_encrypted=True),
        ),
        ("imap://u:p@127.0.0.1:1143", Mailbox("127.0.0.1", 1143, "u", "p", "INBOX", is_encrypted=False)),
    ],
)
def test_mail_comes_from(value: str, source: MailSource) -> None:
    assert parse(mail_in=value).mail_in == source


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("mail_in", "127.0.0.1:8025"),
        ("mail_in", "lmtp://127.0.0.1"),
        ("mail_in", "lmtp://127.0.0.1:0"),
        ("mail_in", "lmtp://127.0.0.1:70000"),
        ("mail_in", "lmtp://127.0.0.1:8025/path"),
        ("mail_in", "lmtp://127.0.0.1:8025?open"),
        ("mail_in", "lmtp://0.0.0.0:8025"),
        ("mail_in", "lmtp://[::]:8025"),
        ("mail_in", "lmtp://93.184.216.34:8025"),
        ("mail_in", "lmtp://mail.example:8025"),
        ("mail_in", "imaps://mail.example/INBOX"),
        ("mail_in", "imaps://user@mail.example/INBOX"),
        ("mail_in", "pop3://user:password@mail.example"),
        ("mail_reply_to", "play"),
        ("mail_reply_to", "@example.org"),
        ("mail_reply_to", "+@example.org"),
        ("mail_reply_to", "Rayuela <play@example.org>"),
        ("mail_reply_to", "a%{token}b%{token}@example.org"),
        ("mail_reply_to", "play@%{token}.example.org"),
        ("mail_reply_to", f"{'p' * 31}@example.org"),
        ("mail_authserv_id", "mx.example.org; dmarc=pass"),
    ],
)
def test_wrong_value_is_refused(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse(**{name: value})
    assert caught.value.problems == ((f"settings.{name}.malformed", name.upper()),)
    (sentence,) = [Texts.load()(key, name=named) for key, named in caught.value.problems]
    assert sentence.startswith(name.upper())


@pytest.mark.parametrize("missing", ["mail_reply_to", "mail_url", "mail_from"])
def test_mail_that_is_received_must_be_answered(missing: str) -> None:
    check_mail_settings(parse(**RECEIVING))
    with pytest.raises(SettingsError) as caught:
        check_mail_settings(parse(**{name: value for name, value in RECEIVING.items() if name != missing}))
    assert caught.value.problems == ((f"settings.{missing}.missing", missing.upper()),)
    (sentence,) = [Texts.load()(key, name=named) for key, named in caught.value.problems]
    assert missing.upper() in sentence


def test_process_that_only_sends_names_the_address_for_answers() -> None:
    settings = parse(**SENDING, mail_reply_to="Play-%{TOKEN}@Example.org")
    check_mail_settings(settings)
    assert settings.mail_reply_to == "play-%{token}@example.org"


def test_passwords_are_secret() -> None:
    settings = parse(
        mail_url="smtps://user:sesame@mail.example", mail_in="imaps://user:open%20sesame@mail.example"
    )
    assert settings.mail_secrets == ("smtps://user:sesame@mail.example", "open sesame")
    assert "sesame" not in repr(settings)
    assert "sesame" not in repr(settings.mail_in)


@pytest.mark.long
@given(st.from_regex(REPLY_ADDRESS, fullmatch=True))
def test_every_address_that_is_accepted_has_room_for_tokens(text: str) -> None:
    try:
        address = parse(mail_reply_to=text).mail_reply_to or ""
    except SettingsError:
        return
    addresses = ReplyAddresses(address, "a secret for tests")
    made = addresses.match_address(MatchId(36**6 - 1), 36**7 - 1, "web:somebody")
    assert addresses.read(made) is not None
    assert len(made.partition("@")[0]) <= 64
