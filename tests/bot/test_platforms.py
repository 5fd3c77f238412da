"""A match may seat people of two platforms, and may have no place: everybody is told once, where they are."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select
from structlog.testing import capture_logs

from bot.ui import ids
from engine.game import Side
from matches import NO_PLACE, AnnouncementKind, MatchId, OfferKind, Person, Terms, TimeControl, TimeoutRule
from storage.tables import OUTBOX
from tests.bot.environment import BotEnvironment, labels

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matches import Announcement, Challenge, MatchView
    from tests.discord_server import Member

PIGEON = "pigeon"
CARL = Person("pigeon:carl", "Carl_*")
TIMED = Terms(
    time_control=TimeControl.per_move(timedelta(days=1)),
    timeout_rule=TimeoutRule.LOST,
    vacation_stops_clock=False,
)


@dataclass(slots=True)
class PigeonFrontEnd:
    """What a front end of another platform does at least: it sends what is for it, or says that it cannot."""

    env: BotEnvironment
    sent: list[Announcement] = field(default_factory=list)
    bounces: bool = False

    async def run(self) -> None:
        """Send everything that is due."""
        matches, now = self.env.bot.matches, self.env.bot.now()
        while due := await matches.announcements.claim_due(PIGEON, now=now):
            for row in due:
                if self.bounces:
                    await matches.posting.places.record_refused(row, now=now)
                    continue
                if row.match is not None:
                    await matches.views.at_announcement(row)
                await matches.announcements.mark_sent(row.id, f"pigeon/{row.id}", now=now)
                await matches.posting.places.record_delivered(row, now=now)
                self.sent.append(row)

    def kinds(self) -> list[str]:
        """Return what was sent, in order."""
        return [one.kind.name for one in self.sent]


@pytest.fixture
def mail(env: BotEnvironment) -> PigeonFrontEnd:
    return PigeonFrontEnd(env)


@pytest.fixture(autouse=True)
def no_failures() -> Iterator[None]:
    """Fail a test in which something was logged as an error."""
    with capture_logs() as logs:
        yield
    assert [one for one in logs if one["log_level"] == "error" or "exc_info" in one] == []


async def settle(env: BotEnvironment, mail: PigeonFrontEnd) -> None:
    """Send everything that is due on both platforms, also what that leads to."""
    for _ in range(3):
        await env.wait_until_idle()
        await mail.run()
        await env.advance_time(seconds=11)


async def challenge(env: BotEnvironment, by: Person, to: Person, *, in_channel: bool = False) -> Challenge:
    """Challenge somebody in the channel, or nowhere."""
    update = await env.bot.matches.challenges.create(
        by,
        to=to,
        server=ids.stored_id(env.guild.id) if in_channel else NO_PLACE,
        channel=ids.stored_id(env.channel.id) if in_channel else NO_PLACE,
        game="morelli",
        options={"size": 9, "setup": "facing"},
        terms=TIMED,
        colour=Side.BLACK,
        now=env.bot.now(),
    )
    return update.challenge


def person_of(member: Member) -> Person:
    return Person(ids.stored_id(member.id), member.name)


async def play(env: BotEnvironment, view: MatchView, person: Person, text: str) -> MatchView:
    """Play as somebody who is not in Discord."""
    current = await env.bot.matches.view(view.id, now=env.bot.now())
    update = await env.bot.matches.play(
        view.id, person, [text], seen_revision=current.revision, now=env.bot.now()
    )
    return update.match


async def check_told_once(env: BotEnvironment) -> None:
    """Check that nothing waits, and that nobody was told anything twice."""
    async with env.database.read() as connection:
        rows = (await connection.execute(select(OUTBOX))).mappings().all()
    assert [row for row in rows if row["sent_at"] is None] == []
    told = Counter((row["kind"], row["ply"], row["takebacks"], row["to"]) for row in rows if row["post"])
    assert {key: count for key, count in told.items() if count > 1} == {}


@pytest.mark.long
async def test_match_of_two_platforms_in_a_channel(env: BotEnvironment, mail: PigeonFrontEnd) -> None:
    alice, matches = person_of(env.alice), env.bot.matches
    made = await challenge(env, alice, CARL, in_channel=True)
    await settle(env, mail)
    assert "Carl\\_\\*" in env.latest_message.text
    view = (await matches.challenges.accept(made.id, CARL, now=env.bot.now())).match
    await settle(env, mail)
    board = env.latest_message
    assert f"<@{env.alice.id}>" in board.text
    await env.submit_move(env.alice, board, "C1-D2")
    await settle(env, mail)
    assert "Carl\\_\\*" in env.latest_message.text  # it is his turn, and he cannot be mentioned
    assert mail.kinds() == ["CHALLENGED", "STARTED", "TURN"]
    assert [one.to for one in mail.sent] == [CARL.account] * 3
    await play(env, view, CARL, "A2-C4")
    await settle(env, mail)
    assert "White A2-C4" in env.latest_message.text

    await matches.offers.make(view.id, CARL, OfferKind.TAKEBACK, now=env.bot.now())
    await settle(env, mail)
    await env.alice.click(env.latest_message, "Allow the takeback")
    await settle(env, mail)
    assert mail.kinds()[-2:] == ["OFFERED", "TAKEN_BACK"]
    await play(env, view, CARL, "A2-B3")
    await settle(env, mail)

    mail.bounces = True
    await env.submit_move(env.alice, env.latest_message, "B1-B2")
    await settle(env, mail)
    assert "I cannot tell Carl" in env.alice.dms[-1].text
    assert "accepts no direct messages" not in env.alice.dms[-1].text
    for _ in range(5):
        await env.advance_time(days=1)
        await settle(env, mail)
    assert (await matches.view(view.id, now=env.bot.now())).result is None
    mail.bounces = False
    await env.advance_time(days=1, minutes=1)
    await settle(env, mail)
    assert "has now been told" in env.alice.dms[-1].text
    assert len(env.alice.dms) == 2
    await matches.resign(view.id, CARL, now=env.bot.now())
    await settle(env, mail)
    assert "Carl\\_\\* resigns" in env.latest_message.text
    assert mail.kinds()[-1] == "RESIGNED"
    await check_told_once(env)


@pytest.mark.long
async def test_match_of_two_platforms_without_a_place(env: BotEnvironment, mail: PigeonFrontEnd) -> None:
    alice, matches = person_of(env.alice), env.bot.matches
    made = await challenge(env, CARL, alice)
    await settle(env, mail)
    (asked,) = env.alice.dms
    assert "channel" not in asked.text
    await env.alice.click(asked, "Accept")
    await settle(env, mail)
    started = (await matches.challenges.find(made.id, now=env.bot.now())).match
    assert started is not None
    view = await matches.view(started, now=env.bot.now())
    assert view.is_direct
    await play(env, view, CARL, "C1-D2")
    await settle(env, mail)
    board = env.alice.dms[-1]
    assert {"Move", "Pick"} <= set(labels(board))
    await env.submit_move(env.alice, board, "A2-C4")
    await settle(env, mail)
    assert mail.kinds() == ["CHALLENGED", "STARTED", "TURN", "TURN"]
    await matches.resign(view.id, CARL, now=env.bot.now())
    await settle(env, mail)
    assert "Carl" in env.alice.dms[-1].text
    assert env.channel.messages == []
    await check_told_once(env)


@pytest.mark.long
async def test_match_of_two_people_in_discord_without_a_place(
    env: BotEnvironment, mail: PigeonFrontEnd
) -> None:
    alice, bob = person_of(env.alice), person_of(env.bob)
    await challenge(env, alice, bob)
    await settle(env, mail)
    assert len(env.alice.dms) == len(env.bob.dms) == 1
    await env.bob.click(env.bob.dms[-1], "Accept")
    await settle(env, mail)
    await env.submit_move(env.alice, env.alice.dms[-1], "C1-D2")
    await settle(env, mail)
    await env.submit_move(env.bob, env.bob.dms[-1], "A2-C4")
    await settle(env, mail)
    for command in ("games", "turns", "board", "lobby"):
        await env.bob.command(command, {}, channel=env.channel)
    env.bob.close_dms()
    reply = await env.submit_move(env.alice, env.alice.dms[-1], "B1-B2")
    assert "B1-B2" in reply.text
    for _ in range(3):
        await env.advance_time(days=1)
        await settle(env, mail)
    assert "I cannot tell" in "".join(one.text for one in env.alice.dms)
    assert (await env.bot.matches.view(MatchId(1), now=env.bot.now())).result is None
    env.bob.open_dms()
    await env.advance_time(days=1)
    await settle(env, mail)
    reply = await env.bob.command("resign", {"match": "1"}, channel=env.channel)
    await env.bob.click(reply, "Resign")
    await settle(env, mail)
    assert "wins" in env.alice.dms[-1].text
    assert mail.sent == []
    await check_told_once(env)


@pytest.mark.long
async def test_rows_of_a_platform_that_nobody_serves_wait_and_go(
    env: BotEnvironment, mail: PigeonFrontEnd
) -> None:
    """They delay nobody, and a player who is not told loses no time; they go when the match went on."""
    alice, matches = person_of(env.alice), env.bot.matches
    made = await challenge(env, alice, CARL, in_channel=True)
    await env.advance_time(seconds=11)
    view = (await matches.challenges.accept(made.id, CARL, now=env.bot.now())).match
    await env.advance_time(seconds=11)
    await env.submit_move(env.alice, env.latest_message, "C1-D2")
    await env.advance_time(days=5)
    assert "White" not in env.latest_message.text.split("\n")[0]
    current = await matches.view(view.id, now=env.bot.now())
    assert current.result is None
    assert current.time is not None
    assert [person.account for person in current.time.unreached] == [CARL.account]
    assert "I cannot tell Carl" in env.alice.dms[-1].text
    backlog = await matches.work.backlogs.measure("discord", now=env.bot.now())
    assert (backlog.outbox_waiting, backlog.is_outbox_stuck) == (0, False)
    await play(env, view, CARL, "A2-C4")
    await env.advance_time(seconds=11)
    assert "White A2-C4" in env.latest_message.text
    async with env.database.read() as connection:
        waiting = select(OUTBOX.c.kind).where(OUTBOX.c.sent_at.is_(None)).order_by(OUTBOX.c.id)
        before = (await connection.execute(waiting)).scalars().all()
        await matches.work.packing.pack(now=env.bot.now() + timedelta(days=31))
    async with env.database.read() as connection:
        after = (await connection.execute(waiting)).scalars().all()
    assert before == ["challenged", "started", "turn", "turn"]
    assert after == [AnnouncementKind.TURN]  # of the board that he would still see
    await mail.run()
    assert mail.kinds() == ["TURN"]
