"""Direct messages of the outbox: reminders that are due all at once, sent to a loopback Discord.

Discord answers at once, so this is the outbox's own limit: its pace leaves room for 22 messages a second,
because each takes two requests, one to open the conversation and one to send the message.
"""

from __future__ import annotations

import time
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.table import Row
from bot import app
from bot.outbox.pace import REQUESTS_PER_SECOND
from bot.ui import ids
from engine import GAMES
from matches import Database, Person, Terms, TimeControl
from tests.bot.environment import connected_client
from tests.discord_server import DiscordServer

MESSAGES = 200
FORMER_RATE = 4.0  # messages a second: 20 rows in each pass, one after the other, and 5 s between two passes


async def rows() -> list[Row]:
    """Return the messages and the requests per second."""
    with TemporaryDirectory() as folder:
        async with (
            DiscordServer(check=False) as discord,
            await Database.open(f"sqlite+aiosqlite:///{Path(folder)}/rayuela.db") as database,
        ):
            now = discord.world.clock.now
            client = app.build_client(
                database, connector=discord.connector(), now=now, outage=timedelta(days=10_000)
            )
            async with connected_client(discord, client):
                guild = discord.guild("Bench")
                bob = guild.member("Bob")
                for number in range(MESSAGES):
                    member = guild.member(f"Ada {number}")
                    made = await client.matches.challenges.create(
                        Person(ids.stored_id(member.id), member.name),
                        to=Person(ids.stored_id(bob.id), "Bob"),
                        server=ids.stored_id(guild.id),
                        channel=ids.stored_id(guild.channel(f"game-{number}").id),
                        game="morabaraba",
                        terms=Terms(time_control=TimeControl.per_move(timedelta(days=4))),
                        colour=GAMES["morabaraba"].sides[0],
                        now=now(),
                    )
                    accepted = await client.matches.challenges.accept(
                        made.challenge.id, Person(ids.stored_id(bob.id), "Bob"), now=now()
                    )
                    for announcement in (made.announcement, accepted.announcement):
                        if announcement is not None:
                            await client.matches.announcements.mark_sent(announcement.id, "1/2", now=now())
                discord.advance(3 * 24 * 3600 + 60)
                requests_before, start = len(discord.requests), time.perf_counter()
                await client.outbox.run_once()
                seconds = time.perf_counter() - start
                requests = len(discord.requests) - requests_before
    rate = MESSAGES / seconds
    return [
        Row("messages", rate, "/s", comparison=f"{rate / FORMER_RATE:.1f} times 20 rows every 5 s"),
        Row("requests", requests / seconds, "/s", goal=f"at most {REQUESTS_PER_SECOND} in the long run"),
    ]
