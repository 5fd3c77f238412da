"""What moderators do, and people who block each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord_server import Permission

if TYPE_CHECKING:
    from tests.discord_server import Guild, Member
    from tests.soak.environment import SoakEnvironment


async def enable_threads(env: SoakEnvironment, guild: Guild) -> None:
    """Set a server to a thread for each match."""
    person = moderator(env, guild)
    channel = env.population.channels[guild.id][0]
    panel = await env.perform(person, "/settings", person.command("settings", channel=channel))
    if not panel.failed and panel.selects:
        await env.perform(person, "chooses threads", person.select(panel, "houseplace1", ["thread"]))
        env.metrics.counts["servers with threads"] += 1


def moderator(env: SoakEnvironment, guild: Guild) -> Member:
    """Return the moderator of a server; the first call adds one."""
    known = env.moderators.get(guild.id)
    if known is None:
        known = env.moderators[guild.id] = guild.member(f"Moderator of {guild.name}")
        for channel in env.population.channels[guild.id]:
            channel.allow(known, Permission.MANAGE_GUILD)
    return known


async def toggle_block(env: SoakEnvironment, who: Member, other: Member, *, block: bool) -> None:
    """Block or unblock somebody."""
    channel = env.rng.choice(env.population.channels[env.population.random_guild(who, env.rng).id])
    command = "block" if block else "unblock"
    await env.perform(
        who, f"/{command} {other.name}", who.command(command, {"person": other}, channel=channel)
    )
    env.metrics.counts["blocks" if block else "unblocks"] += 1
