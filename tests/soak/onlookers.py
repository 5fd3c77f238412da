"""People who follow the matches of others, and how each person likes to be told in private."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matches import MatchView
    from tests.discord_server import Member
    from tests.soak.stage import Stage

QUIET = (None, "22-7", "23:00-6:30", "none")
ZONES = (None, "Europe/Zurich", "America/New_York", "Asia/Tokyo")


async def watch(stage: Stage, view: MatchView) -> None:
    """Somebody of the server follows a match, at each turn most often."""
    chance, channel = stage.chance, stage.cast.place(view.place)
    guild = stage.cast.guild_of(channel)
    who = chance.choice(stage.cast.members[guild.id])
    interest = chance.choice(["turns", "turns", "daily", "end"])
    given = {"match": str(view.id), "when": interest}
    reply = await stage.do(who, f"/watch {interest}", who.command("watch", given, channel=channel), view.id)
    stage.figures.deeds["refused by closed messages" if who.user.dms_closed else f"follows: {interest}"] += 1
    if not who.user.dms_closed and not reply.failed:
        stage.following.setdefault(view.id, []).append(who)


async def unwatch(stage: Stage, view: MatchView) -> None:
    """Somebody follows a match no longer, by command or by the button under what they were told."""
    following = stage.following.get(view.id)
    if not following:
        return
    who = following.pop(stage.chance.randrange(len(following)))
    stage.hidden.add(f"discord:{who.id}")
    told = [one for one in who.dms if any(b.custom_id == f"leave1:{view.id}" for b in one.buttons)]
    if told and stage.chance.random() < 0.5:
        await stage.do(who, "presses Unwatch", who.click(told[-1], f"leave1:{view.id}"), view.id)
    else:
        await stage.do(who, "/unwatch", who.command("unwatch", {"match": str(view.id)}, channel=who.dm))
    stage.figures.deeds["follows no longer"] += 1


async def prefer(stage: Stage, who: Member) -> None:
    """Choose when, how often and where to be reminded."""
    chance = stage.chance
    channel = chance.choice(stage.cast.channels[stage.cast.home(who, chance).id])
    given = {"zone": chance.choice(ZONES), "quiet": chance.choice(QUIET)}
    if not any(given.values()):
        given["quiet"] = "none"
    shown = await stage.do(who, "/preferences", who.command("preferences", given, channel=channel))
    for menu, values in (("way", ["direct", "place", "off"]), ("every", ["0", "1", "3"])):
        if shown.failed or not shown.selects:
            return
        value = chance.choice(values)
        doing = who.select(shown, f"myreminder1:{menu}", [value])
        shown = await stage.do(who, f"chooses {menu} {value}", doing)
    stage.figures.deeds["preferences"] += 1


def close_messages(stage: Stage, who: Member, *, closed: bool) -> None:
    """Take no direct messages from now on, or take them again."""
    stage.hidden.add(f"discord:{who.id}")
    (who.close_dms if closed else who.open_dms)()
    stage.story.tell(stage.now, f"{who.name} {'closes' if closed else 'opens'} direct messages")
    stage.figures.deeds["closed messages"] += closed
