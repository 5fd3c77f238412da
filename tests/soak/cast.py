"""Who is there, and where: servers, channels, people."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from tests.discord_server import Channel, DiscordServer, Guild, Member

if TYPE_CHECKING:
    from random import Random

    from tests.discord_server import Message
    from tests.soak.plan import Plan

SCROLLED = 400
FIRST = ("Ada", "Bela", "Cleo", "Dov", "Edda", "Finn", "Gaia", "Hugo", "Iris", "Juno")


class Cast:
    """The people of a simulation, some of them in several servers."""

    def __init__(self, discord: DiscordServer, plan: Plan, chance: Random) -> None:
        self._world = discord.world
        self.guilds = [discord.guild(f"Club {number}") for number in range(1, plan.servers + 1)]
        self.channels = {
            guild.id: [guild.channel(f"table-{number}") for number in range(1, plan.channels + 1)]
            for guild in self.guilds
        }
        self.members: dict[int, list[Member]] = {guild.id: [] for guild in self.guilds}
        self._people: dict[str, Member] = {}
        for number in range(plan.people):
            self._enter(number, chance)

    def _enter(self, number: int, chance: Random) -> None:
        homes = chance.sample(self.guilds, chance.choice([1, 1, 2, min(3, len(self.guilds))]))
        person = homes[0].member(f"{FIRST[number % len(FIRST)]} {number}")
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

    def home(self, person: Member, chance: Random) -> Guild:
        return chance.choice([guild for guild in self.guilds if person in self.members[guild.id]])

    def guild_of(self, channel: Channel) -> Guild:
        """Give the server of a channel or thread."""
        return next(guild for guild in self.guilds if channel.id in guild.state.channels)

    def is_there(self, place: str) -> bool:
        """Tell whether a place can be found; a thread may not be open yet."""
        return int(place.removeprefix("discord:")) in self._world.channels

    def place(self, place: str) -> Channel:
        return Channel(self._world, self._world.channels[int(place.removeprefix("discord:"))])


def latest(channel: Channel, name: str) -> tuple[Message, str] | None:
    """Give the last post of a channel with a button whose id is `name`, or goes on after it, and that id.

    Nobody scrolls back farther than some hundred messages.
    """
    for message in islice(reversed(channel.state.messages), SCROLLED):
        if message.deleted or message.ephemeral:
            continue
        for button in message.buttons:
            if f"{button.custom_id}:".startswith(f"{name}:"):
                return message, button.custom_id or ""
    return None
