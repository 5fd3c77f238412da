"""``python -m tests.demo [mail]``: two people play Morelli, from challenge to result, on Discord or by mail.

The bot, the Discord client and the database are real; only Discord is simulated. Each post is printed and its
picture written to the folder `demo`. RAYUELA_DEMO_PACE is the pause after a turn in seconds (default 1.5).
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

from matches import Database
from tests.bot.environment import running_bot
from tests.demo import mail_match
from tests.discord_server import DiscordServer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.discord_server import Channel, Member, Message

PICTURES = Path("demo")
DEFAULT_PAUSE = 1.5
MENTION = re.compile(r"<@!?(\d+)>")
TIMESTAMP = re.compile(r"<t:(\d+)(?::\w)?>")
MAX_TURNS = 400  # more than any game of Morelli on this board has

INTRODUCTION = """\
A match of Morelli that plays itself. Discord is simulated on this machine; the bot, its database and its
pictures are the real ones. The pictures go to {folder}.
"""
CONCLUSION = """\
That was {turns} turns in {posts} posts; the pictures are in {folder}.
To play on your own server, put DISCORD_TOKEN=... into a file .env and call make run (docs/operating.md)."""


@dataclass(slots=True)
class Narrator:
    """Prints the posts of a channel in order, each once."""

    channel: Channel
    folder: Path
    pause_seconds: float
    names: Mapping[str, str]
    printed: set[int] = field(default_factory=set)
    pictures: int = 0

    async def print_new_posts(self) -> None:
        """Print the posts that are new; pause after a picture."""
        for post in self.channel.messages:
            if post.id not in self.printed and not post.ephemeral:
                self.printed.add(post.id)
                self._print_post(post)
                await asyncio.sleep(self.pause_seconds if post.attachments else self.pause_seconds / 3)

    def _print_post(self, post: Message) -> None:
        print_lines("", *(f"  {line}" for line in readable_lines(post.text, self.names)))
        for attachment in post.attachments:
            self.pictures += 1
            path = self.folder / f"{self.pictures:03}.png"
            path.write_bytes(attachment.data)
            print_lines(f"  [{path}]")


def print_lines(*lines: str) -> None:
    """Write to standard output and flush it."""
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def print_action(person: Member, what: str) -> None:
    """Print what a person does."""
    print_lines("", f"{person.name}: {what}")


def readable_lines(text: str, names: Mapping[str, str]) -> list[str]:
    """Return the lines of a post as plain text.

    Mentions become names; formatting and small print are removed.
    """
    text = MENTION.sub(lambda found: "@" + names.get(found[1], "somebody"), text)
    text = TIMESTAMP.sub(lambda found: f"{datetime.fromtimestamp(int(found[1]), UTC):%d %B %Y}", text)
    return [line.replace("**", "") for line in text.splitlines() if line and not line.startswith("-#")]


async def start_match(narrator: Narrator, alice: Member, bob: Member) -> None:
    """Challenge, acceptance and simultaneous choice; the picks differ, so the third mode is played."""
    print_action(alice, "/challenge opponent:Bob board:9 colour:black")
    challenge = await alice.command(
        "challenge", {"opponent": bob, "board": "9", "colour": "black"}, channel=narrator.channel
    )
    await narrator.print_new_posts()
    print_action(bob, "presses Accept")
    await bob.click(challenge, "Accept")
    await narrator.print_new_posts()
    fists = await narrator.channel.wait_for(
        lambda post: any(b.label == "Close your fists" for b in post.buttons)
    )
    await narrator.print_new_posts()
    for person, pick in ((alice, "both left"), (bob, "one in each")):
        print_action(person, "closes the fists, in private")
        hands = await person.click(fists, "Close your fists")
        await person.click(hands, next(str(one.label) for one in hands.buttons if pick in str(one.label)))
    await narrator.channel.wait_for(lambda post: bool(post.attachments))
    await narrator.print_new_posts()


async def play(narrator: Narrator, alice: Member, bob: Member, chance: random.Random) -> int:
    """Play until no move is suggested any more; return the number of turns."""
    for turn in range(MAX_TURNS):
        person = alice if turn % 2 == 0 else bob
        moves = await person.autocomplete("move", {"move": ""}, focused="move", channel=narrator.channel)
        if not moves:
            return turn
        text = str(chance.choice(moves[:6]).value)
        print_action(person, f"/move {text}")
        answer = await person.command("move", {"move": text}, channel=narrator.channel)
        if answer.failed or answer.ephemeral:
            raise SystemExit(f"The demonstration stopped: {answer.failed or answer.text}")
        await narrator.print_new_posts()
    raise SystemExit("The demonstration did not come to an end.")


async def run_demo(pause_seconds: float) -> None:
    """Start Discord and the bot, and play a match."""
    with tempfile.TemporaryDirectory() as folder:
        database_url = f"sqlite+aiosqlite:///{Path(folder) / 'demo.db'}"
        async with (
            DiscordServer(check=False) as discord,
            await Database.open(database_url) as database,
            running_bot(discord, database),
        ):
            guild = discord.guild("Club de la Serpiente")
            alice, bob = guild.member("Alice"), guild.member("Bob")
            names = {str(person.id): person.name for person in (alice, bob)}
            narrator = Narrator(guild.channel("games"), PICTURES, pause_seconds, names)
            await start_match(narrator, alice, bob)
            turns = await play(narrator, alice, bob, random.Random(163))
    sys.stdout.write(
        "\n" + CONCLUSION.format(turns=turns, posts=len(narrator.printed), folder=f"{PICTURES}/") + "\n"
    )


def main() -> None:
    """Run the demo that the arguments name, without log output."""
    pause_seconds = float(os.environ.get("RAYUELA_DEMO_PACE") or DEFAULT_PAUSE)
    logging.disable(logging.WARNING)
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.ERROR))
    if sys.argv[1:] == ["mail"]:
        asyncio.run(mail_match.run_demo(pause_seconds, random.Random(163), print_lines))
        return
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("[0-9][0-9][0-9].png"):
        old.unlink()
    print_lines(INTRODUCTION.format(folder=f"{PICTURES}/"))
    asyncio.run(run_demo(pause_seconds))


if __name__ == "__main__":
    main()
