"""Addresses to which mails are answered: made, read and checked; nobody else can make one."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mail.reply_addresses import (
    BounceToken,
    ChallengeToken,
    JoinToken,
    MatchToken,
    MistakeToken,
    Plain,
    ReplyAddresses,
    Token,
)
from matches import ChallengeId, MatchId
from matches.values import encode_revision
from tests.mail.scenario import ANN, BEN, REPLIES, SECRET, address_of
from tests.matches.scenario import NOON

PATTERNS = (
    "play@example.org",
    "mailbox-%{token}@example.org",
    "%{token}@example.org",
    "Rayuela%{token}x@e.org",
)
MATCH, REVISION = MatchId(123_456), encode_revision(51, 2)


def read(address: str, replies: ReplyAddresses = REPLIES) -> Token:
    token = replies.read(address)
    assert token is not None
    assert not isinstance(token, Plain)
    return token


@pytest.mark.parametrize("pattern", PATTERNS)
def test_address_of_a_match_is_read_again(pattern: str) -> None:
    replies = ReplyAddresses(pattern, SECRET)
    address = replies.match_address(MATCH, REVISION, BEN.account)
    for received in (address, address.upper(), f" {address} "):
        token = read(received, replies)
        assert isinstance(token, MatchToken)
        assert (token.match, token.revision) == (MATCH, REVISION)
        assert replies.is_valid(token, BEN.account)
        assert not replies.is_valid(token, ANN.account)


def test_address_of_a_mistake_is_read_again_and_is_no_address_of_a_board() -> None:
    address = REPLIES.mistake_address(MATCH, 51, BEN.account)
    token = read(address.upper())
    assert isinstance(token, MistakeToken)
    assert (token.match, token.turn) == (MATCH, 51)
    assert [REPLIES.is_valid(token, one.account) for one in (BEN, ANN)] == [True, False]
    other = read(address.replace("+t", "+m"))
    assert isinstance(other, MatchToken)
    assert not REPLIES.is_valid(other, BEN.account)


@given(match=st.integers(0, 36**6 - 1), ply=st.integers(0, 10_000), takebacks=st.integers(0, 2_000))
def test_address_is_short_enough_for_every_mail_server(match: int, ply: int, takebacks: int) -> None:
    address = REPLIES.match_address(MatchId(match), revision := encode_revision(ply, takebacks), BEN.account)
    assert len(address.rpartition("@")[0]) <= 36
    assert address == address.lower()
    token = read(address)
    assert isinstance(token, MatchToken)
    assert (token.match, token.revision) == (match, revision)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_other_addresses_are_read_again(pattern: str) -> None:
    replies, mail = ReplyAddresses(pattern, SECRET), address_of(BEN)
    challenge = read(replies.challenge_address(ChallengeId(7), BEN.account), replies)
    join = read(replies.join_address(mail, now=NOON), replies)
    bounce = read(replies.bounce_address(mail), replies)
    assert isinstance(challenge, ChallengeToken)
    assert isinstance(join, JoinToken)
    assert isinstance(bounce, BounceToken)
    assert challenge.challenge == 7
    for token, who in ((challenge, BEN.account), (join, mail), (join, mail.upper()), (bounce, mail)):
        assert replies.is_valid(token, who)
        assert not replies.is_valid(token, ANN.account)
        assert not ReplyAddresses(pattern, "another secret").is_valid(token, who)


@pytest.mark.parametrize(("days", "has_expired"), [(-1, True), (0, False), (30, False), (31, True)])
def test_invitation_can_be_answered_for_thirty_days(days: int, has_expired: bool) -> None:
    token = read(REPLIES.join_address(address_of(BEN), now=NOON))
    assert isinstance(token, JoinToken)
    assert token.has_expired(NOON + timedelta(days=days)) is has_expired


@pytest.mark.parametrize(
    ("pattern", "plain"),
    [
        ("play@example.org", "play@example.org"),
        (" Play@Example.ORG ", "play@example.org"),
        ("mailbox+%{token}@example.org", "mailbox@example.org"),
        ("%{token}-games@example.org", "games@example.org"),
        ("%{token}@example.org", "play@example.org"),
    ],
)
def test_plain_address(pattern: str, plain: str) -> None:
    replies = ReplyAddresses(pattern, SECRET)
    assert replies.plain == plain
    assert replies.domain == "example.org"
    assert replies.read(plain.title()) == Plain()


@pytest.mark.parametrize(
    "pattern", ["", "play", "@example.org", "a b@example.org", "play@exa\r\nmple.org", f"{'x' * 32}@e.org"]
)
def test_pattern_that_makes_no_addresses_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="not an address"):
        ReplyAddresses(pattern, SECRET)


MAC = "abcdefghijklmnop"


@pytest.mark.parametrize(
    "recipient",
    [
        "",
        "@",
        "play",
        "ben@example.org",
        "play+@example.org",
        f"play+m1-2-{MAC}@elsewhere.org",
        f"play+m1-2-{MAC}@example.org.evil.org",
        f"play+m1-{MAC}@example.org",
        f"play+m1-2-{MAC[1:]}@example.org",
        f"play+m1-2-{MAC}a@example.org",
        f"play+m1-2-{MAC[1:]}1@example.org",
        f"play+m01-2-{MAC}@example.org",
        f"play+m-1-2-{MAC}@example.org",
        f"play+m{'z' * 7}-2-{MAC}@example.org",
        f"play+m1-{'z' * 8}-{MAC}@example.org",
        f"play+x1-2-{MAC}@example.org",
        f"play+m\u0661-2-{MAC}@example.org",  # a digit, but not one of ours
        f"xplay+m1-2-{MAC}@example.org",
        f"play+m1-2-{MAC}@example.org\r\nplay@example.org",
        f"play+b{MAC}{'x' * 100_000}@example.org",
    ],
)
def test_malformed_address_says_nothing(recipient: str) -> None:
    assert REPLIES.read(recipient) is None


def test_numbers_of_another_mail_do_not_fit_the_mac() -> None:
    token = read(REPLIES.match_address(MATCH, REVISION, BEN.account))
    for other in (MatchToken(MatchId(1), REVISION, token.mac), MatchToken(MATCH, 51, token.mac)):
        assert not REPLIES.is_valid(other, BEN.account)
    assert not REPLIES.is_valid(ChallengeToken(ChallengeId(MATCH), token.mac), BEN.account)
    assert not REPLIES.is_valid(BounceToken(token.mac), BEN.account)
