"""Watching matches by mail: each turn, a digest a day, or the end; and how it is stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import FollowMode, Matches, NoticeKind, Person, Way
from matches.audience import ANONYMOUS_NAME
from matches.platforms import MAIL, WEBSITE
from tests.mail.scenario import ANN, BEN, REPLIES, address_of, give_mail, sending
from tests.mail.smtp_server import SmtpServer, running_smtp
from tests.mail.test_notices import text_of
from tests.matches.scenario import NOON, later, play_move, start_match

if TYPE_CHECKING:
    from datetime import datetime

    from matches import MatchView
    from storage import Database

EVE = Person(f"web:{'e' * 24}", "Eve")
TOMORROW = later(days=1)


@pytest.fixture(autouse=True)
async def mail_of_eve(database: Database) -> None:
    await give_mail(database, EVE)


async def send_to_eve(database: Database, now: datetime) -> SmtpServer:
    async with running_smtp() as server, sending(database, server.port, lambda: now, REPLIES) as sender:
        await sender.send_due()
    server.mails = [mail for mail in server.mails if mail["To"] == address_of(EVE)]
    return server


async def watch(matches: Matches, mode: FollowMode) -> MatchView:
    view = await start_match(matches, by=ANN, to=BEN, server=WEBSITE, channel=WEBSITE)
    await matches.people.following.follow(view.id, EVE, mode, now=NOON)
    return view


async def test_each_turn_is_a_mail_of_its_list(matches: Matches, database: Database) -> None:
    view = await watch(matches, FollowMode.TURNS)
    await play_move(matches, view, "A1-B2")
    (mail,) = (await send_to_eve(database, later(hours=1))).mails
    assert mail["Subject"] == "Ann against Ben: a new move · Morelli"
    assert mail["List-Id"] == f"<match-{view.id}.example.org>"
    assert mail["List-Unsubscribe"] == f"<https://rayuela.example/mail/stop/watching/{EVE.account}.{view.id}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert mail["References"] == f"<match-{view.id}@example.org>"
    text = text_of(mail)
    assert "Black A1-B2" in text
    assert "in the first line" not in text
    assert "because you watch this match" in text
    assert any(part.get_content_type() == "image/png" for part in mail.walk())


@pytest.mark.long
async def test_of_many_turns_only_the_present_board_is_told(matches: Matches, database: Database) -> None:
    view = await watch(matches, FollowMode.TURNS)
    for hour in range(5):
        view = (await play_move(matches, view, now=later(hours=hour))).match
    (mail,) = (await send_to_eve(database, later(hours=10))).mails
    assert f"turn-{view.id}-{view.revision}-" in mail["Message-ID"]


@pytest.mark.parametrize("mode", [FollowMode.TURNS, FollowMode.END])
async def test_end_is_told_once(matches: Matches, database: Database, mode: FollowMode) -> None:
    view = (await play_move(matches, await watch(matches, mode))).match
    await matches.resign(view.id, BEN, now=later(minutes=1))
    (mail,) = (await send_to_eve(database, later(hours=1))).mails
    assert mail["Subject"] == "Ann against Ben: the match is over · Morelli"
    assert "Ben resigns" in text_of(mail)


async def test_digest_is_one_mail_a_day_with_the_boards_of_now(matches: Matches, database: Database) -> None:
    views = [await watch(matches, FollowMode.DAILY) for _ in range(2)]
    for view in views:
        await play_move(matches, (await play_move(matches, view)).match)
    await matches.people.following.announce_digests(now=TOMORROW)
    (mail,) = (await send_to_eve(database, later(days=1, hours=1))).mails
    assert mail["Subject"] == "2 matches you watch: the last day"
    assert mail["List-Id"] == "<watching.example.org>"
    assert mail["List-Unsubscribe"] == f"<https://rayuela.example/mail/stop/watching/{EVE.account}.0>"
    assert mail["Reply-To"] == "Rayuela <play@example.org>"
    text = text_of(mail)
    assert text.count("2 new moves") == 2
    assert [f"/m/{view.id}\n" in text for view in views] == [True, True]
    assert sum(part.get_content_type() == "image/png" for part in mail.walk()) == 2
    assert (await send_to_eve(database, later(days=1, hours=2))).mails == []


async def test_digests_of_days_without_mail_server_are_one_mail(matches: Matches, database: Database) -> None:
    view = await watch(matches, FollowMode.DAILY)
    for day in (1, 2):
        view = (await play_move(matches, view, now=later(days=day, hours=-1))).match
        await matches.people.following.announce_digests(now=later(days=day))
    (mail,) = (await send_to_eve(database, later(days=2, hours=1))).mails
    assert "2 new moves" in text_of(mail)


async def test_old_digest_is_dropped(matches: Matches, database: Database) -> None:
    await play_move(matches, await watch(matches, FollowMode.DAILY))
    await matches.people.following.announce_digests(now=TOMORROW)
    assert (await send_to_eve(database, later(days=5))).mails == []
    assert await matches.announcements.claim_due(MAIL, now=later(days=6)) == ()


@pytest.mark.long
async def test_match_that_may_not_be_seen_is_never_told(matches: Matches, database: Database) -> None:
    view = await start_match(matches, by=ANN, to=BEN)  # in a channel that not everybody sees
    await matches.people.following.follow(view.id, EVE, FollowMode.TURNS, now=NOON)
    await play_move(matches, view)
    assert (await send_to_eve(database, later(hours=1))).mails == []


async def test_watcher_sees_the_names_for_everybody(matches: Matches, database: Database) -> None:
    await matches.visibility.set_alias(ANN, "", now=NOON)
    await play_move(matches, await watch(matches, FollowMode.TURNS))
    (mail,) = (await send_to_eve(database, later(hours=1))).mails
    assert ANONYMOUS_NAME in mail["Subject"]
    assert "Ann" not in mail.as_string()


async def test_who_is_not_told_of_what_they_watch_gets_nothing(matches: Matches, database: Database) -> None:
    view = await watch(matches, FollowMode.TURNS)
    await matches.people.notices.change(EVE, NoticeKind.DIGEST, (), now=NOON)
    await play_move(matches, view)
    assert (await send_to_eve(database, later(hours=1))).mails == []
    await matches.people.following.follow(view.id, EVE, FollowMode.TURNS, now=NOON)  # asks for them again
    assert (await matches.people.notices.choices(EVE.account)).ways[NoticeKind.DIGEST] == {Way.MAIL}


async def test_unwatched_match_is_told_no_more(matches: Matches, database: Database) -> None:
    view = await watch(matches, FollowMode.TURNS)
    await play_move(matches, view)
    await matches.people.following.unfollow(view.id, EVE.account, now=NOON)
    assert (await send_to_eve(database, later(hours=1))).mails == []
