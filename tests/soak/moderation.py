"""Order: what those who run a server do, and people who keep clear of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord_server import Permission

if TYPE_CHECKING:
    from tests.discord_server import Guild, Member
    from tests.soak.environment import SoakEnvironment


async def enable_threads(env: SoakEnvironment, guild: Guild) -> None:
    """Have each match of a server played in a thread of its own."""
    person = moderator(env, guild)
    channel = env.population.channels[guild.id][0]
    panel = await env.perform(person, "/settings", person.command("settings", channel=channel))
    if not panel.failed and panel.selects:
        await env.perform(person, "wants threads", person.select(panel, "houseplace1", ["thread"]))
        env.metrics.counts["servers with threads"] += 1


def moderator(env: SoakEnvironment, guild: Guild) -> Member:
    """Return who runs a server."""
    known = env.moderators.get(guild.id)
    if known is None:
        known = env.moderators[guild.id] = guild.member(f"Steward of {guild.name}")
        for channel in env.population.channels[guild.id]:
            channel.allow(known, Permission.MANAGE_GUILD)
    return known


async def toggle_block(env: SoakEnvironment, who: Member, other: Member, *, block: bool) -> None:
    """Block somebody, or take that back."""
    channel = env.rng.choice(env.population.channels[env.population.random_guild(who, env.rng).id])
    command = "block" if block else "unblock"
    await env.perform(
        who, f"/{command} {other.name}", who.command(command, {"person": other}, channel=channel)
    )
    env.metrics.counts["blocks" if block else "blocks taken back"] += 1
