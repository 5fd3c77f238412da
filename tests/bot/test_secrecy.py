"""Secrets of one person never reach others: whole matches, and everything that others receive."""

from __future__ import annotations

import io
import json
import logging
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pytest

from matches import MatchId, Person
from runtime import logs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Message, Reply

MOVES = "One move, or several separated by spaces"
NOTE = "Only you see it. Empty it to delete it."
TURNS = 6
PRIVATE_NOTE = "the secret of the fork on D6"


@pytest.fixture
def log_stream() -> Iterator[io.StringIO]:
    """Capture the log at the lowest level."""
    stream, root = io.StringIO(), logging.getLogger()
    handlers, level = list(root.handlers), root.level
    logs.configure("DEBUG", stream=stream)
    yield stream
    root.handlers[:], root.level = handlers, level


@dataclass(slots=True)
class Eavesdropper:
    """A person who uses every way to look at a match and records everything received."""

    env: BotEnvironment
    person: Member
    received: list[str] = field(default_factory=list)

    async def read_everything(self) -> None:
        """Use every command about a match, and read the channel and the direct messages."""
        channel = self.env.channel
        for command, options in (
            ("board", {"match": "1"}),
            ("games", {}),
            ("turns", {}),
            ("lobby", {}),
            ("resign", {"match": "1"}),
            ("replay", {"match": "1"}),
            ("export", {"match": "1"}),
            ("whatif", {"match": "1"}),
            ("conditional", {"match": "1"}),
            ("note", {"match": "1"}),
        ):
            await self.keep(await self.person.command(command, options, channel=channel))
        for command in ("board", "replay", "whatif", "conditional", "note"):
            choices = await self.person.autocomplete(command, {"match": ""}, focused="match", channel=channel)
            self.received += [f"{choice.name} {choice.value}" for choice in choices]
        for message in (*self.person.visible_messages(channel), *self.person.dms):
            self.received.append(message_dump(message))

    async def keep(self, reply: Reply) -> None:
        """Record a response."""
        if reply.deferred:
            reply = await reply.wait_until_complete()
        if reply.modal is not None:
            self.received.append(json.dumps(reply.modal.components))
        else:
            self.received.append(message_dump(reply.shown))


def message_dump(message: Message) -> str:
    """Return everything in a message: text, components with their custom ids, and attachments."""
    parts: list[Any] = [
        message.text,
        message.components,
        [attachment_dump(one) for one in message.attachments],
    ]
    return json.dumps(parts, default=str)


def attachment_dump(attachment: Any) -> list[str]:
    """Return file name, description and data of an attachment."""
    data: bytes = attachment.data
    return [attachment.filename, attachment.description or "", data.decode("latin-1")]


async def save_line(env: BotEnvironment, person: Member, line: str) -> None:
    """Save a conditional line in match 1."""
    reply = await person.command("conditional", {"match": "1"}, channel=env.channel)
    labels = [button.label for button in reply.buttons]
    if "Add a line" in labels:
        reply = await person.click(reply, "Add a line")
    reply = await person.submit(await person.click(reply, "Type"), {MOVES: line})
    await person.click(reply, "Save this line")


async def position(env: BotEnvironment) -> Any:
    """Return the current position of match 1."""
    return (await env.bot.matches.view(MatchId(1), now=env.bot.now())).position


def unplayed_moves(board: Any, excluded: str, count: int) -> list[str]:
    """Return legal moves other than `excluded`, starting from the last."""
    return [text for text in map(str, reversed(board.legal_moves())) if text != excluded][:count]


@pytest.mark.parametrize("game", ["morelli", pytest.param("morabaraba", marks=pytest.mark.long)])
async def test_secrets_of_a_whole_match_reach_nobody(
    env: BotEnvironment, log_stream: io.StringIO, game: str
) -> None:
    """Bob saves lines that are never played and a note during a match; nobody else receives them."""
    options: dict[str, Any] = (
        {"game": game}
        if game == "morelli"
        else {"game": game, "board": None, "start": None, "colour": "white"}
    )
    await env.start_match(**options)
    carol = env.guild.member("Carol")
    watchers = [Eavesdropper(env, env.alice), Eavesdropper(env, carol)]
    await carol.command("watch", {"match": "1"}, channel=env.channel)
    form = await env.bob.command("note", {"match": "1"}, channel=env.channel)
    await env.bob.submit(form, {NOTE: PRIVATE_NOTE})
    secrets = {PRIVATE_NOTE}
    for turn in range(TURNS):
        board = await position(env)
        mover = env.alice if turn % 2 == 0 else env.bob
        played = str(board.legal_moves()[0])
        if mover is env.alice:
            for text in unplayed_moves(board, played, 2):
                after = board.play(board.parse(text))
                answer = str(after.legal_moves()[-1])
                await save_line(env, env.bob, f"{text} {answer}")
                secrets |= {f"{text}.{answer}", f"{text} {answer}", f'"{text}", "{answer}"'}
        for watcher in watchers:
            await watcher.read_everything()
        await env.move(mover, played, match="1")
        await env.bot.outbox.run_once()
    history = await env.bot.matches.views.history(MatchId(1))
    assert len(history.moves) == TURNS
    assert len(env.bob.dms) == TURNS // 2
    assert len(carol.dms) > TURNS
    read = "\n".join(text for watcher in watchers for text in watcher.received) + log_stream.getvalue()
    assert f"{game.capitalize()} #1" in read
    assert [secret for secret in secrets if secret in read] == []
    tell_tales = ("had a conditional move ready", "were deleted", "is saved", "Clear all")
    assert [one for one in tell_tales if one in read] == []


@pytest.mark.long
async def test_match_with_secrets_looks_like_one_without(env: BotEnvironment) -> None:
    """The posts of two matches with the same moves differ only in ids if one has conditional moves."""
    posts = list[str]()
    for secret in (False, True):
        await env.start_match(game="morabaraba", board=None, start=None, colour="white")
        number = str(len(posts) + 1)
        if secret:
            bob = (await env.bot.matches.view(MatchId(2), now=env.bot.now())).seats[1].person
            await env.bot.matches.conditionals.add_line(
                MatchId(2), bob, (("A1",), ("G7",)), seen_revision=0, now=env.bot.now()
            )
        reply = await env.move(env.alice, "B2", match=number)
        posts.append(message_dump(reply.shown).replace(f"Morabaraba #{number}", "Morabaraba #N"))
        await env.wait_until_idle()
        posts[-1] = mask_numbers(posts[-1])
    assert posts[0] == posts[1]


def mask_numbers(text: str) -> str:
    """Mask ids in custom ids."""
    return re.sub(r'("(?:custom_id)": ")([a-z]+1):\d+:(\d+)(?::\d+)?', r"\1\2:N:\3", text)


@pytest.mark.long
async def test_dropped_lines_leave_no_gap_in_announcement_ids(env: BotEnvironment) -> None:
    """Consecutive posts have consecutive ids, so a gap cannot reveal a secret."""
    await env.start_match(game="morabaraba", board=None, start=None, colour="white")
    bob = Person(f"discord:{env.bob.id}", "Bob")
    await env.bot.matches.conditionals.add_line(
        MatchId(1), bob, (("A1",), ("G7",)), seen_revision=0, now=env.bot.now()
    )
    numbers = []
    for person, text in ((env.alice, "B2"), (env.bob, "G7")):
        reply = await env.move(person, text)
        (mark,) = [one.custom_id for one in reply.buttons if (one.custom_id or "").startswith("view1:")]
        numbers.append(int((mark or "").rpartition(":")[2]))
        await env.bot.outbox.run_once()
    assert numbers[1] == numbers[0] + 1
    assert len(env.bob.dms) == 1
