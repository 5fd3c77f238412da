"""What people do outside their matches: vacations, preferences, blocks; and what moderators do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.discord_server import Permission

if TYPE_CHECKING:
    from matches import MatchId, MatchView
    from tests.discord_server import Channel, Guild, Member
    from tests.soak.environment import SoakEnvironment

QUIET_HOURS = (None, "22-7", "23:00-6:30", "none")
ZONES = (None, "Europe/Zurich", "America/New_York", "Asia/Tokyo")


async def toggle_vacation(env: SoakEnvironment, who: Member, *, begin: bool) -> None:
    """Begin or end a vacation by the button of `/vacation`; it may already have ended by itself."""
    shown = await env.command(who, "vacation", _random_channel(env, who))
    button = "away1" if begin else "back1"
    if not shown.failed and button in {one.custom_id for one in shown.buttons}:
        await env.click(who, (shown, button))
        env.count("vacations" if begin else "vacations ended")


async def change_preferences(env: SoakEnvironment, who: Member) -> None:
    """Change the preferences for reminders: time zone, quiet hours, channel, frequency."""
    channel, given = (
        _random_channel(env, who),
        {"zone": env.rng.choice(ZONES), "quiet": env.rng.choice(QUIET_HOURS)},
    )
    if not any(given.values()):
        given["quiet"] = "none"
    shown = await env.command(who, "preferences", channel, **given)
    menus: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("mykind1", ("time",)),
        ("myways1:time", ("direct", "channel")),
        ("myreminder1:every", ("0", "1", "3")),
    )
    for menu, values in menus:
        if shown.failed or not shown.selects:
            return
        value = env.rng.choice(values)
        doing = who.select(shown, menu, [value])
        shown = await env.perform(who, f"chooses {menu} {value}", doing)
    env.count("preferences")


async def toggle_direct_messages(env: SoakEnvironment, who: Member, *, begin: bool) -> None:
    """Close or open the direct messages of a person."""
    env.unreachable.add(f"discord:{who.id}")
    (who.close_dms if begin else who.open_dms)()
    env.log.record(env.now, f"{who.name} {'closes' if begin else 'opens'} direct messages")
    env.count("direct messages closed", begin)


async def toggle_block(env: SoakEnvironment, who: Member, other: Member, *, begin: bool) -> None:
    """Block or unblock somebody."""
    command = "block" if begin else "unblock"
    await env.command(who, command, _random_channel(env, who), person=other)
    env.count(f"{command}s")


def _random_channel(env: SoakEnvironment, who: Member) -> Channel:
    return env.rng.choice(env.population.channels[env.population.random_guild(who, env.rng).id])


def moderator(env: SoakEnvironment, guild: Guild) -> Member:
    """Return the moderator of a server; the first call adds one."""
    known = env.moderators.get(guild.id)
    if known is None:
        known = env.moderators[guild.id] = guild.member(f"Moderator of {guild.name}")
        for channel in env.population.channels[guild.id]:
            channel.allow(known, Permission.MANAGE_GUILD)
    return known


async def enable_threads(env: SoakEnvironment, guild: Guild) -> None:
    """Set a server to a thread for each match."""
    person = moderator(env, guild)
    panel = await env.command(person, "settings", env.population.channels[guild.id][0])
    if not panel.failed and panel.selects:
        await env.perform(person, "chooses threads", person.select(panel, "houseplace1", ["thread"]))
        env.count("servers with threads")


async def look_back(env: SoakEnvironment, match: MatchId) -> None:
    """View and replay a match that has been over for long, and perhaps correct its result."""
    view = await env.view(match)
    if not env.population.channel_exists(view.channel):
        return
    who = env.population.person(view.seats[0].person.account)
    for command in ("board", "replay"):
        await env.command(who, command, view)
    env.count("old matches viewed")
    if env.rng.random() < 0.2:
        await correct_result(env, view)


async def correct_result(env: SoakEnvironment, view: MatchView) -> None:
    """Correct the result of a match, or void it, as a moderator."""
    person = moderator(env, env.population.guild_of(env.population.channel(view.channel)))
    result = env.rng.choice([*(seat.side.value for seat in view.seats), "draw", "none"])
    reply = await env.command(person, "correct", view, result=result, reason="They had agreed on it.")
    env.count("corrections", not (reply.failed or reply.ephemeral))
