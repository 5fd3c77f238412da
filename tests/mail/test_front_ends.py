"""Matches between a mailbox and another front end: a Discord channel with the real bot, and a browser."""

from __future__ import annotations

from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

import pytest

from bot.ui import ids
from matches import EndReason, MatchState, Person, Reader
from tests.bot.environment import BotEnvironment, running_bot, set_no_clock
from tests.databases import open_database
from tests.discord_server import DiscordServer
from tests.mail.correspondence import MovedClock, running_office, text_of
from tests.mail.scenario import ANN, BEN, address_of, give_mail
from tests.matches.scenario import legal_move
from tests.web.environment import running_web
from web.mail_links import WebMailLinks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path
    from typing import Any

    from matches import MatchId, MatchView
    from storage import Database
    from tests.mail.correspondence import Mailbox, PostOffice
    from tests.web.environment import Visitor, WebEnvironment

MAX_TURNS = 200


class DiscordTime:
    """The clock of a simulated Discord."""

    def __init__(self, discord: DiscordServer) -> None:
        self._discord = discord

    def __call__(self) -> datetime:
        return self._discord.world.clock.now()

    def wait(self, length: timedelta) -> None:
        self._discord.advance(length.total_seconds())


class Channel:
    """Alice in a channel of Discord against Ann, who has only a mailbox."""

    def __init__(self, env: BotEnvironment, office: PostOffice, box: Mailbox) -> None:
        self.env, self.office, self.box = env, office, box

    @property
    def post(self) -> str:
        """The newest post of the channel."""
        return self.env.latest_message.text

    async def view(self, match: MatchId) -> MatchView:
        return await self.office.matches.view(match, now=self.office.clock())

    async def settle(self) -> None:
        """Let the bot post and the mails go out."""
        for _ in range(2):
            await self.env.wait_until_idle()
            await self.env.advance_time(seconds=11)
        await self.office.wait()
        await self.env.wait_until_idle()
        await self.env.bot.outbox.run_once()

    async def start(self, **options: Any) -> MatchView:
        """Challenge anyone in the channel as Alice; Ann, who saw it on the website, accepts."""
        await self.env.make_challenge(opponent=None, **{"board": "9", "start": "facing", **options})
        reader_challenges = await self.office.matches.challenges.list_for_person(
            Person(ids.stored_id(self.env.alice.id), "Alice"),
            ids.stored_id(self.env.guild.id),
            now=self.office.clock(),
        )
        accepted = await self.office.matches.challenges.accept(
            reader_challenges[-1].id, ANN, now=self.office.clock()
        )
        await self.settle()
        return accepted.match

    async def play_in_channel(self, text: str) -> None:
        reply = await self.env.move(self.env.alice, text)
        assert not reply.failed
        await self.settle()

    async def reply(self, typed: str) -> str:
        """Answer the newest mail as Ann, and return the answer to that."""
        answer = await self.box.reply(typed)
        await self.settle()
        return text_of(answer)


@pytest.fixture
async def channel(sqlite_file: Path) -> AsyncIterator[Channel]:
    async with DiscordServer() as discord:
        guild = discord.guild("Salon")
        games, alice, bob = guild.channel("games"), guild.member("Alice"), guild.member("Bob")
        set_no_clock(sqlite_file, guild)
        async with (
            open_database(f"sqlite:///{sqlite_file}") as database,
            running_bot(discord, database) as bot,
            running_office(database, DiscordTime(discord)) as office,
        ):
            await give_mail(database, ANN)
            env = BotEnvironment(discord, guild, games, alice, bob, bot, database)
            yield Channel(env, office, office.mailbox(address_of(ANN)))


def check_once(channel: Channel) -> None:
    """Check that no mail and no post came twice."""
    assert len(set(channel.office.server.ids)) == len(channel.office.server.ids)
    posts = [post.text for post in channel.env.channel.messages if not post.ephemeral]
    assert len(set(posts)) == len(posts)


@pytest.mark.long
async def test_mailbox_against_a_discord_channel(channel: Channel) -> None:
    view = await channel.start(colour="black")
    await channel.play_in_channel("C1-D2")
    assert "Alice: Black C1-D2" in text_of(channel.box.newest)
    mails = len(channel.box.mails)
    assert "Your move is played: White A2-C4" in await channel.reply("A2-C4")
    assert "A2-C4" in channel.post
    assert len(channel.box.mails) == mails + 1

    # A takeback, asked for by mail and allowed in the channel.
    assert "You asked Alice for a takeback" in await channel.reply("takeback please")
    await channel.env.alice.click(channel.env.latest_message, "Allow the takeback")
    await channel.settle()
    assert "allows Ann's takeback" in text_of(channel.box.newest)
    assert (await channel.view(view.id)).ply == 1

    # Conditional moves by mail are played when the channel's move comes.
    await channel.reply("A3-B3")
    now = await channel.view(view.id)
    theirs = legal_move(now)
    assert now.position is not None
    after = now.position.play(now.position.parse(theirs))
    mine = str(after.legal_moves()[0])
    assert "Your line is saved" in await channel.reply(f"if {theirs} then {mine}")
    await channel.play_in_channel(theirs)
    assert (await channel.view(view.id)).ply == 4
    assert "Ann had a conditional move ready" in channel.post.replace("**", "")

    # A draw, offered in the channel and accepted by mail; resigning asks back first.
    assert "[resign yes]" in await channel.reply("resign")
    await channel.env.alice.command("draw", {}, channel=channel.env.channel)
    await channel.settle()
    assert "Alice offers a draw" in text_of(channel.box.newest)
    assert "You accepted the draw" in await channel.reply("accept")
    assert (await channel.view(view.id)).result is not None
    assert "draw" in channel.post
    check_once(channel)


@pytest.mark.long
async def test_closed_fists_between_a_mailbox_and_a_channel(channel: Channel) -> None:
    view = await channel.start(start="closed fists", colour="black")
    picked = await channel.box.write(f"#{view.id} LL")
    assert "Your pick in Morelli vs Alice" in text_of(picked)
    await channel.settle()
    assert all("left" not in post.text for post in channel.env.channel.messages)
    fists = await channel.env.channel.wait_for(
        lambda post: any(button.label == "Close your fists" for button in post.buttons)
    )
    hands = await channel.env.alice.click(fists, "Close your fists")
    label = next(str(one.label) for one in hands.buttons if "both left" in str(one.label))
    await channel.env.alice.click(hands, label)
    await channel.settle()
    assert (await channel.view(view.id)).state is MatchState.PLAYING
    assert "both left" in channel.post
    check_once(channel)


@pytest.mark.long
async def test_mailbox_runs_out_of_time_against_a_channel(channel: Channel) -> None:
    view = await channel.start(time_control="1d", time_out="lost", colour="black")
    await channel.play_in_channel("C1-D2")
    await channel.settle()
    mails = len(channel.box.mails)
    await channel.env.advance_time(days=1, hours=1)
    await channel.env.bot.matches.clocks.tick(now=channel.office.clock())
    await channel.settle()
    result = (await channel.view(view.id)).result
    assert result is not None
    assert result.reason is EndReason.TIME
    assert "Ann ran out of time" in text_of(channel.box.newest)
    assert len(channel.box.mails) <= mails + 2  # a reminder and the end
    assert "is over" in text_of(await channel.box.reply("A2-C4"))
    check_once(channel)


@pytest.mark.long
async def test_whole_match_of_a_mailbox_and_a_channel(channel: Channel) -> None:
    view = await channel.start(colour="black")
    for _ in range(MAX_TURNS):
        view = await channel.view(view.id)
        if view.to_move is None:
            break
        if view.to_move.person.account == ANN.account:
            await channel.reply(legal_move(view))
        else:
            await channel.play_in_channel(legal_move(view))
    assert view.result is not None
    assert view.result.reason is EndReason.PLAYED
    assert (await channel.office.matches.audit(view.id)).difference is None
    check_once(channel)


class Browser:
    """Ben in a browser against Ann, who has only a mailbox."""

    def __init__(self, env: WebEnvironment, office: PostOffice, visitor: Visitor) -> None:
        self.env, self.office, self.visitor = env, office, visitor
        self.box = office.mailbox(address_of(ANN))
        self.seat = ""

    async def view(self, match: MatchId) -> MatchView:
        return await self.office.matches.view(match, now=self.office.clock())

    async def start(self, words: str) -> MatchView:
        """Let Ann challenge Ben by mail, and Ben accept on the page of the challenge."""
        answer = await self.box.write(f"challenge ben {words}")
        assert "You challenged Ben" in text_of(answer)
        reader = Reader(frozenset({BEN.account}))
        own = await self.office.matches.public_queries.list_own(reader, now=self.office.clock())
        accepted = await self.office.matches.challenges.accept(
            own.incoming[0].challenge.id, BEN, now=self.office.clock()
        )
        self.seat = await self.env.take_seat(self.visitor, accepted.match.id, BEN)
        await self.office.wait()
        return accepted.match

    async def post(self, what: str, fields: Mapping[str, str]) -> str:
        """Send a form of the page of the seat."""
        answer = await self.visitor.post(f"{self.seat}/{what}", data=fields)
        assert answer.status == 200
        await self.office.wait()
        return answer.visible_text

    async def play_in_browser(self, view: MatchView, text: str) -> None:
        await self.post("play", {"board": str(view.revision), "text": text})


@asynccontextmanager
async def browsing(database: Database) -> AsyncIterator[Browser]:
    clock = MovedClock()
    await give_mail(database, ANN, BEN)
    async with running_web(database, clock=clock) as env, env.visitor() as visitor:
        links = WebMailLinks(env.context)
        async with running_office(database, clock, matches=env.matches, links=links) as office:
            await env.matches.people.handles.choose(BEN.account, BEN.name, now=clock())
            yield Browser(env, office, visitor)


@pytest.mark.long
async def test_mailbox_against_a_browser(database: Database) -> None:
    async with browsing(database) as browser:
        view = await browser.start("morelli 9x9 facing black 3d lost")
        answer = await browser.box.reply("C1-D2")
        assert "Your move is played: Black C1-D2" in text_of(answer)
        assert "C1-D2" in (await browser.visitor.get(browser.seat)).visible_text
        await browser.play_in_browser(await browser.view(view.id), "A2-C4")
        assert "Ben: White A2-C4" in text_of(browser.box.newest)

        # A takeback, asked for in the browser and allowed by mail.
        now = await browser.view(view.id)
        await browser.post("offer", {"kind": "takeback", "board": str(now.revision)})
        assert "Ben asks for a takeback" in text_of(browser.box.newest)
        assert "You allowed the takeback" in text_of(await browser.box.reply("accept"))
        assert (await browser.view(view.id)).ply == 1

        # Conditional moves by mail are played when the browser's move comes.
        saved = await browser.box.reply("if A2-C4 then D1-E2, if A3-B3 then resign")
        assert "Your 2 lines are saved" in text_of(saved)
        await browser.play_in_browser(await browser.view(view.id), "A2-C4")
        assert (await browser.view(view.id)).ply == 3
        assert (
            browser.box.newest["Message-ID"] == saved["Message-ID"]
        )  # what she had said before is no news to her

        # An offer by mail is declined in the browser; then the browser's player runs out of time.
        assert "The match has moved on" in text_of(await browser.box.reply("draw"))
        assert "You offered Ben a draw" in text_of(await browser.box.reply("draw"))
        offer = (await browser.view(view.id)).pending_offer
        assert offer is not None
        await browser.post("answer", {"answer": "decline", "offer": str(offer.id)})
        assert "declines the draw" in text_of(browser.box.newest)
        await browser.office.wait(timedelta(days=4))
        await browser.office.matches.clocks.tick(now=browser.office.clock())
        await browser.office.wait()
        result = (await browser.view(view.id)).result
        assert result is not None
        assert result.winner is not None
        assert (result.reason, result.winner.person) == (EndReason.TIME, ANN)
        assert "Ben ran out of time" in text_of(browser.box.newest)
        assert len(set(browser.office.server.ids)) == len(browser.office.server.ids)


@pytest.mark.long
async def test_closed_fists_between_a_mailbox_and_a_browser(database: Database) -> None:
    async with browsing(database) as browser:
        view = await browser.start("morelli 9x9 fists")
        await browser.post("pick", {"pick": "LR"})
        assert "fists open" not in text_of(browser.box.newest)
        assert "The fists open" in text_of(await browser.box.reply("RR"))
        assert (await browser.view(view.id)).state is MatchState.PLAYING


@pytest.mark.long
async def test_whole_match_of_a_mailbox_and_a_browser(database: Database) -> None:
    async with browsing(database) as browser:
        view = await browser.start("morelli 9x9 facing black")
        for _ in range(MAX_TURNS):
            view = await browser.view(view.id)
            if view.to_move is None:
                break
            if view.to_move.person.account == ANN.account:
                await browser.box.reply(legal_move(view))
            else:
                await browser.play_in_browser(view, legal_move(view))
            await browser.office.wait()
        assert view.result is not None
        assert view.result.reason is EndReason.PLAYED
        assert (await browser.office.matches.audit(view.id)).difference is None
        assert len(set(browser.office.server.ids)) == len(browser.office.server.ids)
