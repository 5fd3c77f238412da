"""Puzzles by mail: one a day whatever happens, answered until it is solved, and others that are asked for."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from i18n.translations import list_languages
from mail.receiving.outcomes import Outcome
from mail.reply_addresses import PuzzleToken
from matches import ErasureChoice, Matches, Person, PuzzleStep, parse_time_of_day
from matches.puzzles.mails import LIFETIME, MAX_ASKED, MAX_UNANSWERED
from tests.mail.correspondence import (
    MovedClock,
    Program,
    answer_address,
    running_office,
    text_of,
)
from tests.mail.receiving.scenario import list_letters, make_receiver, pen_of, spoil
from tests.mail.scenario import ANN, BEN, REPLIES, address_of, give_mail
from tests.matches.puzzles.puzzles import puzzle_of, store_puzzles, wrong_turn
from tests.matches.scenario import NOON
from tests.refusals import refused

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from engine.puzzle import Puzzle
    from storage import Database
    from tests.mail.correspondence import PostOffice

GAME = "morphos"
MORNING = parse_time_of_day("7:30")
TOKYO = "Asia/Tokyo"
DAY = timedelta(days=1)


@pytest.fixture(autouse=True)
async def mail_of_both(database: Database) -> None:
    await give_mail(database, ANN, BEN)


async def store(database: Database, count: int) -> None:
    """Store so many different puzzles."""
    found = {one.key: one for seed in range(3 * count) for one in [puzzle_of(GAME, seed)]}
    await store_puzzles(database, list(found.values())[:count])


@asynccontextmanager
async def office(database: Database, now: datetime = NOON) -> AsyncIterator[PostOffice]:
    async with running_office(database, MovedClock(now)) as found:
        yield found


async def send_due(office: PostOffice) -> None:
    """Write and send what is due, as the process that sends mail does."""
    await office.matches.puzzle_mails.write_due(now=office.context.now())
    await office.sender.send_due()


async def switch_on(database: Database, now: datetime = NOON) -> None:
    matches = Matches(database)
    await matches.people.preferences.change(ANN, zone=TOKYO, now=now)
    await matches.puzzle_mails.switch_on(ANN, MORNING, now=now)


async def daily_puzzle(office: PostOffice) -> Puzzle:
    """Return the puzzle whose mail came last."""
    assert office.context.replies is not None
    token = office.context.replies.read(answer_address(office.mailbox(address_of(ANN)).newest))
    assert isinstance(token, PuzzleToken)
    return (await office.matches.puzzles.get(token.step.key)).puzzle


@pytest.mark.long
@pytest.mark.parametrize("program", Program)
@pytest.mark.plain("what comes back has lost its marks")
async def test_it_is_answered_turn_by_turn_until_it_is_solved(database: Database, program: Program) -> None:
    puzzle = puzzle_of(GAME, turns=3)
    await store_puzzles(database, [puzzle])
    await switch_on(database)
    async with office(database, NOON + DAY) as post:
        await send_due(post)
        mailbox = post.mailbox(address_of(ANN), program)
        (mail,) = mailbox.mails
        assert mail["Subject"] == "Puzzle of the day: Morphos"
        assert mail["List-Unsubscribe"] == f"<https://rayuela.example/mail/stop/puzzles/{ANN.account}>"
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert any(part.get_content_type() == "image/png" for part in mail.walk())
        text = " ".join(text_of(mail).split())
        assert "to play" in text
        assert "in the first line" in text
        for answer in (puzzle.line[0], puzzle.line[2]):
            assert f"such as {answer} " not in text
        illegal = await mailbox.reply("A1-Z9")
        assert answer_address(illegal) == answer_address(mail)
        right = await mailbox.reply(puzzle.line[0])
        assert right["Subject"].startswith("Re:")
        assert "The reply:" in text_of(right)
        assert await post.matches.puzzles.find_attempt(puzzle.key, ANN.account) is None
        solved = await mailbox.reply(puzzle.line[2].lower())
        assert "Solved!" in text_of(solved)
        assert "Your puzzle rating:" in text_of(solved)
        assert "<small>" not in text_of(solved)
        attempt = await post.matches.puzzles.find_attempt(puzzle.key, ANN.account)
        assert attempt is not None
        assert attempt.is_solved
        # The first mail again, with another turn: only the first attempt counts.
        wrong = await mailbox.reply(wrong_turn(puzzle), mail)
        assert "That is not the turn to find." in text_of(wrong)
        assert await post.matches.puzzles.find_attempt(puzzle.key, ANN.account) == attempt
        assert answer_address(wrong) == answer_address(mail)


@pytest.mark.long
async def test_first_wrong_turn_counts_and_the_solution_can_be_asked_for(database: Database) -> None:
    await store(database, 3)
    await switch_on(database)
    async with office(database, NOON + DAY) as post:
        await send_due(post)
        mailbox, puzzle = post.mailbox(address_of(ANN)), await daily_puzzle(post)
        wrong = await mailbox.reply(wrong_turn(puzzle))
        attempt = await post.matches.puzzles.find_attempt(puzzle.key, ANN.account)
        assert attempt is not None
        assert not attempt.is_solved
        assert f"Your puzzle rating: {attempt.after}?" in text_of(wrong)
        hint = await mailbox.reply("hint")
        assert answer_address(hint) == answer_address(wrong)
        board = await mailbox.reply("board")
        assert answer_address(board) == answer_address(wrong)
        end = await mailbox.reply("I give up")
        assert "The solution is here" in text_of(end)
        following = await mailbox.reply("another puzzle")
        assert (await daily_puzzle(post)).key != puzzle.key
        assert "Morphos puzzle" in text_of(following)
        assert await post.matches.puzzles.find_attempt(puzzle.key, ANN.account) == attempt


async def test_help_and_settings_by_mail(database: Database) -> None:
    await store(database, 3)
    async with office(database) as post:
        mailbox, mails = post.mailbox(address_of(ANN)), post.matches.puzzle_mails
        on = await mailbox.write("puzzle daily 7:30pm")
        assert "every day" in on["Subject"] + text_of(on)
        assert (await mails.find(ANN.account)).at == parse_time_of_day("19:30")
        assert (await mails.find(ANN.account)).next_at is not None
        bad = await mailbox.write("puzzle daily 25:70")
        assert "is not a time of day" in text_of(bad)
        assert "no more daily puzzles" in text_of(await mailbox.write("puzzle daily off"))
        await mailbox.write("puzzle daily")
        off = await mailbox.write("puzzle off")
        assert "no more daily puzzles" in text_of(off)
        assert (await mails.find(ANN.account)).next_at is None
        await mailbox.write("rätsel täglich")  # at the time that was chosen last
        assert (await mails.find(ANN.account)).at == parse_time_of_day("19:30")
        asked = await mailbox.write("puzzle morphos")
        assert "Morphos puzzle" in text_of(asked)
        assert "[puzzle daily 9:00]" in " ".join(text_of(await mailbox.write("help")).split())


async def test_a_person_asks_for_a_few_puzzles_a_day(database: Database) -> None:
    await store(database, 1)
    mails = Matches(database).puzzle_mails
    for _ in range(MAX_ASKED):
        await mails.ask(ANN, now=NOON)
    with refused("too_many_puzzles_asked"):
        await mails.ask(ANN, now=NOON)
    await mails.ask(ANN, now=NOON + DAY)


async def test_no_puzzle_comes_twice_as_long_as_there_are_others(database: Database) -> None:
    await store(database, 4)
    await switch_on(database)
    async with office(database) as post:
        mailbox, sent = post.mailbox(address_of(ANN)), list[str]()
        for _ in range(3):
            await mailbox.write("puzzle")
            sent.append((await daily_puzzle(post)).key)
    async with office(database, NOON + DAY) as post:
        await send_due(post)
        sent.append((await daily_puzzle(post)).key)
    assert len(set(sent)) == 4
    async with office(database, NOON + 2 * DAY) as post:
        await send_due(post)
        assert (await daily_puzzle(post)).key in sent  # none was tried


async def test_mails_at_the_same_time_bring_different_puzzles(database: Database) -> None:
    await store(database, 6)
    receivers = [make_receiver(Matches(database)) for _ in range(2)]
    pen = pen_of(ANN)
    raws = [pen.write(REPLIES.plain, "puzzle") for _ in range(6)]
    outcomes = await asyncio.gather(*(receivers[number % 2].receive(raw) for number, raw in enumerate(raws)))
    assert outcomes == [Outcome.ANSWERED] * 6
    sent = [json.loads(one.details)["puzzle"] for one in await list_letters(database)]
    assert len(set(sent)) == 6


async def test_daily_puzzle_and_those_asked_for_at_the_same_time_are_different(database: Database) -> None:
    await store(database, 6)
    await switch_on(database)
    mails = Matches(database).puzzle_mails
    later = NOON + DAY
    asking = [asyncio.create_task(mails.ask(ANN, now=later)) for _ in range(5)]
    await mails.write_due(now=later)
    keys = {puzzle.key for one in asking if (puzzle := await one) is not None}
    await mails.write_due(now=later)  # if something was asked for while it was written
    (letter,) = await list_letters(database, "puzzle")
    assert len(keys | {json.loads(letter.details)["puzzle"]}) == 6


# Whose answer counts.


async def test_answers_of_others_count_for_nobody(database: Database) -> None:
    await store(database, 2)
    matches, puzzle = Matches(database), puzzle_of(GAME, 1)
    await store_puzzles(database, [puzzle])
    receiver, address = make_receiver(matches), REPLIES.puzzle_address(PuzzleStep(puzzle.key), ANN.account)
    # Ben got it forwarded, and so did a stranger; somebody writes in Ann's name; the token was changed.
    for raw, outcome in (
        (pen_of(BEN).write(address, puzzle.line[0]), Outcome.UNKNOWN_TOKEN),
        (pen_of(ANN, "fail").write(address, puzzle.line[0]), Outcome.FORGED),
        (pen_of(ANN).write(spoil(address), puzzle.line[0]), Outcome.UNKNOWN_TOKEN),
        (pen_of(ANN).write(address.replace("0-", "1-"), puzzle.line[0]), Outcome.UNKNOWN_TOKEN),
    ):
        assert await receiver.receive(raw) is outcome
    assert await list_letters(database) == []
    for person in (ANN, BEN):
        assert await matches.puzzles.find_attempt(puzzle.key, person.account) is None


@pytest.mark.parametrize("typed", ["", "A1", "Hm, I do not know.", "puzzle daily 25:70", "draw", "hint"])
async def test_an_answer_to_a_withdrawn_puzzle_is_told_so(database: Database, typed: str) -> None:
    matches, puzzle = Matches(database), puzzle_of(GAME, 1)
    await store_puzzles(database, [puzzle])
    async with database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE puzzles SET withdrawn = 'reported'")
    address = REPLIES.puzzle_address(PuzzleStep(puzzle.key), ANN.account)
    raw = pen_of(ANN).write(address, typed or puzzle.line[0])
    assert await make_receiver(matches).receive(raw) is Outcome.ANSWERED
    (letter,) = await list_letters(database)
    assert ("was withdrawn" in str(letter.details)) == (typed not in {"puzzle daily 25:70", "draw"})
    assert await matches.puzzles.find_attempt(puzzle.key, ANN.account) is None


async def test_the_same_mail_again_is_judged_once(database: Database) -> None:
    matches, puzzle = Matches(database), puzzle_of(GAME, 1)
    await store_puzzles(database, [puzzle])
    address = REPLIES.puzzle_address(PuzzleStep(puzzle.key), ANN.account)
    raw = pen_of(ANN).write(address, puzzle.line[0])
    assert await make_receiver(matches).receive(raw) is Outcome.ANSWERED
    assert await make_receiver(Matches(database)).receive(raw) is Outcome.REPEATED
    assert len(await list_letters(database)) == 1
    assert len(await matches.puzzles.list_history(ANN.account)) == 1


async def test_what_nothing_proves_waits_for_a_click(database: Database) -> None:
    matches, puzzle = Matches(database), puzzle_of(GAME, 1)
    await store_puzzles(database, [puzzle])
    receiver = make_receiver(matches)
    address = REPLIES.puzzle_address(PuzzleStep(puzzle.key), ANN.account)
    assert await receiver.receive(pen_of(ANN, None).write(address, puzzle.line[0])) is Outcome.ASKED
    assert await matches.puzzles.find_attempt(puzzle.key, ANN.account) is None
    (letter,) = await list_letters(database)
    await matches.people.mail_commands.confirm(json.loads(letter.details)["command"], now=NOON)
    await receiver.carry_out_confirmed()
    attempt = await matches.puzzles.find_attempt(puzzle.key, ANN.account)
    assert attempt is not None
    assert attempt.is_solved


# Once a day.


KINDS = ("none", "killed before", "killed after", "server away", "restarted", "process away", "late")


@pytest.mark.long
async def test_month_of_restarts_kills_and_outages_has_one_mail_a_day(database: Database) -> None:
    await store(database, 40)
    await switch_on(database)
    setting = await Matches(database).puzzle_mails.find(ANN.account)
    assert setting.next_at is not None
    due, sent, expected = setting.next_at, list[str](), 0
    for number in range(31):
        kind, start = KINDS[number % len(KINDS)], due + timedelta(hours=5 if number % 7 == 6 else 0)
        due += DAY
        if kind == "process away":
            continue
        is_lost = kind == "server away"
        expected += not is_lost
        clock = MovedClock(start)
        async with running_office(database, clock) as post:
            mails = post.matches.puzzle_mails
            if kind != "killed before":
                assert await mails.write_due(now=clock()) == 1
            if is_lost:  # until the mail is worth nothing any more
                clock.wait(LIFETIME)
            elif kind == "none":
                await post.sender.send_due()
            elif kind == "restarted":
                await post.matches.people.preferences.change(ANN, zone="Asia/Seoul", now=clock())
                await mails.switch_on(ANN, MORNING, now=clock())
            sent += [str(one["Message-ID"]) for one in post.server.mails]
        async with running_office(database, clock) as post, running_office(database, clock) as other:
            for _ in range(2):
                await send_due(post)
                await send_due(other)
            sent += [str(one["Message-ID"]) for one in (*post.server.mails, *other.server.mails)]
            if number % 9 == 8:  # so that they do not end
                written = json.loads((await list_letters(database, "puzzle"))[-1].details)
                await post.matches.puzzles.reveal(written["puzzle"], ANN, now=clock())
    assert len(sent) == len(set(sent)) == expected
    letters = [one.details for one in await list_letters(database, "puzzle")]
    assert len(letters) == len(set(letters)) == 31 - 31 // len(KINDS)


async def test_one_that_cannot_be_written_keeps_nobody_waiting(database: Database) -> None:
    await store(database, 6)
    await switch_on(database)
    mails = Matches(database).puzzle_mails
    await mails.switch_on(BEN, MORNING, now=NOON)
    async with database.transaction() as connection:  # Ann's, which are written first
        await connection.exec_driver_sql("UPDATE preferences SET text = '{\"quiet\": 1}'")
    with pytest.raises(ExceptionGroup):
        await mails.write_due(now=NOON + DAY)
    assert [one.address for one in await list_letters(database, "puzzle")] == [address_of(BEN)]


async def test_after_an_outage_of_days_only_the_last_is_sent(database: Database) -> None:
    await store(database, 6)
    await switch_on(database)
    async with office(database, NOON + 5 * DAY) as post:
        await send_due(post)
        assert len(post.server.mails) == 1
        setting = await post.matches.puzzle_mails.find(ANN.account)
        assert setting.next_at is not None
        assert post.context.now() < setting.next_at <= post.context.now() + DAY


async def test_switching_it_off_and_on_brings_no_second_one_on_a_day(database: Database) -> None:
    await store(database, 6)
    await switch_on(database)
    matches = Matches(database)
    setting = await matches.puzzle_mails.find(ANN.account)
    assert setting.next_at is not None
    async with office(database, setting.next_at) as post:
        await send_due(post)
        await post.matches.puzzle_mails.switch_off(ANN.account)
        later = parse_time_of_day("9:00")
        again = await post.matches.puzzle_mails.switch_on(ANN, later, now=post.context.now())
        assert again.next_at == setting.next_at + DAY + timedelta(hours=1, minutes=30)


async def test_other_time_zone_and_quiet_hours_move_it(database: Database) -> None:
    await switch_on(database)
    matches = Matches(database)
    await matches.people.preferences.change(ANN, zone="UTC", quiet="6-8", now=NOON)
    setting = await matches.puzzle_mails.find(ANN.account)
    assert setting.next_at == (NOON + DAY).replace(hour=8)


async def test_a_puzzle_that_was_tried_elsewhere_is_replaced(database: Database) -> None:
    await store(database, 6)
    await switch_on(database)
    matches, now = Matches(database), NOON + DAY
    daily = await matches.puzzles.daily((now + timedelta(hours=9)).date())
    assert daily is not None
    await matches.puzzles.reveal(daily.key, ANN, now=NOON)
    async with office(database, now) as post:
        await send_due(post)
        assert (await daily_puzzle(post)).key != daily.key


@pytest.mark.long
async def test_it_ends_after_many_that_nobody_tries(database: Database) -> None:
    await store(database, 40)
    await switch_on(database)
    async with office(database) as post:
        for _ in range(MAX_UNANSWERED + 3):
            post.clock.wait(DAY)
            await send_due(post)
        mails = post.mailbox(address_of(ANN)).mails
        assert len(mails) == MAX_UNANSWERED
        assert ["this is the last one" in " ".join(text_of(one).split()) for one in mails] == [
            *[False] * (MAX_UNANSWERED - 1),
            True,
        ]
        await post.matches.puzzle_mails.switch_on(ANN, now=post.context.now())
        for _ in range(MAX_UNANSWERED + 3):
            post.clock.wait(DAY)
            await send_due(post)
            puzzle = await daily_puzzle(post)
            await post.matches.puzzles.reveal(puzzle.key, ANN, now=post.context.now())
        assert len(post.mailbox(address_of(ANN)).mails) == 2 * MAX_UNANSWERED + 3


@pytest.mark.parametrize("way", ["off", "address", "withdrawn"])
async def test_what_is_not_wanted_any_more_is_not_sent(database: Database, way: str) -> None:
    await store(database, 2)
    await switch_on(database)
    async with office(database, NOON + DAY) as post:
        matches, now = post.matches, post.context.now()
        await matches.puzzle_mails.write_due(now=now)
        (letter,) = await list_letters(database, "puzzle")
        if way == "off":
            await matches.puzzle_mails.switch_off(ANN.account)
        elif way == "address":
            await matches.people.mail_addresses.stop(ANN.account, address_of(ANN), now=now)
        else:
            async with database.transaction() as connection:
                await connection.exec_driver_sql("UPDATE puzzles SET withdrawn = 'reported'")
        await post.sender.send_due()
        assert post.server.mails == []
        assert letter.address == address_of(ANN)


async def test_nobody_gets_it_without_an_address(database: Database) -> None:
    matches = Matches(database)
    await matches.people.mail_addresses.stop(ANN.account, address_of(ANN), now=NOON)
    with refused("puzzle_mail_no_address"):
        await matches.puzzle_mails.switch_on(ANN, now=NOON)


@pytest.mark.plain("the language is what is tested")
@pytest.mark.parametrize("language", list_languages())
async def test_it_is_in_the_language_of_its_reader(database: Database, language: str) -> None:
    await store(database, 2)
    await switch_on(database)
    await Matches(database).people.preferences.change(ANN, language=language, now=NOON)
    async with office(database, NOON + DAY) as post:
        await send_due(post)
        subject = post.mailbox(address_of(ANN)).newest["Subject"]
    wanted = {"en": "Puzzle of the day", "de": "Rätsel des Tages", "ja": "今日のパズル"}
    assert wanted[language] in subject


async def test_it_goes_with_the_data_of_a_person(database: Database) -> None:
    await switch_on(database)
    matches = Matches(database)
    data = matches.people.personal_data
    assert (await data.summary(ANN.account)).counts["puzzle_mails"] == 1
    await data.erase(ANN.account, ErasureChoice.RESIGN, now=NOON)
    assert (await matches.puzzle_mails.find(ANN.account)).next_at is None


async def test_it_goes_on_when_accounts_are_joined(database: Database) -> None:
    await store(database, 1)
    await switch_on(database)
    matches = Matches(database)
    await matches.puzzle_mails.ask(BEN, now=NOON)  # so that Ben has a row too
    setting = await matches.puzzle_mails.find(ANN.account)
    await matches.people.personal_data.join(ANN.account, BEN.account, now=NOON)
    assert await matches.puzzle_mails.find(BEN.account) == setting


async def test_it_is_written_while_accounts_are_joined(database: Database) -> None:
    await store(database, 2)
    matches = Matches(database)
    mails = matches.puzzle_mails
    for number in range(3):
        one, into = [Person(f"web:{number:023}{sign}", f"{sign}{number}") for sign in "ab"]
        await give_mail(database, one, into)
        await mails.switch_on(one, now=NOON)
        await mails.ask(into, now=NOON)
        join = matches.people.personal_data.join(one.account, into.account, now=NOON)
        await asyncio.gather(join, mails.write_due(now=NOON + DAY))  # neither waits for the other
        setting = await mails.find(into.account)
        assert setting.next_at is not None
