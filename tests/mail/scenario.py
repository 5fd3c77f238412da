"""People of the website with mail, links that lead nowhere, and a sender of mails."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from sqlalchemy import insert, select

from mail.answers import ANSWER_LIFETIME, answer_details
from mail.context import MailContext
from mail.letters import LetterSource
from mail.message import Sender
from mail.notices import NoticeSource
from mail.reply_addresses import ReplyAddresses
from mail.sender import MailSender
from mail.smtp_transport import SmtpTransport
from matches import ChallengeId, Matches, MatchId, MatchView, Person, Terms
from matches.platforms import MAIL, WEBSITE
from matches.posting.letters import LetterKind, write_letter
from matches.terms import TimeControl
from matches.times import to_millis
from runtime.mail_settings import MailSettings
from storage.tables import IDENTITIES, PEOPLE
from tests.games import GAMES, READER_TEXTS
from tests.matches.scenario import NOON, later, start_match

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from engine.game import OptionValue
    from i18n import Texts
    from mail.commands.values import Answer
    from storage import Database

ANN, BEN = Person(f"web:{'a' * 24}", "Ann"), Person(f"web:{'b' * 24}", "Ben")
SECRET = "a secret for tests, long enough to be one"  # noqa: S105 - it opens nothing
REPLIES = ReplyAddresses("play@example.org", SECRET)
DUE = later(hours=1)  # when notices have waited long enough


class StandInLinks:
    """Links of a website that does not run."""

    def home_url(self) -> str:
        return "https://rayuela.example/"

    def code_url(self, token: str) -> str:
        return f"https://rayuela.example/signin/link/{token}"

    def match_url(self, match: MatchId) -> str:
        return f"https://rayuela.example/m/{match}"

    def challenge_url(self, challenge: ChallengeId) -> str:
        return f"https://rayuela.example/challenges/{challenge}"

    def tournament_url(self, tournament: int) -> str:
        return f"https://rayuela.example/tournaments/{tournament}"

    def confirm_url(self, command: int) -> str:
        return f"https://rayuela.example/mail/confirm/{command}"

    def terms_url(self) -> str:
        return "https://rayuela.example/terms"

    def notices_url(self) -> str:
        return "https://rayuela.example/account/notices"

    def stop_url(self, account: str, address: str) -> str:
        return f"https://rayuela.example/mail/stop/{account}.{len(address)}"

    def refuse_url(self, address: str) -> str:
        return f"https://rayuela.example/mail/stop/invitations/{len(address)}"

    def unwatch_url(self, account: str, match: MatchId | None) -> str:
        return f"https://rayuela.example/mail/stop/watching/{account}.{match or 0}"

    def puzzle_url(self, key: str) -> str:
        return f"https://rayuela.example/puzzles/{key}"

    def puzzle_stop_url(self, account: str) -> str:
        return f"https://rayuela.example/mail/stop/puzzles/{account}"


def address_of(person: Person) -> str:
    return f"{person.name.lower()}@example.org"


def mail_settings(port: int) -> MailSettings:
    return MailSettings(mail_url=f"smtp://127.0.0.1:{port}", mail_from="Rayuela <play@example.org>")


async def give_mail(database: Database, *persons: Person) -> None:
    """Give persons a confirmed address."""
    now = to_millis(NOON)
    async with database.transaction() as connection:
        for person in persons:
            known = {"account": person.account, "name": person.name, "met_at": now}
            await connection.execute(insert(PEOPLE).values(known))
            owned = {"account": person.account, "made_at": now, "confirmed_at": now}
            values = {"platform": MAIL, "address": address_of(person), **owned}
            await connection.execute(insert(IDENTITIES).values(values))


async def find_stop(database: Database, person: Person) -> tuple[int, bool]:
    """Return the score of a person's address, and whether mails to it have stopped."""
    async with database.read() as connection:
        columns = (IDENTITIES.c.bounces, IDENTITIES.c.stopped_at)
        found = await connection.execute(select(*columns).where(IDENTITIES.c.account == person.account))
        bounces, stopped_at = found.one()
    return bounces, stopped_at is not None


async def start_quietly(
    matches: Matches, by: Person = ANN, to: Person = BEN, game: str = "morelli"
) -> MatchView:
    """Start a match on the website of whose start both players know."""
    options: dict[str, OptionValue] | None = None if game == "morelli" else {}
    view = await start_match(matches, options, by=by, to=to, game=game, channel=WEBSITE)
    for person in (by, to):
        await matches.people.notices.mark_seen(person.account, view.id, now=NOON)
    return view


async def start_with_clock(matches: Matches) -> MatchView:
    """Start a match on the website with three days for each move, of whose start both players know."""
    terms = Terms(time_control=TimeControl.per_move(timedelta(days=3)))
    view = await start_match(matches, by=ANN, to=BEN, channel=WEBSITE, terms=terms)
    for person in (ANN, BEN):
        await matches.people.notices.mark_seen(person.account, view.id, now=NOON)
    return view


async def write(
    database: Database,
    kind: LetterKind,
    address: str,
    *,
    lifetime: timedelta = timedelta(hours=1),
    now: datetime = NOON,
    **details: str | int,
) -> None:
    """Write a letter that is due, by default at noon, and by default worth something for an hour."""
    async with database.transaction() as connection:
        await write_letter(connection, kind, address, details=details, lifetime=lifetime, now=now)


async def write_answer(
    database: Database,
    answer: Answer,
    address: str,
    account: str | None,
    *,
    message_id: str | None = None,
    subject: str = "",
    now: datetime = NOON,
) -> None:
    """Write the answer to a mail with this `message_id` and `subject`."""
    async with database.transaction() as connection:
        await write_letter(
            connection,
            LetterKind.ANSWER,
            address,
            account=account,
            details=answer_details(answer, message_id=message_id, subject=subject),
            lifetime=ANSWER_LIFETIME,
            now=now,
        )


@asynccontextmanager
async def sending(
    database: Database,
    port: int,
    now: Callable[[], datetime] = lambda: DUE,
    replies: ReplyAddresses | None = None,
    texts: Texts = READER_TEXTS,
) -> AsyncIterator[MailSender]:
    """Return what sends the mails of a database to a server on loopback when it is asked to.

    They can be answered with `replies`, and say `texts`.
    """
    settings = mail_settings(port)
    sender = Sender(settings.mail_from or "")
    matches = Matches(database, games=GAMES)
    context = MailContext(matches, GAMES, texts, StandInLinks(), SECRET, sender, now, replies)
    transport = SmtpTransport(settings, answer_seconds=5)
    yield MailSender((LetterSource(context), NoticeSource(context)), transport, context.matches.metrics)
    await transport.close()
