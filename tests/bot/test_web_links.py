"""Links from Discord to the web client: private seat links, and moves that appear in both places."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from bot import app
from matches import Audience, Person
from tests.bot.environment import BotEnvironment, connected_client
from tests.databases import open_database
from tests.discord_server.waiting import PATIENCE
from tests.web.environment import ManualClock, WebEnvironment, running_web
from web.app import WebSeatLinks

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from datetime import datetime
    from pathlib import Path

    from bot.client import Rayuela
    from matches import Announcement
    from tests.discord_server import DiscordServer, Reply

OPEN_BUTTON = "Open the board"


class DiscordTimeClock(ManualClock):
    """The clock of the loopback Discord, for the web client."""

    def __init__(self, now: Callable[[], datetime]) -> None:
        super().__init__()
        self._now = now

    def __call__(self) -> datetime:
        return self._now()


@dataclass(slots=True)
class LinkedEnvironment:
    """Discord and the web client on one database, in one process."""

    env: BotEnvironment
    web_env: WebEnvironment

    async def link_address(self, reply: Reply) -> str:
        """Return the URL of the link in an ephemeral response."""
        assert reply.ephemeral
        (address,) = [str(button.url) for button in reply.buttons if button.url]
        return address


@pytest.fixture
async def linked(discord: DiscordServer, database_file: Path) -> AsyncIterator[LinkedEnvironment]:
    """Run the bot and the web client."""
    guild = discord.guild("Salon")
    clients: list[Rayuela] = []

    async def announce(announcement: Announcement) -> None:
        clients[0].outbox.send_soon(announcement)

    async with (
        open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database,
        running_web(database, clock=DiscordTimeClock(discord.world.clock.now), announce=announce) as web_env,
    ):
        client = app.build_client(
            database,
            connector=discord.connector(),
            now=discord.world.clock.now,
            seat_links=WebSeatLinks(web_env.context),
        )
        clients.append(client)
        async with connected_client(discord, client):
            alice, bob = guild.member("Alice"), guild.member("Bob")
            env = BotEnvironment(discord, guild, guild.channel("games"), alice, bob, client, database)
            yield LinkedEnvironment(env, web_env)


async def make_public(linked: LinkedEnvironment) -> None:
    """Make the matches of the server public."""
    env = linked.env
    await env.bot.wait_until_ready()
    await env.bot.open_channels.record(env.bot.guilds[0])
    by = Person(f"discord:{env.alice.id}", env.alice.name)
    server = f"discord:{env.guild.id}"
    await env.bot.matches.servers.change(server, by, audience=Audience.NAMES, now=env.bot.now())


@pytest.mark.long
async def test_help_leads_to_the_opening_explorer_of_each_game(linked: LinkedEnvironment) -> None:
    env = linked.env
    reply = await env.alice.command("help", {}, channel=env.channel)
    page = await env.alice.click(reply, "All commands")
    paths = re.findall(r"/explorer/\w+", str(page.components))
    assert paths == [f"/explorer/{game}" for game in env.bot.games]
    async with linked.web_env.visitor() as visitor:
        for path in paths:
            assert "Opening explorer" in (await visitor.get(path)).text


@pytest.mark.long
async def test_player_gets_a_private_seat_link_and_plays_there(linked: LinkedEnvironment) -> None:
    env = linked.env
    board = await env.start_match()
    reply = await env.alice.click(board, OPEN_BUTTON)
    assert "Keep it to yourself" in reply.text
    link = await linked.link_address(reply)
    assert "/sit/" in link
    assert not [one for one in env.bob.visible_messages(env.channel) if "/sit/" in str(one.components)]
    async with linked.web_env.visitor() as visitor:
        page = await visitor.get(link)
        assert "Which stone do you move?" in page.visible_text
        await visitor.post(f"{page.url}/play", data={"board": "0", "text": "D1-D4"})
    post = await env.wait_for_board(after=board)
    assert "Alice: **Black D1-D4**" in post.text
    assert post in env.bob.pings
    assert len(env.channel.messages) == 3


@pytest.mark.long
async def test_move_on_the_website_is_posted_immediately_once(linked: LinkedEnvironment) -> None:
    env = linked.env
    board = await env.start_match()
    link = await linked.link_address(await env.alice.click(board, OPEN_BUTTON))
    began = asyncio.get_running_loop().time()
    async with linked.web_env.visitor() as visitor:
        page = await visitor.get(link)
        await visitor.post(f"{page.url}/play", data={"board": "0", "text": "D1-D4"})
    await env.wait_for_board(after=board)
    assert asyncio.get_running_loop().time() - began < 5
    await env.wait_until_idle()
    env.discord.advance(600)
    await env.bot.outbox.run_once()
    assert [post.text for post in env.channel.messages if "D1-D4" in post.text] == [
        env.channel.messages[-1].text
    ]


@pytest.mark.long
async def test_move_in_discord_appears_on_the_website(linked: LinkedEnvironment) -> None:
    env = linked.env
    await env.start_match()
    async with linked.web_env.visitor() as visitor:
        stream = await visitor.open_stream("/m/1/events?after=0.0.x")
        await env.move(env.alice, "D1-D4")
        async with asyncio.timeout(PATIENCE):
            async for line in stream.content:
                if b"D1-D4" in line:
                    break


@pytest.mark.long
async def test_onlooker_gets_the_public_link_if_it_opens(linked: LinkedEnvironment) -> None:
    env = linked.env
    board = await env.start_match()
    carol = env.guild.member("Carol")
    reply = await carol.click(board, OPEN_BUTTON)
    assert "Only the players can open this match on the website." in reply.text
    assert not reply.buttons
    await make_public(linked)
    reply = await carol.click(board, OPEN_BUTTON)
    assert (await linked.link_address(reply)).endswith("/m/1")
    assert [button.label for button in reply.buttons] == [OPEN_BUTTON]


@pytest.mark.long
async def test_each_player_gets_their_own_seat(linked: LinkedEnvironment) -> None:
    env = linked.env
    board = await env.start_match()
    async with linked.web_env.visitor() as visitor:
        seats = [
            (await visitor.get(await linked.link_address(await person.click(board, OPEN_BUTTON)))).url
            for person in (env.alice, env.bob)
        ]
    assert seats == ["/m/1/seat/1", "/m/1/seat/2"]


@pytest.mark.long
async def test_links_can_be_revoked(linked: LinkedEnvironment) -> None:
    env = linked.env
    board = await env.start_match()
    reply = await env.alice.click(board, OPEN_BUTTON)
    link = await linked.link_address(reply)
    locked = await env.alice.click(reply, "Disable my links")
    assert "are disabled" in locked.text
    async with linked.web_env.visitor() as visitor:
        assert (await visitor.get(link)).status == 403


@pytest.mark.long
async def test_command_opens_the_simultaneous_choice(linked: LinkedEnvironment) -> None:
    env = linked.env
    challenge = await env.make_challenge(board="9")
    await env.bob.click(challenge, "Accept")
    reply = await env.alice.command("website", channel=env.channel)
    async with linked.web_env.visitor() as visitor:
        page = await visitor.get(await linked.link_address(reply))
        assert "Pick a starting set-up." in page.visible_text
        await visitor.post(f"{page.url}/pick", data={"pick": "RR"})
    link = await linked.link_address(await env.bob.command("website", channel=env.channel))
    async with linked.web_env.visitor() as visitor:
        page = await visitor.get(link)
        await visitor.post(f"{page.url}/pick", data={"pick": "RR"})
    post = await env.channel.wait_for(lambda one: "The fists open." in one.text)
    assert post.attachments


@pytest.mark.long
async def test_finished_match_has_only_the_public_link(linked: LinkedEnvironment) -> None:
    env = linked.env
    await make_public(linked)
    board = await env.start_match()
    confirmed = await env.alice.command("resign", channel=env.channel)
    await env.alice.click(confirmed, "Resign")
    reply = await env.bob.click(board, OPEN_BUTTON)
    assert (await linked.link_address(reply)).endswith("/m/1")


@pytest.mark.long
async def test_match_of_another_server_is_refused(linked: LinkedEnvironment) -> None:
    env = linked.env
    await env.start_match()
    elsewhere = env.discord.guild("Elsewhere")
    dave = elsewhere.member("Dave")
    reply = await dave.command("website", {"match": "1"}, channel=elsewhere.channel("games"))
    assert reply.ephemeral
    assert "There is no match #1 on this server" in reply.text


@pytest.mark.long
async def test_without_a_website_there_are_no_links(env: BotEnvironment) -> None:
    board = await env.start_match()
    assert OPEN_BUTTON not in [button.label for button in board.buttons]
    assert "website" not in {command["name"] for command in env.discord.commands}
