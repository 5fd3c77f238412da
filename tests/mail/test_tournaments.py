"""What entrants of tournaments are told by mail."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from i18n.translations import list_languages
from matches.tournaments.values import Kind, TournamentId
from tests.mail.rewrapping import texts_of
from tests.mail.scenario import ANN, BEN, REPLIES, address_of, sending
from tests.mail.smtp_server import running_smtp
from tests.mail.test_no_moves import find_dangers
from tests.mail.test_notices import text_of
from tests.matches.scenario import NOON
from tests.matches.tournaments.scenario import ORGANISER, START, player, see, settings_of

if TYPE_CHECKING:
    from datetime import datetime
    from email.message import EmailMessage

    from matches import Matches
    from storage import Database

REASON = "visit www.example.com"


async def start(matches: Matches, kind: Kind = Kind.LADDER, name: str = "Spring cup") -> TournamentId:
    """Start a tournament of Ann, Ben and another; on a ladder no match begins with it."""
    number = await matches.tournaments.create(settings_of(kind, name=name), ORGANISER, now=NOON)
    for person in (ANN, BEN, player(3)):
        await matches.tournaments.join(number, person, now=NOON)
    await matches.tournaments.sweep(now=START)
    return number


async def send_all(database: Database, now: datetime) -> list[EmailMessage]:
    """Return the mails that are due, which can be answered."""
    async with running_smtp() as server, sending(database, server.port, lambda: now, REPLIES) as sender:
        await sender.send_due()
    return server.mails


@pytest.mark.parametrize("language", list_languages())
async def test_start_is_one_mail_with_the_page_and_no_command(
    matches: Matches, database: Database, language: str
) -> None:
    for person in (ANN, BEN):
        await matches.people.preferences.change(person, language=language, now=NOON)
    number = await start(matches, name="Resign")
    mails = await send_all(database, START + timedelta(hours=1))
    assert {mail["To"] for mail in mails} == {address_of(ANN), address_of(BEN)}
    for mail in mails:
        assert "Resign" in mail["Subject"]
        assert mail["Message-ID"].startswith(f"<tournament-{number}-")
        assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        assert f"https://rayuela.example/tournaments/{number}" in text_of(mail)
        assert find_dangers(None, [*texts_of(mail)]) == []


@pytest.mark.long
async def test_round_and_its_games_are_told_apart(matches: Matches, database: Database) -> None:
    await start(matches, Kind.ROUND_ROBIN)
    mails = await send_all(database, START + timedelta(hours=1))
    subjects = [mail["Subject"] for mail in mails if mail["To"] == address_of(ANN)]
    assert "“Spring cup” has started" in subjects
    assert len(subjects) == 3
    texts = [text_of(mail) for mail in mails]
    assert sum("This is a game of the tournament “Spring cup”" in text for text in texts) == 4


@pytest.mark.long
async def test_exclusion_is_told_without_what_the_organiser_wrote(
    matches: Matches, database: Database
) -> None:
    number = await start(matches)
    await send_all(database, START + timedelta(hours=1))
    view, now = await see(matches, number), START + timedelta(days=1)
    ben = next(one.id for one in view.entrants if one.person == BEN)
    await matches.tournaments.exclude(number, ben, ORGANISER, reason=REASON, now=now)
    (mail,) = await send_all(database, now + timedelta(hours=1))
    assert mail["Subject"] == "You are out of “Spring cup”"
    assert "The organiser excluded you" in text_of(mail)
    assert "example.com" not in text_of(mail)


async def test_what_is_older_than_its_stage_is_not_told(matches: Matches, database: Database) -> None:
    number = await start(matches, Kind.ROUND_ROBIN)
    view = await see(matches, number)
    assert view.stage is not None
    mails = await send_all(database, view.stage.dates.ends_at + timedelta(minutes=1))
    assert all("has started" not in mail["Subject"] for mail in mails)


async def test_changed_date_is_one_mail_and_none_after_the_start(
    matches: Matches, database: Database
) -> None:
    number = await matches.tournaments.create(settings_of(Kind.SWISS), ORGANISER, now=NOON)
    await matches.tournaments.join(number, ANN, now=NOON)
    later = settings_of(Kind.SWISS, starts_at=START + timedelta(days=2))
    await matches.tournaments.change(number, later, ORGANISER, reason=REASON, now=NOON)
    (mail,) = await send_all(database, NOON + timedelta(hours=1))
    assert mail["Subject"] == "“Spring cup” starts at another time"
    assert "The start of “Spring cup” was moved" in text_of(mail)
    assert "www.example.com" not in text_of(mail)
    again = settings_of(Kind.SWISS, starts_at=START)
    await matches.tournaments.change(number, again, ORGANISER, reason=REASON, now=NOON + timedelta(hours=2))
    assert await send_all(database, START + timedelta(minutes=1)) == []
