"""From Discord to the table in a browser and back: seats in private, moves told in both places at once."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from bot import app
from matches import Store
from tests.bot.stage import Stage, connected
from tests.web.stage import Clock, table_over
from tests.web.stage import Stage as Table
from web.app import Doors

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from datetime import datetime
    from pathlib import Path

    from bot.client import Rayuela
    from matches import Announcement
    from tests.discord_server import DiscordServer, Reply

OPEN = "Open the board"


class SameClock(Clock):
    """The clock of Discord, for the table too."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now

    def __call__(self) -> datetime:
        return self._now()


@dataclass(slots=True)
class House:
    """Discord and the table over one store, in one process."""

    stage: Stage
    table: Table

    async def link(self, reply: Reply) -> str:
        """Give the address that a private answer leads to."""
        assert reply.ephemeral
        (address,) = [str(button.url) for button in reply.buttons if button.url]
        return address


@pytest.fixture
async def house(discord: DiscordServer, database: Path) -> AsyncIterator[House]:
    guild = discord.guild("Salon")
    clients: list[Rayuela] = []

    async def tell(announcement: Announcement) -> None:
        clients[0].outbox.hasten(announcement)

    async with (
        await Store.open(f"sqlite+aiosqlite:///{database}") as store,
        table_over(store, clock=SameClock(discord.world.clock.now), tell=tell) as table,
    ):
        client = app.build(
            store,
            connector=discord.connector(),
            now=discord.world.clock.now,
            doors=Doors(table.house),
        )
        clients.append(client)
        async with connected(discord, client):
            alice, bob = guild.member("Alice"), guild.member("Bob")
            stage = Stage(discord, guild, guild.channel("games"), alice, bob, client, store)
            yield House(stage, table)


async def test_player_gets_a_seat_in_private_and_plays_there(house: House) -> None:
    stage = house.stage
    board = await stage.start()
    reply = await stage.alice.click(board, OPEN)
    assert "keep it to yourself" in reply.text
    link = await house.link(reply)
    assert "/sit/" in link
    assert not [one for one in stage.bob.sees(stage.channel) if "/sit/" in str(one.components)]
    async with house.table.visitor() as visitor:
        page = await visitor.get(link)
        assert "Which stone do you move?" in page.words
        await visitor.post(f"{page.url}/play", data={"board": "0", "text": "D1-D4"})
    post = await stage.board(after=board)
    assert "Alice: **Black D1-D4**" in post.text
    assert post in stage.bob.pings
    assert len(stage.channel.messages) == 3


async def test_move_at_the_table_is_posted_at_once_and_once(house: House) -> None:
    stage = house.stage
    board = await stage.start()
    link = await house.link(await stage.alice.click(board, OPEN))
    began = asyncio.get_running_loop().time()
    async with house.table.visitor() as visitor:
        page = await visitor.get(link)
        await visitor.post(f"{page.url}/play", data={"board": "0", "text": "D1-D4"})
    await stage.board(after=board)
    assert asyncio.get_running_loop().time() - began < 5
    await stage.quiet()
    stage.discord.advance(600)
    await stage.bot.outbox.tick()
    assert [post.text for post in stage.channel.messages if "D1-D4" in post.text] == [
        stage.channel.messages[-1].text
    ]


async def test_move_in_discord_appears_at_the_table(house: House) -> None:
    stage = house.stage
    await stage.start()
    async with house.table.visitor() as visitor:
        stream = await visitor.open("/m/1/events?after=0.0.x")
        await stage.move(stage.alice, "D1-D4")
        async with asyncio.timeout(10):
            async for line in stream.content:
                if b"D1-D4" in line:
                    break


async def test_onlooker_gets_the_address_to_watch(house: House) -> None:
    stage = house.stage
    board = await stage.start()
    carol = stage.guild.member("Carol")
    reply = await carol.click(board, OPEN)
    assert (await house.link(reply)).endswith("/m/1")
    assert [button.label for button in reply.buttons] == [OPEN]


async def test_each_player_gets_the_own_seat(house: House) -> None:
    stage = house.stage
    board = await stage.start()
    async with house.table.visitor() as visitor:
        seats = [
            (await visitor.get(await house.link(await person.click(board, OPEN)))).url
            for person in (stage.alice, stage.bob)
        ]
    assert seats == ["/m/1/seat/1", "/m/1/seat/2"]


async def test_links_are_taken_back(house: House) -> None:
    stage = house.stage
    board = await stage.start()
    reply = await stage.alice.click(board, OPEN)
    link = await house.link(reply)
    locked = await stage.alice.click(reply, "Take links back")
    assert "useless now" in locked.text
    async with house.table.visitor() as visitor:
        assert (await visitor.get(link)).status == 403


async def test_command_opens_the_fists_too(house: House) -> None:
    stage = house.stage
    challenge = await stage.challenge(board="9")
    await stage.bob.click(challenge, "Accept")
    reply = await stage.alice.command("table", channel=stage.channel)
    async with house.table.visitor() as visitor:
        page = await visitor.get(await house.link(reply))
        assert "Where do you hide the two stones?" in page.words
        await visitor.post(f"{page.url}/pick", data={"pick": "RR"})
    link = await house.link(await stage.bob.command("table", channel=stage.channel))
    async with house.table.visitor() as visitor:
        page = await visitor.get(link)
        await visitor.post(f"{page.url}/pick", data={"pick": "RR"})
    post = await stage.channel.wait_for(lambda one: "The fists open." in one.text)
    assert post.attachments


async def test_match_that_is_over_is_only_watched(house: House) -> None:
    stage = house.stage
    board = await stage.start()
    confirmed = await stage.alice.command("resign", channel=stage.channel)
    await stage.alice.click(confirmed, "Resign")
    reply = await stage.bob.click(board, OPEN)
    assert (await house.link(reply)).endswith("/m/1")


async def test_match_of_another_server_is_not_opened(house: House) -> None:
    stage = house.stage
    await stage.start()
    elsewhere = stage.discord.guild("Elsewhere")
    dave = elsewhere.member("Dave")
    reply = await dave.command("table", {"match": "1"}, channel=elsewhere.channel("games"))
    assert reply.ephemeral
    assert "I know no match 1 here" in reply.text


async def test_without_a_table_nothing_leads_there(stage: Stage) -> None:
    board = await stage.start()
    assert OPEN not in [button.label for button in board.buttons]
    assert "table" not in {command["name"] for command in stage.discord.commands}
