"""The Discord server of the recorded messages, with the same ids, and clicks on its old components."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from bot import app
from bot.outbox.pace import RequestPace
from tests.bot.environment import NO_INTERVAL, NO_LIMIT, NO_OUTAGE, connected_client
from tests.discord_server import DiscordServer, LoopbackSettings, Permission, posting
from tests.discord_server.clock import DiscordClock
from tests.discord_server.components import ComponentType
from tests.discord_server.guilds import ChannelKind
from tests.discord_server.interactions import Interaction, InteractionKind, start_interaction
from tests.discord_server.messages import MessageFlag
from tests.discord_server.replies import Reply

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from pathlib import Path

    from bot.client import Rayuela
    from matches import Database, MatchView, Person
    from tests.discord_server import Channel, Guild, Member, Message

START = datetime(2026, 5, 1, 12, tzinfo=UTC)
NAMES = ("Alice", "Bob", "Carol", "Dave", "Eve", "Frank", "Grace")
MANAGER = "Eve"
RESPONSE_TIMEOUT = 10.0  # seconds; an answer waits half of them for a post that cannot be sent
# What runs, what was carried out, what a heartbeat records, and what is kept of a user after an answer.
UNCOUNTED = ("heartbeats", "leases", "requests", "servers.number", "people.locale")

Json = dict[str, Any]


class FrozenClock(DiscordClock):
    """A clock that only moves when it is advanced, so ids and times are the same in every run."""

    def time(self) -> float:
        return START.timestamp() + self._ahead


class FixedSeatLinks:
    """Seat links without a web server; the generations of the seat keys are the real ones."""

    def __init__(self) -> None:
        self.bot: Rayuela | None = None

    def privacy_url(self) -> str:
        return "https://rayuela.example/privacy"

    def lobby_url(self) -> str:
        return "https://rayuela.example/lobby"

    def explorer_url(self, game: str) -> str:
        return f"https://rayuela.example/explorer/{game}"

    def tournament_url(self, tournament: int) -> str:
        return f"https://rayuela.example/tournaments/{tournament}"

    def match_url(self, view: MatchView, _account: str) -> str | None:
        return f"https://board.example/match/{view.id}"

    async def seat_url(self, view: MatchView, person: Person) -> str:
        assert self.bot is not None
        number = await self.bot.matches.people.seats.get_generation(view.id, person)
        return f"https://board.example/match/{view.id}/seat/{number}"

    async def rotate_key(self, view: MatchView, person: Person) -> None:
        assert self.bot is not None
        await self.bot.matches.people.seats.rotate(view.id, person)


@dataclass(slots=True)
class OldGuild:
    """The Discord server of the story."""

    discord: DiscordServer
    guild: Guild
    channel: Channel
    people: dict[str, Member]

    def ids(self) -> Json:
        """Return every id of this Discord that a database row or a custom id can hold."""
        world = self.discord.world
        threads = {
            str(one.id): {"parent": one.parent.id, "name": one.name, "archived": one.archived}
            for one in world.channels.values()
            if one.parent is not None
        }
        return {
            "bot": world.bot.id,
            "guild": self.guild.id,
            "channel": self.channel.id,
            "people": {name: member.id for name, member in self.people.items()},
            "threads": threads,
        }


@asynccontextmanager
async def discord_place(known: Json | None = None) -> AsyncIterator[OldGuild]:
    """Start the loopback Discord of the story. With `known` check its ids and open the recorded threads."""
    async with DiscordServer(
        settings=LoopbackSettings(interaction_seconds=RESPONSE_TIMEOUT), clock=FrozenClock()
    ) as discord:
        guild = discord.guild("Salon")
        channel = guild.channel("games")
        people = {name: guild.member(name) for name in NAMES}
        channel.allow(people[MANAGER], Permission.MANAGE_GUILD)
        place = OldGuild(discord, guild, channel, people)
        if known is not None:
            now = place.ids()
            assert {**now, "threads": None} == {**known["ids"], "threads": None}, "Discord gave other ids"
            discord.advance(known["seconds"])
            for number, one in known["ids"]["threads"].items():
                world = discord.world
                thread = world.new_thread(
                    channel.state, one["name"], world.bot, ChannelKind.PUBLIC_THREAD, int(number)
                )
                thread.archived = one["archived"]
        yield place


@asynccontextmanager
async def running_bot(place: OldGuild, database: Database) -> AsyncIterator[Rayuela]:
    """Run the bot over an open store, with the web board's links."""
    links = FixedSeatLinks()
    client = app.build_client(
        database,
        connector=place.discord.connector(),
        now=place.discord.world.clock.now,
        response_timeout=RESPONSE_TIMEOUT,
        outage=NO_OUTAGE,
        seat_links=links,
        identify_interval=NO_INTERVAL,
        pace=RequestPace(NO_LIMIT),
    )
    links.bot = client
    async with connected_client(place.discord, client):
        await client.wait_until_ready()
        yield client


def component(entry: Json) -> Json:
    """Return the component of an entry, as the bot sends it."""
    if entry["kind"] == "button":
        return {
            "type": int(ComponentType.BUTTON),
            "style": 2,
            "label": entry["label"],
            "custom_id": entry["custom_id"],
        }
    if entry["kind"] == "user select menu":
        return {"type": int(ComponentType.USER_SELECT), "custom_id": entry["custom_id"]}
    options = [{"label": one, "value": one} for one in entry["options"]]
    fewest = 1 if entry["most"] == 1 else 0
    menu = {"type": int(ComponentType.STRING_SELECT), "custom_id": entry["custom_id"], "options": options}
    return menu | {"min_values": fewest, "max_values": entry["most"]}


def carrier(place: OldGuild, entry: Json) -> Message:
    """Post a bot message with one component, ephemeral if the entry is private."""
    world, state = place.discord.world, place.channel.state
    who = place.people[entry["person"]].user
    if entry["where"] == "direct message":
        state = world.dm(who)
    elif entry["where"].isdigit():
        state = world.channels[int(entry["where"])]
    parts = [] if entry["kind"] == "modal" else [component(entry)]
    body: Json = {
        "content": "A message of 657df53.",
        "flags": int(MessageFlag.EPHEMERAL) if entry["private"] else 0,
    }
    body["components"] = [{"type": 1, "components": parts}] if parts else []
    return posting.create(world, state, world.bot, body, {}, addressee=who if entry["private"] else None)


async def use(place: OldGuild, entry: Json) -> Reply:
    """Click, select or submit what an entry records, on a new message that carries it."""
    message, who = carrier(place, entry), place.people[entry["person"]]
    kind = entry["kind"]
    if kind == "button":
        reply = await who.click(message, entry["custom_id"])
    elif kind == "modal":
        reply = await _submit(place, entry, message)
    else:
        chosen = [place.people.get(one, one) for one in entry["choose"]]
        reply = await who.select(message, entry["custom_id"], chosen)
    return await reply.wait_until_complete(seconds=RESPONSE_TIMEOUT)


async def _submit(place: OldGuild, entry: Json, message: Message) -> Reply:
    fields = [
        {
            "type": int(ComponentType.LABEL),
            "id": 2 * at + 1,
            "component": {
                "type": int(ComponentType.TEXT_INPUT),
                "id": 2 * at + 2,
                "custom_id": name,
                "value": text,
            },
        }
        for at, (name, text) in enumerate(entry["fill_in"].items())
    ]
    data = {"custom_id": entry["custom_id"], "components": fields}
    who, world = place.people[entry["person"]].user, place.discord.world
    never: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    opened = Interaction(  # the click that opened the form, before the bot was last restarted
        world.clock.snowflake(), "long ago", InteractionKind.COMPONENT, who, message.channel, {},
        world.clock.time(), never, source=message, owners={"0": str(place.guild.id)},
    )  # fmt: skip
    submitted = start_interaction(
        world, InteractionKind.MODAL, who, message.channel, data, source=message, trigger=opened
    )
    return Reply(world, submitted, await submitted.response)


def outcome(reply: Reply, before: Mapping[str, Any], after: Mapping[str, Any]) -> Json:
    """Return how an interaction was answered and which rows it added, removed and changed in each table."""
    if reply.failed:
        return {"answer": f"failed: {reply.failed}"}
    assert reply.answer.callback is not None
    found: Json = {"answer": reply.answer.callback.name.lower()}
    if reply.modal is not None:
        found["modal"] = reply.modal.custom_id.partition(":")[0]
        found["fields"] = [one.custom_id for one in reply.modal.fields]
    if reply.message is not None:
        found |= {
            "private": reply.ephemeral,
            "files": len(reply.attachments),
            "components": bool(reply.buttons or reply.selects),
        }
    return found | {"rows": differences(before, after)}


def rows(file: Path) -> dict[str, dict[Any, Any]]:
    """Return all rows of an SQLite file by table and primary key."""
    found = {}
    with closing(sqlite3.connect(file)) as database:
        names = database.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
        ).fetchall()
        for (name,) in names:
            if name in UNCOUNTED:
                continue
            info = database.execute(f'PRAGMA table_info("{name}")').fetchall()
            counted = [column for column in info if f"{name}.{column[1]}" not in UNCOUNTED]
            keys = [at for at, column in enumerate(counted) if column[5]] or list(range(len(counted)))
            columns = ", ".join(f'"{column[1]}"' for column in counted)
            every = database.execute(f'SELECT {columns} FROM "{name}"').fetchall()  # noqa: S608 - our own names
            found[name] = {tuple(row[at] for at in keys): row for row in every}
    return found


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, list[int]]:
    """Return the numbers of rows added, removed and changed, for each table that differs."""
    found = {}
    for name in sorted(before):
        old, new = before[name], after[name]
        changed = sum(old[key] != new[key] for key in old.keys() & new.keys())
        counts = [len(new.keys() - old.keys()), len(old.keys() - new.keys()), changed]
        if any(counts):
            found[name] = counts
    return found


def restore(dump: str, file: Path) -> None:
    """Write an SQLite file from a text dump."""
    with closing(sqlite3.connect(file)) as database:
        database.executescript(dump)


def copy_over(source: Path, target: Path) -> None:
    """Put the content of an SQLite file into another one, which may be open elsewhere."""
    with closing(sqlite3.connect(source)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)
