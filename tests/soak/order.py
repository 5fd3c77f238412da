"""What those who run a server do: they have matches played in threads."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord_server import Permission

if TYPE_CHECKING:
    from tests.discord_server import Guild, Member
    from tests.soak.stage import Stage


async def want_threads(stage: Stage, guild: Guild) -> None:
    """Have each match of a server played in a thread of its own."""
    steward = _steward(stage, guild)
    channel = stage.cast.channels[guild.id][0]
    panel = await stage.do(steward, "/settings", steward.command("settings", channel=channel))
    if not panel.failed and panel.selects:
        await stage.do(steward, "wants threads", steward.select(panel, "houseplace1", ["thread"]))
        stage.figures.deeds["servers with threads"] += 1


def _steward(stage: Stage, guild: Guild) -> Member:
    steward = guild.member(f"Steward of {guild.name}")
    stage.cast.channels[guild.id][0].allow(steward, Permission.MANAGE_GUILD)
    return steward
