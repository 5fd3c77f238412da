"""``python -m tests.demo``: two people at a Discord on this machine play Morelli, from challenge to result.

The bot is the real one, over the real client and a real database; only Discord is played. Each post is
printed and its picture written to the folder `demo`. RAYUELA_DEMO_PACE is the pause after a turn in
seconds (default 1.5).
"""

from __future__ import annotations

import asyncio
import logging
import os
import random
import re
import sys
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from matches import Store
from tests.bot.stage import bot_over
from tests.discord_server import DiscordServer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.discord_server import Channel, Member, Message

PICTURES = Path("demo")
PACE = 1.5
MENTION = re.compile(r"<@!?(\d+)>")
TIMESTAMP = re.compile(r"<t:(\d+)(?::\w)?>")
MOST_TURNS = 400  # far beyond any game of Morelli on the board of the demonstration

INTRODUCTION = """\
A match of Morelli that plays itself. Discord is played on this machine; the bot, its database and its
pictures are the real ones. The pictures go to {folder}.
"""
CONCLUSION = """\
That was {turns} turns in {posts} posts; the pictures are in {folder}.
To play on your own server, put DISCORD_TOKEN=... into a file .env and call make run (docs/operating.md)."""


@dataclass(slots=True)
class Show:
    """What the audience sees: the posts of one channel, in order, each told once."""

    channel: Channel
    folder: Path
    pace: float
    names: Mapping[str, str]
    told: set[int] = field(default_factory=set)
    pictures: int = 0

    async def catch_up(self) -> None:
        """Tell the posts that are new, and pause where a picture came."""
        for post in self.channel.messages:
            if post.id not in self.told and not post.ephemeral:
                self.told.add(post.id)
                self._tell(post)
                await asyncio.sleep(self.pace if post.attachments else self.pace / 3)

    def _tell(self, post: Message) -> None:
        say("", *(f"  {line}" for line in as_read(post.text, self.names)))
        for attachment in post.attachments:
            self.pictures += 1
            path = self.folder / f"{self.pictures:03}.png"
            path.write_bytes(attachment.data)
            say(f"  [{path}]")


def say(*lines: str) -> None:
    """Write to the terminal at once, also where it is a pipe."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def act(person: Member, what: str) -> None:
    """Say what somebody does."""
    say("", f"{person.name}: {what}")


def as_read(text: str, names: Mapping[str, str]) -> list[str]:
    """Give a post's lines as somebody reads them in the app: names for mentions, no marks, no small print."""
    text = MENTION.sub(lambda found: "@" + names.get(found[1], "somebody"), text)
    text = TIMESTAMP.sub(lambda found: f"{datetime.fromtimestamp(int(found[1]), UTC):on %d %B %Y}", text)
    return [line.replace("**", "") for line in text.splitlines() if line and not line.startswith("-#")]


async def open_match(show: Show, alice: Member, bob: Member) -> None:
    """Challenge, acceptance and closed fists; the picks differ, so the third mode follows."""
    act(alice, "/challenge opponent:Bob board:9 colour:black")
    challenge = await alice.command(
        "challenge", {"opponent": bob, "board": "9", "colour": "black"}, channel=show.channel
    )
    await show.catch_up()
    act(bob, "presses Accept")
    await bob.click(challenge, "Accept")
    await show.catch_up()
    fists = await show.channel.wait_for(lambda post: any(b.label == "Close your fists" for b in post.buttons))
    await show.catch_up()
    for person, pick in ((alice, "both left"), (bob, "one in each")):
        act(person, "closes the fists, in private")
        hands = await person.click(fists, "Close your fists")
        await person.click(hands, next(str(one.label) for one in hands.buttons if pick in str(one.label)))
    await show.channel.wait_for(lambda post: bool(post.attachments))
    await show.catch_up()


async def play(show: Show, alice: Member, bob: Member, chance: random.Random) -> int:
    """Play until nobody is offered a move any more; give the number of turns."""
    for turn in range(MOST_TURNS):
        person = alice if turn % 2 == 0 else bob
        moves = await person.autocomplete("move", {"move": ""}, focused="move", channel=show.channel)
        if not moves:
            return turn
        text = str(chance.choice(moves[:6]).value)
        act(person, f"/move {text}")
        answer = await person.command("move", {"move": text}, channel=show.channel)
        if answer.failed or answer.ephemeral:
            raise SystemExit(f"The demonstration stopped: {answer.failed or answer.text}")
        await show.catch_up()
    raise SystemExit("The demonstration did not come to an end.")


async def demonstrate(pace: float) -> None:
    """Set the scene, play, and say how to go on."""
    with tempfile.TemporaryDirectory() as folder:
        database = f"sqlite+aiosqlite:///{Path(folder) / 'demo.db'}"
        async with (
            DiscordServer(check=False) as discord,
            await Store.open(database) as store,
            bot_over(discord, store),
        ):
            guild = discord.guild("Club de la Serpiente")
            alice, bob = guild.member("Alice"), guild.member("Bob")
            names = {str(person.id): person.name for person in (alice, bob)}
            show = Show(guild.channel("games"), PICTURES, pace, names)
            await open_match(show, alice, bob)
            turns = await play(show, alice, bob, random.Random(163))
    sys.stdout.write(
        "\n" + CONCLUSION.format(turns=turns, posts=len(show.told), folder=f"{PICTURES}/") + "\n"
    )


def main() -> None:
    """Run the demonstration quietly: only the story is printed."""
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("[0-9][0-9][0-9].png"):
        old.unlink()
    say(INTRODUCTION.format(folder=f"{PICTURES}/"))
    logging.disable(logging.WARNING)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    asyncio.run(demonstrate(float(os.environ.get("RAYUELA_DEMO_PACE") or PACE)))


if __name__ == "__main__":
    main()
