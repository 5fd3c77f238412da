"""Order: what those who run a server do, and people who keep clear of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord_server import Permission

if TYPE_CHECKING:
    from tests.discord_server import Guild, Member
    from tests.soak.stage import Stage


async def want_threads(stage: Stage, guild: Guild) -> None:
    """Have each match of a server played in a thread of its own."""
    person = steward(stage, guild)
    channel = stage.cast.channels[guild.id][0]
    panel = await stage.do(person, "/settings", person.command("settings", channel=channel))
    if not panel.failed and panel.selects:
        await stage.do(person, "wants threads", person.select(panel, "houseplace1", ["thread"]))
        stage.figures.deeds["servers with threads"] += 1


def steward(stage: Stage, guild: Guild) -> Member:
    """Give who runs a server."""
    known = stage.stewards.get(guild.id)
    if known is None:
        known = stage.stewards[guild.id] = guild.member(f"Steward of {guild.name}")
        for channel in stage.cast.channels[guild.id]:
            channel.allow(known, Permission.MANAGE_GUILD)
    return known


async def keep_clear(stage: Stage, who: Member, other: Member, *, lasting: bool) -> None:
    """Block somebody, or take that back."""
    channel = stage.chance.choice(stage.cast.channels[stage.cast.home(who, stage.chance).id])
    what = "block" if lasting else "unblock"
    await stage.do(who, f"/{what} {other.name}", who.command(what, {"person": other}, channel=channel))
    stage.figures.deeds["blocks" if lasting else "blocks taken back"] += 1
