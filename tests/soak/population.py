"""The servers, channels and people of a simulation."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tests.discord_server import Channel, DiscordServer, Guild, Member

if TYPE_CHECKING:
    from random import Random

    from tests.discord_server import Message
    from tests.soak.plan import SimulationPlan

HISTORY_LIMIT = 400
FIRST_NAMES = ("Ada", "Bela", "Cleo", "Dov", "Edda", "Finn", "Gaia", "Hugo", "Iris", "Juno")


class Population:
    """Servers, their channels, and people, some of them in several servers."""

    def __init__(self, discord: DiscordServer, plan: SimulationPlan, rng: Random) -> None:
        self._world = discord.world
        self.guilds = [_create_guild(discord, number) for number in range(1, plan.servers + 1)]
        self.channels = {
            guild.id: [guild.channel(f"table-{number}") for number in range(1, plan.channels + 1)]
            for guild in self.guilds
        }
        self.members: dict[int, list[Member]] = {guild.id: [] for guild in self.guilds}
        self._people: dict[str, Member] = {}
        for number in range(plan.people):
            self._add_person(number, rng)

    def _add_person(self, number: int, rng: Random) -> None:
        homes = rng.sample(self.guilds, rng.choice([1, 1, 2, min(3, len(self.guilds))]))
        person = homes[0].member(f"{FIRST_NAMES[number % len(FIRST_NAMES)]} {number}")
        for guild in homes[1:]:
            guild.join(person)
        for guild in homes:
            self.members[guild.id].append(person)
        self._people[f"discord:{person.id}"] = person

    @property
    def people(self) -> list[Member]:
        return list(self._people.values())

    def person(self, account: str) -> Member:
        return self._people[account]

    def random_guild(self, person: Member, rng: Random) -> Guild:
        return rng.choice([guild for guild in self.guilds if person in self.members[guild.id]])

    def guild_of(self, channel: Channel) -> Guild:
        """Return the server of a channel or thread."""
        return next(guild for guild in self.guilds if channel.id in guild.state.channels)

    def channel_exists(self, channel: str) -> bool:
        """Return whether a channel exists; a thread may not be open yet."""
        return int(channel.removeprefix("discord:")) in self._world.channels

    def channel(self, channel: str) -> Channel:
        return Channel(self._world, self._world.channels[int(channel.removeprefix("discord:"))])


def _create_guild(discord: DiscordServer, number: int) -> Guild:
    discord.advance(0.001)  # servers of one millisecond belong to the same shard
    return discord.guild(f"Club {number}")


def latest_button(channel: Channel, name: str) -> tuple[Message, str] | None:
    """Return the last post with a button whose custom id is `name` or begins with `name:`, and the custom id.

    Only the last HISTORY_LIMIT messages are searched.
    """
    for message in islice(reversed(channel.state.messages), HISTORY_LIMIT):
        if message.deleted or message.ephemeral:
            continue
        for button in message.buttons:
            if f"{button.custom_id}:".startswith(f"{name}:"):
                return message, button.custom_id or ""
    return None
