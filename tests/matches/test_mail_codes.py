"""Codes by mail: who gets in with which answer, and how many letters are written."""

import asyncio

import pytest
from sqlalchemy import func, select

from matches import Database, Matches, Refusal
from matches.people.mail_codes import (
    CONFIRMED_LIFETIME,
    KEPT,
    LETTER_LIMITS,
    MAX_TRIES,
    QUESTION_LIFETIME,
    Confirmed,
    clean_address,
    derive_code,
    derive_link_token,
    question_of,
)
from matches.posting.letters import LetterKind
from storage.tables import LETTERS, MAIL_CODES
from tests.matches.scenario import ALICE, NOON, later, make_challenge

KEY = "a secret for tests"
ADDRESS = "ann@heron.example"


def code_of(secret: str) -> str:
    return derive_code(KEY, question_of(secret))


def wrong(code: str) -> str:
    return f"{(int(code) + 1) % 10**6:06}"


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("ann@heron.example", "ann@heron.example"),
        ("  Ann.B+rook@HERON.Example ", "ann.b+rook@heron.example"),
        ("ann@münchen.example", "ann@xn--mnchen-3ya.example"),
    ],
)
def test_addresses_are_stored_in_one_form(typed: str, stored: str) -> None:
    assert clean_address(typed) == stored


@pytest.mark.parametrize(
    "typed",
    [
        *(
            "",
            "ann",
            "ann@",
            "@heron.example",
            "ann@localhost",
            "Ann <ann@heron.example>",
            "ünn@heron.example",
        ),
        *(
            "ann@heron.example\nBcc: x@y.example",
            "a b@heron.example",
            "ann@[127.0.0.1]",
            "ann@heron.example,b@c.de",
        ),
        f"ann@{'heron.' * 40}example",
    ],
)
def test_what_is_no_address_is_refused(typed: str) -> None:
    with pytest.raises(Refusal, match="address_malformed"):
        clean_address(typed)


async def test_letter_has_what_the_code_follows_from(matches: Matches) -> None:
    await make_challenge(matches, ALICE)
    asked = [
        await matches.people.mail_codes.ask(ADDRESS, language="ja", now=NOON),
        await matches.people.mail_codes.ask(ADDRESS, account=ALICE.account, now=NOON),
    ]
    letters = await matches.posting.letters.claim_due(now=NOON)
    assert [(one.kind, one.address, one.account, dict(one.details)) for one in letters] == [
        (
            LetterKind.CODE,
            ADDRESS,
            account,
            {"code": question_of(secret), "purpose": purpose, "language": language},
        )
        for secret, account, purpose, language in zip(
            asked, (None, ALICE.account), ("sign_in", "add"), ("ja", ""), strict=True
        )
    ]


async def test_right_code_confirms_the_address_for_the_browser_that_asked(matches: Matches) -> None:
    codes = matches.people.mail_codes
    secret = await codes.ask(ADDRESS, now=NOON)
    other = await codes.ask("bob@heron.example", now=NOON)
    with pytest.raises(Refusal, match="code_wrong"):
        await codes.answer(other, code_of(secret), key=KEY, now=NOON)
    assert await codes.find_confirmed(secret, now=NOON) is None
    spaced = f" {code_of(secret)[:3]} {code_of(secret)[3:]} "
    assert await codes.answer(secret, spaced, key=KEY, now=NOON) == Confirmed(ADDRESS, None)
    assert await codes.find_confirmed(secret, now=NOON) == Confirmed(ADDRESS, None)
    assert await codes.find_confirmed(secret, now=NOON + CONFIRMED_LIFETIME) is None
    with pytest.raises(Refusal, match="code_wrong"):
        await codes.answer(secret, code_of(secret), key=KEY, now=NOON + CONFIRMED_LIFETIME)


async def test_code_expires(matches: Matches) -> None:
    secret = await matches.people.mail_codes.ask(ADDRESS, now=NOON)
    with pytest.raises(Refusal, match="code_wrong"):
        await matches.people.mail_codes.answer(secret, code_of(secret), key=KEY, now=NOON + QUESTION_LIFETIME)


async def test_wrong_codes_end_a_question(matches: Matches) -> None:
    codes = matches.people.mail_codes
    secret = await codes.ask(ADDRESS, now=NOON)
    for code in (wrong(code_of(secret)), "", "äöü", "1" * 500, code_of(secret)):
        with pytest.raises(Refusal, match="code_wrong"):
            await codes.answer(secret, code if code != code_of(secret) else "no", key=KEY, now=NOON)
    with pytest.raises(Refusal, match="code_wrong"):
        await codes.answer(secret, code_of(secret), key=KEY, now=NOON)
    with pytest.raises(Refusal, match="code_wrong"):
        await codes.answer_by_link(secret, derive_link_token(KEY, question_of(secret)), key=KEY, now=NOON)


async def test_guesses_at_the_same_time_all_count(matches: Matches, other_matches: Matches) -> None:
    secret = await matches.people.mail_codes.ask(ADDRESS, now=NOON)
    guesses = [
        one.people.mail_codes.answer(secret, wrong(code_of(secret)), key=KEY, now=NOON)
        for one in (matches, other_matches) * MAX_TRIES
    ]
    assert {str(one) for one in await asyncio.gather(*guesses, return_exceptions=True)} == {"code_wrong"}
    with pytest.raises(Refusal, match="code_wrong"):
        await matches.people.mail_codes.answer(secret, code_of(secret), key=KEY, now=NOON)


async def test_link_counts_only_in_the_browser_that_asked(matches: Matches) -> None:
    codes = matches.people.mail_codes
    secret, other = await codes.ask(ADDRESS, now=NOON), await codes.ask(ADDRESS, now=NOON)
    token = derive_link_token(KEY, question_of(secret))
    for browser in (None, "", other, "unknown"):
        with pytest.raises(Refusal, match="link_elsewhere"):
            await codes.answer_by_link(browser, token, key=KEY, now=NOON)
    assert await codes.answer_by_link(secret, token, key=KEY, now=NOON) == Confirmed(ADDRESS, None)


async def count_rows(database: Database) -> tuple[int, ...]:
    async with database.read() as connection:
        counts = [
            await connection.scalar(select(func.count()).select_from(one)) for one in (LETTERS, MAIL_CODES)
        ]
    return tuple(count or 0 for count in counts)


@pytest.mark.long
async def test_ten_thousand_requests_for_one_address_write_a_few_letters(
    matches: Matches, other_matches: Matches, database: Database
) -> None:
    for second in range(0, 10_000, 250):
        asked = [
            one.people.mail_codes.ask(ADDRESS, now=later(seconds=second)) for one in (matches, other_matches)
        ]
        secrets = await asyncio.gather(*asked * 1)
        assert len(set(secrets)) == len(secrets)
    (_, first), (_, most) = LETTER_LIMITS
    assert await count_rows(database) == (most, most)
    with pytest.raises(Refusal, match="code_wrong"):  # as if the code were not the right one
        await matches.people.mail_codes.answer(
            secrets[0], code_of(secrets[0]), key=KEY, now=later(seconds=9_800)
        )
    assert first < most


async def test_first_quarter_of_an_hour_has_a_limit_of_its_own(matches: Matches, database: Database) -> None:
    for _ in range(10):
        await matches.people.mail_codes.ask(ADDRESS, now=NOON)
    assert await count_rows(database) == (LETTER_LIMITS[0][1],) * 2


async def test_old_questions_are_deleted(matches: Matches, database: Database) -> None:
    await matches.people.mail_codes.ask(ADDRESS, now=NOON)
    await matches.people.mail_codes.delete_old(now=NOON + KEPT)
    assert (await count_rows(database))[1] == 1
    await matches.people.mail_codes.delete_old(now=later(days=1, seconds=1))
    assert (await count_rows(database))[1] == 0
