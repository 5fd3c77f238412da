"""People of the website who challenge and play, and do nothing before they were told, by mail and by push."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import count
from typing import TYPE_CHECKING, Self
from uuid import uuid4

import aiohttp
from sqlalchemy import select, update

from matches import ChallengeId, MatchId, Person
from matches.names import fold_name
from matches.platforms import MAIL, PUSH
from storage.tables import OUTBOX, PEOPLE
from tests.cluster import Violation
from tests.mail.scenario import give_mail
from tests.storms.players import PATIENCE, RETRY_SECONDS, insist
from tests.web.environment import OWN_SITE
from web.play.seat_sessions import own_seat_path

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

    from matches import MatchView
    from tests.push.service import PushService, StubBrowser
    from tests.storms.cluster import Cluster

COPIES = {MAIL, PUSH}
TURNS = 5  # of a match before somebody resigns
TOLD_SECONDS = 300.0  # until somebody must have been told
LOOK_SECONDS = 0.3


@dataclass(slots=True)
class ToldPerson:
    """A person of the website with an address and a browser that shows notifications, signed in."""

    person: Person
    handle: str
    phone: StubBrowser
    secret: str
    number: int

    @classmethod
    async def create(cls, cluster: Cluster, service: PushService, number: int) -> Self:
        """Sign a new person in, give them an address, and switch notifications on."""
        database = cluster.database
        person, now = Person(f"web:{number:024x}", f"Ada{number}"), datetime.now(UTC)
        await give_mail(database, person)
        names = {"handle": person.name, "folded_handle": fold_name(person.name)}
        async with database.transaction() as connection:
            await connection.execute(update(PEOPLE).where(PEOPLE.c.account == person.account).values(names))
        sessions = cluster.matches.people.sessions
        secret = await sessions.start(person, None, device="", now=now)
        session = await sessions.find(secret, now=now)
        assert session is not None
        phone = service.browser(person.account.partition(":")[2])
        await phone.subscribe(cluster.matches, session)
        return cls(person, person.name, phone, secret, number)

    def open_browser(self) -> aiohttp.ClientSession:
        headers = {"X-Forwarded-For": f"10.2.0.{self.number}", **OWN_SITE}
        return aiohttp.ClientSession(cookies={"session": self.secret}, headers=headers, timeout=PATIENCE)


@dataclass(slots=True)
class ToldPair:
    """Two people who challenge each other by name and play, match after match."""

    cluster: Cluster
    people: tuple[ToldPerson, ToldPerson]
    is_over: bool = False
    challenges: int = 0
    _browsers: list[aiohttp.ClientSession] = field(default_factory=list)

    @property
    def name(self) -> str:
        return " and ".join(one.handle for one in self.people)

    async def play(self) -> None:
        """Play until it is over."""
        self._browsers = [one.open_browser() for one in self.people]
        try:
            while not self.is_over:
                await self._play_match()
        finally:
            for browser in self._browsers:
                await browser.close()

    async def _play_match(self) -> None:
        """Challenge, accept, play some turns and resign, as far as there is time."""
        challenge = await self._challenge()
        if not await self._wait_until_told(1, OUTBOX.c.challenge == challenge):
            return
        await self._post(1, f"/c/{challenge}/accept", {})
        match = (await insist(lambda: self.cluster.matches.challenges.find(challenge, now=_now()))).match
        assert match is not None
        for turn in range(TURNS + 1):
            view = await self._view(match)
            if view.to_move is None or view.position is None:
                return
            number = [one.person.account for one in self.people].index(view.to_move.person.account)
            of_turn = (OUTBOX.c.match == match) & (OUTBOX.c.ply == view.ply)
            if not await self._wait_until_told(number, of_turn):
                return
            if turn == TURNS:
                await self._post(number, f"{self._seat(view, number)}/resign", {})
            else:
                await self._move(view, number)

    async def _view(self, match: MatchId) -> MatchView:
        return await insist(lambda: self.cluster.matches.view(match, now=_now()))

    def _seat(self, view: MatchView, number: int) -> str:
        return own_seat_path(view, self.people[number].person.account)

    async def _challenge(self) -> ChallengeId:
        """Challenge the second by name; a form that is sent again makes no second challenge."""
        form = {"who": "name", "to": self.people[1].handle, "time_control": "none", "form": uuid4().hex}
        form |= {"game": "morelli", "morelli:size": "9", "morelli:setup": "facing"}
        location = await self._post(0, "/challenge", form)
        self.challenges += 1
        return ChallengeId(int(location.rpartition("/")[2]))

    async def _move(self, view: MatchView, number: int) -> None:
        """Play a random move, and note that it was acknowledged."""
        assert view.position is not None
        move, journal = str(self.cluster.rng.choice(view.position.legal_moves())), self.cluster.journal
        journal.attempted[view.id, view.ply + 1].add(move)
        form = {"board": str(view.revision), "text": move}
        if await self._post(number, f"{self._seat(view, number)}/play", form):
            journal.acknowledged[view.id][view.ply + 1] = move

    async def _post(self, number: int, path: str, form: dict[str, str]) -> str:
        """Send a form until a website answers; return where that leads, nothing if it was done before.

        Raises Violation if the first website that answers refuses it.
        """
        for attempt in count():
            website = self.cluster.rng.choice(self.cluster.websites)
            with suppress(aiohttp.ClientError, TimeoutError):
                async with self._browsers[number].post(
                    f"{website}{path}", data=form, allow_redirects=False
                ) as answer:
                    if answer.status == HTTPStatus.SEE_OTHER:
                        return answer.headers["Location"]
                    if answer.status < HTTPStatus.INTERNAL_SERVER_ERROR:
                        if not attempt:
                            raise Violation(f"{path}: {answer.status}\n{await answer.text()}")
                        return ""
            await asyncio.sleep(RETRY_SECONDS)
        raise AssertionError

    async def _wait_until_told(self, number: int, subject: ColumnElement[bool]) -> bool:
        """Wait until a person was told about a subject in every way; return False if it is over before."""
        account, end = self.people[number].person.account, time.monotonic() + TOLD_SECONDS
        while not self.is_over:
            if await insist(lambda: self._is_told(account, subject)):
                return True
            if time.monotonic() > end:
                raise Violation(f"{account} was not told within {TOLD_SECONDS:.0f} s: {subject}")
            await asyncio.sleep(LOOK_SECONDS)
        return False

    async def _is_told(self, account: str, subject: ColumnElement[bool]) -> bool:
        is_sent = OUTBOX.c.sent_at.is_not(None) & OUTBOX.c.post.is_not(None)
        ways = select(OUTBOX.c.platform).where(OUTBOX.c.to == account, is_sent, subject)
        async with self.cluster.database.read() as connection:
            return set(await connection.scalars(ways)) >= COPIES


def _now() -> datetime:
    return datetime.now(UTC)
