"""A mail is carried out once if it is from the player to whom its address belongs, and answered once."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from mail.receiving.limits import LimitNumbers
from mail.receiving.outcomes import Outcome
from matches import Matches, StorageUnavailable
from tests.games import GAMES
from tests.mail.receiving.scenario import (
    Clock,
    Pen,
    list_letters,
    make_receiver,
    pen_of,
    reply_address,
    spoil,
)
from tests.mail.scenario import ANN, BEN, REPLIES, address_of, find_stop, start_quietly
from tests.matches.scenario import NOON, legal_move, play_move, player_to_move

if TYPE_CHECKING:
    from matches import MatchView, Person
    from storage import Database


def mover_of(view: MatchView) -> tuple[Person, Person]:
    """Return who is to move, and the opponent."""
    mover = player_to_move(view)
    return (ANN, BEN) if mover.account == ANN.account else (BEN, ANN)


@pytest.fixture
async def view(matches: Matches) -> MatchView:
    """Return a new match of Ann and Ben."""
    return await start_quietly(matches, game="morabaraba")


async def ply_of(matches: Matches, view: MatchView) -> int:
    return (await matches.view(view.id, now=NOON)).ply


@pytest.mark.long
async def test_move_is_played_once_and_answered_once_however_often_the_mail_comes(
    matches: Matches, other_matches: Matches, database: Database, view: MatchView
) -> None:
    mover, _ = mover_of(view)
    raw = pen_of(mover).write(reply_address(view, mover), legal_move(view))
    receivers = [make_receiver(one) for one in (matches, matches, other_matches)]
    outcomes = [await receiver.receive(raw) for receiver in receivers]
    assert outcomes == [Outcome.ANSWERED, Outcome.REPEATED, Outcome.REPEATED]
    assert await ply_of(matches, view) == 1
    (letter,) = await list_letters(database)
    assert (letter.kind, letter.address, letter.account) == ("answer", address_of(mover), mover.account)
    assert json.loads(letter.details)["match"] == view.id


@pytest.mark.long
async def test_two_processes_that_get_a_mail_at_once_play_it_once(
    matches: Matches, other_matches: Matches, database: Database, view: MatchView
) -> None:
    mover, _ = mover_of(view)
    raw = pen_of(mover).write(reply_address(view, mover), legal_move(view))
    outcomes = await asyncio.gather(
        *(make_receiver(one).receive(raw) for one in (matches, other_matches, matches, other_matches))
    )
    assert sorted(set(outcomes)) == [Outcome.ANSWERED, Outcome.REPEATED]
    assert outcomes.count(Outcome.ANSWERED) <= 2  # one that plays, and one that would refuse the old board
    assert await ply_of(matches, view) == 1
    assert len(await list_letters(database)) == 1


@pytest.mark.long
async def test_answer_that_was_lost_with_its_process_is_written_when_the_mail_comes_again(
    matches: Matches,
    other_matches: Matches,
    database: Database,
    view: MatchView,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mover, _ = mover_of(view)
    raw = pen_of(mover).write(reply_address(view, mover), legal_move(view))

    async def fail(*_: object, **__: object) -> bool:
        raise StorageUnavailable("away")

    with monkeypatch.context() as broken:
        broken.setattr(matches.posting.letters, "write", fail)
        with pytest.raises(StorageUnavailable):
            await make_receiver(matches).receive(raw)
    assert (await ply_of(matches, view), await list_letters(database)) == (1, [])
    assert await make_receiver(other_matches).receive(raw) is Outcome.REPEATED
    (letter,) = await list_letters(database)
    details = json.loads(letter.details)
    assert (details["title"], details["match"]) == ("Your mail came twice", view.id)
    assert await ply_of(matches, view) == 1


async def test_old_board_is_refused_with_the_present_one(
    matches: Matches, database: Database, view: MatchView
) -> None:
    mover, _ = mover_of(view)
    moves = [legal_move(view)]
    later = await play_move(matches, view)
    later = await play_move(matches, later.match)
    raw = pen_of(mover).write(reply_address(view, mover), moves[0])
    assert await make_receiver(matches).receive(raw) is Outcome.ANSWERED
    assert await ply_of(matches, view) == later.match.ply
    (letter,) = await list_letters(database)
    assert json.loads(letter.details)["match"] == view.id


async def test_friend_who_answers_a_forwarded_mail_changes_nothing_and_gets_nothing(
    matches: Matches, database: Database, view: MatchView
) -> None:
    mover, opponent = mover_of(view)
    to, move = reply_address(view, mover), legal_move(view)
    for pen in (pen_of(opponent), Pen("friend@elsewhere.example"), pen_of(mover, "fail")):
        assert await make_receiver(matches).receive(pen.write(to, move)) is Outcome.FORGED
    assert await ply_of(matches, view) == 0
    assert await list_letters(database) == []


@pytest.mark.long
async def test_address_that_was_never_made_is_not_known(matches: Matches, view: MatchView) -> None:
    receiver, (mover, opponent) = make_receiver(matches), mover_of(view)
    good = reply_address(view, mover)
    assert await receiver.knows(good)
    assert await receiver.knows(reply_address(view, opponent))
    assert await receiver.knows(REPLIES.plain.upper())
    changed = spoil(good)
    for bad in (changed, "play+x@example.org", "other@example.org", "play@elsewhere.example", ""):
        assert not await receiver.knows(bad)
    raw = pen_of(mover).write(changed, legal_move(view))
    assert await receiver.receive(raw) is Outcome.UNKNOWN_TOKEN
    assert await ply_of(matches, view) == 0


async def test_mail_to_other_addresses_is_left_alone(matches: Matches, database: Database) -> None:
    raw = pen_of(ANN).write("other@example.org", "help")
    assert await make_receiver(matches).receive(raw) is Outcome.NOT_OURS
    assert await list_letters(database) == []


@pytest.mark.parametrize(
    "headers", ["Auto-Submitted: auto-replied\r\n", "List-Id: <x.example>\r\n", "X-Rayuela-Turn: 1\r\n"]
)
async def test_machines_get_no_answer(
    matches: Matches, database: Database, view: MatchView, headers: str
) -> None:
    mover, _ = mover_of(view)
    raw = pen_of(mover).write(reply_address(view, mover), legal_move(view), headers=headers)
    assert await make_receiver(matches).receive(raw) is Outcome.IGNORED
    assert (await ply_of(matches, view), await list_letters(database)) == (0, [])


@pytest.mark.long
@pytest.mark.parametrize("authserv_id", ["mx.example.org", None])
async def test_move_that_nothing_proves_waits_for_a_click_and_is_played_once(
    matches: Matches, other_matches: Matches, database: Database, view: MatchView, authserv_id: str | None
) -> None:
    mover, _ = mover_of(view)
    pen = pen_of(mover, "pass" if authserv_id is None else None)
    raw = pen.write(reply_address(view, mover), legal_move(view))
    receiver = make_receiver(matches, authserv_id=authserv_id)
    assert await receiver.receive(raw) is Outcome.ASKED
    assert await receiver.receive(raw) is Outcome.REPEATED
    assert await ply_of(matches, view) == 0
    (letter,) = await list_letters(database)
    assert (letter.kind, letter.address) == ("confirmation", address_of(mover))
    await receiver.carry_out_confirmed()
    assert await ply_of(matches, view) == 0
    await matches.people.mail_commands.confirm(json.loads(letter.details)["command"], now=NOON)
    await asyncio.gather(
        *(make_receiver(one).carry_out_confirmed() for one in (matches, other_matches, matches))
    )
    assert await ply_of(matches, view) == 1
    assert [one.kind for one in await list_letters(database)] == ["confirmation", "answer"]
    assert await matches.people.mail_commands.list_confirmed() == ()


@pytest.mark.long
async def test_resigning_by_link_asks_only_once(
    matches: Matches, database: Database, view: MatchView
) -> None:
    receiver, (mover, _) = make_receiver(matches), mover_of(view)
    raw = pen_of(mover, None).write(reply_address(view, mover), "resign")
    assert await receiver.receive(raw) is Outcome.ASKED
    (letter,) = await list_letters(database)
    await matches.people.mail_commands.confirm(json.loads(letter.details)["command"], now=NOON)
    await receiver.carry_out_confirmed()
    assert (await matches.view(view.id, now=NOON)).result is not None


@pytest.mark.long
async def test_what_only_informs_the_player_needs_no_proof(
    matches: Matches, database: Database, view: MatchView
) -> None:
    receiver, (mover, _) = make_receiver(matches), mover_of(view)
    for text in ("board", "help", "What a nice game this is.", ""):
        raw = pen_of(mover, None).write(
            reply_address(view, mover), text, message_id=f"<{len(text)}@x.example>"
        )
        assert await receiver.receive(raw) is Outcome.ANSWERED
    assert [one.kind for one in await list_letters(database)] == ["answer"] * 4


@pytest.mark.long
async def test_mail_to_several_matches_is_asked_about(
    matches: Matches, database: Database, view: MatchView
) -> None:
    mover, _ = mover_of(view)
    other = await start_quietly(matches, game="morabaraba")
    to = f"{reply_address(view, mover)}, {reply_address(other, mover)}"
    raw = pen_of(mover).write(to, legal_move(view))
    receiver = make_receiver(matches)
    assert [await receiver.receive(raw, [one]) for one in to.split(", ")] == [
        Outcome.ANSWERED,
        Outcome.REPEATED,
    ]
    assert (await ply_of(matches, view), await ply_of(matches, other)) == (0, 0)
    assert len(await list_letters(database)) == 1


@pytest.mark.long
async def test_who_writes_too_much_is_told_once_an_hour(
    matches: Matches, database: Database, view: MatchView
) -> None:
    clock = Clock()
    receiver = make_receiver(matches, clock, numbers=LimitNumbers(own=2))
    pen, (mover, _) = pen_of(ANN), mover_of(view)
    outcomes = [await receiver.receive(pen.write(REPLIES.plain, "games")) for _ in range(5)]
    assert outcomes == [Outcome.ANSWERED] * 2 + [Outcome.LIMITED] * 3
    titles = [json.loads(one.details)["title"] for one in await list_letters(database)]
    assert titles[2:] == ["You have sent many mails in an hour"]
    forger = pen_of(mover, None)  # what others write in somebody's name does not count against them
    for _ in range(5):
        await receiver.receive(forger.write(reply_address(view, mover), "board"))
    clock.now = NOON + timedelta(hours=1, seconds=1)
    assert await receiver.receive(pen.write(REPLIES.plain, "games")) is Outcome.ANSWERED


async def test_mails_in_somebodys_name_are_few(matches: Matches, database: Database) -> None:
    receiver = make_receiver(matches, numbers=LimitNumbers(unproven=3))
    pen = pen_of(ANN, None)
    outcomes = [await receiver.receive(pen.write(REPLIES.plain, "help")) for _ in range(6)]
    assert outcomes == [Outcome.ANSWERED] * 3 + [Outcome.LIMITED] * 3
    assert len(await list_letters(database)) == 3


@pytest.mark.long
async def test_stranger_is_told_once_in_thirty_days_how_to_join(
    matches: Matches, other_matches: Matches, database: Database
) -> None:
    clock, pen = Clock(), Pen("new@elsewhere.example")
    receivers = [make_receiver(one, clock) for one in (matches, other_matches)]
    outcomes = [await one.receive(pen.write(REPLIES.plain, "Hello, how does it work?")) for one in receivers]
    assert outcomes == [Outcome.GREETED, Outcome.IGNORED]
    clock.now = NOON + timedelta(days=29)
    assert await receivers[0].receive(pen.write(REPLIES.plain, "help")) is Outcome.IGNORED
    clock.now = NOON + timedelta(days=31)
    assert await receivers[0].receive(pen.write(REPLIES.plain, "help")) is Outcome.GREETED
    letters = await list_letters(database)
    assert [(one.kind, one.address, one.details) for one in letters] == [
        ("greeting", "new@elsewhere.example", "{}")
    ] * 2


async def test_advertising_in_a_strangers_name_gets_no_answer(matches: Matches, database: Database) -> None:
    receiver, pen = make_receiver(matches), Pen("victim@elsewhere.example", None)
    assert await receiver.receive(pen.write(REPLIES.plain, "Buy now!")) is Outcome.IGNORED
    assert await receiver.receive(Pen("victim@elsewhere.example", "fail").write(REPLIES.plain, "help")) is (
        Outcome.FORGED
    )
    assert await list_letters(database) == []


async def test_stranger_joins_with_a_name(matches: Matches, database: Database) -> None:
    receiver, pen = make_receiver(matches), Pen("new@elsewhere.example", None)
    to = REPLIES.join_address(pen.address, now=NOON)
    raw = pen.write(to, "join Newcomer")
    assert await receiver.receive(raw) is Outcome.ANSWERED
    assert await receiver.receive(raw) is Outcome.REPEATED
    person = await matches.people.accounts.find_by_mail(pen.address)
    assert person is not None
    assert person.name == "Newcomer"
    (letter,) = await list_letters(database)
    assert (letter.address, letter.account) == (pen.address, person.account)
    other = Pen("other@elsewhere.example", None)
    assert await receiver.receive(other.write(to, "join Thief")) is Outcome.UNKNOWN_TOKEN


def bounce(address: str, to: str, status: str = "5.1.1") -> bytes:
    """Return a report that a mail to an address was not delivered, as Postfix writes it."""
    return (
        "Return-Path: <>\r\nFrom: MAILER-DAEMON@elsewhere.example\r\n"
        f"To: {to}\r\nMessage-ID: <{status}.{address.partition(chr(64))[0]}@elsewhere.example>\r\n"
        "Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="b"\r\n\r\n'
        "--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; elsewhere.example\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\nAction: failed\r\nStatus: {status}\r\n\r\n--b--\r\n"
    ).encode()


async def test_mail_that_comes_back_stops_mails_to_its_address(matches: Matches, database: Database) -> None:
    receiver, to = make_receiver(matches), REPLIES.bounce_address(address_of(BEN))
    assert await receiver.receive(bounce(address_of(BEN), to)) is Outcome.BOUNCED
    assert await receiver.receive(bounce(address_of(BEN), to)) is Outcome.REPEATED
    assert (await find_stop(database, BEN))[1]


async def test_nobody_can_stop_the_mails_of_others(matches: Matches, database: Database) -> None:
    """Whoever gets mails from us knows the address that their own come back to, and no other."""
    receiver, of_ann = make_receiver(matches), REPLIES.bounce_address(address_of(ANN))
    assert await receiver.receive(bounce(address_of(BEN), of_ann)) is Outcome.UNKNOWN_TOKEN
    assert await receiver.receive(bounce(address_of(BEN), REPLIES.plain)) is Outcome.IGNORED
    assert not (await find_stop(database, BEN))[1]


async def test_database_that_is_away_is_told_to_the_mail_server(
    view: MatchView, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    mover, _ = mover_of(view)
    matches = Matches(database, games=GAMES)
    raw = pen_of(mover).write(reply_address(view, mover), legal_move(view))

    def fail() -> None:
        raise StorageUnavailable("away")

    with monkeypatch.context() as broken:
        broken.setattr(database, "read", lambda **_: fail())
        with pytest.raises(StorageUnavailable):
            await make_receiver(matches).receive(raw)
    assert await make_receiver(matches).receive(raw) is Outcome.ANSWERED
