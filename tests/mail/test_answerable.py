"""Mails that can be answered: where to, what with, in which thread, and how large they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from mail.notices import MAX_MAILS
from mail.reading.values import Command, Play
from mail.reading.vocabulary import Vocabulary
from mail.reading.words import read_words
from mail.wrapping import TEXT_WIDTH, measure_width
from matches import OfferKind
from matches.platforms import WEBSITE
from tests.games import GAMES, TEXTS
from tests.mail.rewrapping import texts_of
from tests.mail.scenario import ANN, BEN, REPLIES, address_of, sending, start_quietly, start_with_clock
from tests.mail.smtp_server import SmtpServer, running_smtp
from tests.mail.test_notices import text_of
from tests.matches.scenario import FISTS, NOON, make_challenge, play_move, start_match

if TYPE_CHECKING:
    from engine.game import OptionValue
    from mail.reply_addresses import ReplyAddresses
    from matches import Matches
    from storage import Database

MAX_SIZE = 60_000  # bytes of a mail of a turn


async def send_all(database: Database, replies: ReplyAddresses | None = REPLIES) -> SmtpServer:
    async with running_smtp() as server, sending(database, server.port, replies=replies) as sender:
        await sender.send_due()
    return server


@pytest.mark.long
async def test_turn_is_answered_at_the_address_of_its_board(matches: Matches, database: Database) -> None:
    view = (await play_move(matches, await start_quietly(matches))).match
    server = await send_all(database)
    (mail,) = server.mails
    assert mail["From"] == "Rayuela <play@example.org>"
    assert mail["Reply-To"] == f"Rayuela <{REPLIES.match_address(view.id, view.revision, BEN.account)}>"
    assert server.senders == [REPLIES.bounce_address(address_of(BEN))]
    assert mail["X-Rayuela-Turn"].startswith(f"turn-{view.id}-{view.revision}-")
    assert mail["In-Reply-To"] == mail["References"] == f"<match-{view.id}@example.org>"
    assert view.position is not None
    sentence = (
        f"Answer with your move in the first line, such as {view.position.example_move}, or write one of"
    )
    assert sentence in text_of(mail).replace("\n", " ")
    assert [sentence in " ".join(text.split()) for text in texts_of(mail)] == [True, True]


async def test_mail_has_no_address_of_its_own_where_nothing_is_read(
    matches: Matches, database: Database
) -> None:
    await play_move(matches, await start_quietly(matches))
    server = await send_all(database, None)
    (mail,) = server.mails
    assert mail["Reply-To"] is None
    assert server.senders == ["play@example.org"]
    assert "in the first line" not in text_of(mail)


@pytest.mark.long
async def test_board_is_text_in_both_parts(matches: Matches, database: Database) -> None:
    await play_move(matches, await start_quietly(matches))
    (mail,) = (await send_all(database)).mails
    html = mail.get_body(("html",))
    assert html is not None
    board = "\n  I H G F E D C B A\n"  # White is at the bottom
    assert board in text_of(mail)
    assert board in html.get_content().partition("<pre")[2].replace("\r\n", "\n")
    assert 'alt="Black, ' in html.get_content()
    assert "\nBlack, " in text_of(mail)


@pytest.mark.long
async def test_each_match_is_a_mail_of_its_own(matches: Matches, database: Database) -> None:
    views = [(await play_move(matches, await start_quietly(matches))).match for _ in range(3)]
    challenge = await make_challenge(matches, ANN, BEN, channel=WEBSITE)
    mails = (await send_all(database)).mails
    expected = {REPLIES.match_address(view.id, view.revision, BEN.account) for view in views}
    expected.add(REPLIES.challenge_address(challenge.id, BEN.account))
    assert {mail["Reply-To"].addresses[0].addr_spec for mail in mails} == expected
    assert len({mail["References"] for mail in mails}) == 4


@pytest.mark.long
async def test_very_much_at_once_is_one_mail(matches: Matches, database: Database) -> None:
    for _ in range(MAX_MAILS + 1):
        await play_move(matches, await start_quietly(matches))
    (mail,) = (await send_all(database)).mails
    assert mail["Reply-To"] == "Rayuela <play@example.org>"
    assert "in the first line" not in text_of(mail)


@pytest.mark.plain("longer lines are wrapped elsewhere")
async def test_challenge_can_be_accepted(matches: Matches, database: Database) -> None:
    await make_challenge(matches, ANN, BEN, channel=WEBSITE)
    (mail,) = (await send_all(database)).mails
    assert "Answer with accept or decline in the first line of your mail." in text_of(mail)


async def test_declined_challenge_asks_nothing(matches: Matches, database: Database) -> None:
    challenge = await make_challenge(matches, BEN, ANN, channel=WEBSITE)
    await matches.challenges.decline(challenge.id, ANN, now=NOON)
    (mail,) = (await send_all(database)).mails
    assert mail["To"] == address_of(BEN)
    assert "in the first line" not in text_of(mail)


@pytest.mark.long
async def test_offer_is_answered_besides_the_move(matches: Matches, database: Database) -> None:
    view = (await play_move(matches, await start_quietly(matches))).match
    await matches.offers.make(view.id, ANN, OfferKind.TAKEBACK, now=NOON)
    text = text_of((await send_all(database)).mails[0]).replace("\n", " ")
    assert "Answer with accept or decline in the first line of your mail. Answer with your move in" in text


async def test_closed_fists_name_the_picks(matches: Matches, database: Database) -> None:
    await start_match(matches, FISTS, by=ANN, to=BEN, channel=WEBSITE)
    (mail,) = (await send_all(database)).mails
    text = text_of(mail).replace("\n", " ")
    assert "LL for both left, RR for both right or LR for one in each" in text
    assert list(mail.iter_attachments()) == []


@pytest.mark.long
async def test_match_that_is_over_asks_for_nothing_to_play(matches: Matches, database: Database) -> None:
    view = (await play_move(matches, await start_quietly(matches))).match
    await matches.resign(view.id, ANN, now=NOON)
    (mail,) = (await send_all(database)).mails
    assert "You can answer with one of the words rematch, mistakes, board or help" in text_of(mail).replace(
        "\n", " "
    )


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("UTC", "has until 4 May 2026, 12:00 UTC ("),
        ("Asia/Tokyo", "has until 4 May 2026, 21:00 Japan Time ("),
        ("UTC-03:00", "has until 4 May 2026, 09:00 UTC-03:00 ("),
    ],
)
async def test_deadline_is_told_by_the_clock_of_the_reader(
    matches: Matches, database: Database, zone: str, shown: str
) -> None:
    await matches.people.preferences.change(BEN, zone=zone, now=NOON)
    await play_move(matches, await start_with_clock(matches))
    text = text_of((await send_all(database)).mails[0]).replace("\n", " ")
    assert shown in text
    assert "(in 2 days)" in text


@pytest.mark.long
@pytest.mark.parametrize("game", sorted(GAMES))
async def test_mail_of_a_turn_is_small_on_the_largest_board(
    matches: Matches, database: Database, game: str
) -> None:
    numbers = [one for one in GAMES[game].options if not one.choices and not one.is_random]
    options: dict[str, OptionValue] = {one.name: one.maximum for one in numbers}
    view = await start_match(matches, options, by=ANN, to=BEN, game=game, channel=WEBSITE)
    for _ in range(5):
        view = (await play_move(matches, view)).match
    mails = (await send_all(database)).mails
    assert [size for mail in mails if (size := len(mail.as_bytes())) > MAX_SIZE] == []


async def test_lines_are_so_short_that_nothing_breaks_them(matches: Matches, database: Database) -> None:
    await play_move(matches, await start_quietly(matches))
    (mail,) = (await send_all(database)).mails
    long = [
        one for one in text_of(mail).splitlines() if measure_width(one) > TEXT_WIDTH and "https://" not in one
    ]
    assert long == []


def test_every_word_that_a_mail_offers_is_understood() -> None:
    vocabulary = Vocabulary.load(TEXTS, GAMES.values())
    words = [TEXTS(key) for key in TEXTS.templates if key.startswith("answer_word.")]
    words = [f"{word} Maria" if word == TEXTS("answer_word.join") else word for word in words]
    choices = [game.simultaneous_choice for game in GAMES.values() if game.simultaneous_choice is not None]
    picks = [pick for choice in choices for pick in choice.picks]
    assert len(words) > 10
    for word in (*words, *picks):
        assert isinstance(read_words(((word,),), None, vocabulary), Play if word in picks else Command), word
