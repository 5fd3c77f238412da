"""People who follow matches, and their preferences for private messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matches import MatchView
    from tests.discord_server import Member
    from tests.soak.environment import SoakEnvironment

QUIET_HOURS = (None, "22-7", "23:00-6:30", "none")
ZONES = (None, "Europe/Zurich", "America/New_York", "Asia/Tokyo")


async def follow_match(env: SoakEnvironment, view: MatchView) -> None:
    """Follow a match as a random member of the server; turn by turn more often than daily or at the end."""
    rng, channel = env.rng, env.population.channel(view.channel)
    guild = env.population.guild_of(channel)
    who = rng.choice(env.population.members[guild.id])
    interest = rng.choice(["turns", "turns", "daily", "end"])
    given = {"match": str(view.id), "when": interest}
    reply = await env.perform(
        who, f"/watch {interest}", who.command("watch", given, channel=channel), view.id
    )
    env.metrics.counts["follows with closed messages" if who.user.dms_closed else f"follows: {interest}"] += 1
    if not who.user.dms_closed and not reply.failed:
        env.followers.setdefault(view.id, []).append(who)


async def unfollow_match(env: SoakEnvironment, view: MatchView) -> None:
    """Unfollow a match as one of its followers, by command or by the button of a message."""
    following = env.followers.get(view.id)
    if not following:
        return
    who = following.pop(env.rng.randrange(len(following)))
    env.unreachable.add(f"discord:{who.id}")
    messages = [one for one in who.dms if any(b.custom_id == f"leave1:{view.id}" for b in one.buttons)]
    if messages and env.rng.random() < 0.5:
        await env.perform(who, "presses Unwatch", who.click(messages[-1], f"leave1:{view.id}"), view.id)
    else:
        await env.perform(who, "/unwatch", who.command("unwatch", {"match": str(view.id)}, channel=who.dm))
    env.metrics.counts["unfollows"] += 1


async def change_preferences(env: SoakEnvironment, who: Member) -> None:
    """Change the preferences for reminders: time zone, quiet hours, channel, frequency."""
    rng = env.rng
    channel = rng.choice(env.population.channels[env.population.random_guild(who, rng).id])
    given = {"zone": rng.choice(ZONES), "quiet": rng.choice(QUIET_HOURS)}
    if not any(given.values()):
        given["quiet"] = "none"
    shown = await env.perform(who, "/preferences", who.command("preferences", given, channel=channel))
    for menu, values in (("way", ["direct", "place", "off"]), ("every", ["0", "1", "3"])):
        if shown.failed or not shown.selects:
            return
        value = rng.choice(values)
        doing = who.select(shown, f"myreminder1:{menu}", [value])
        shown = await env.perform(who, f"chooses {menu} {value}", doing)
    env.metrics.counts["preferences"] += 1


def toggle_direct_messages(env: SoakEnvironment, who: Member, *, closed: bool) -> None:
    """Close or open the direct messages of a person."""
    env.unreachable.add(f"discord:{who.id}")
    (who.close_dms if closed else who.open_dms)()
    env.log.record(env.now, f"{who.name} {'closes' if closed else 'opens'} direct messages")
    env.metrics.counts["direct messages closed"] += closed
