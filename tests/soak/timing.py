"""What people do about time: agree on a pace, fall silent, claim, give, pause, take a vacation."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.soak.cast import latest

if TYPE_CHECKING:
    from random import Random

    from matches import MatchView
    from tests.discord_server import Channel, Member
    from tests.soak.stage import Stage

PACES = (None, "2d per move", "3d per move", "5d per move", "7d + 1d per move, at most 14d", "30d in all")
SILENCE = timedelta(days=4)


def some_terms(chance: Random) -> dict[str, Any]:
    """Give the terms of a challenge, as they are typed."""
    return {
        "pace": chance.choice(PACES),
        "flag": chance.choice(["claim", "lost"]),
        "vacation": chance.random() < 0.8,
        "takeback": chance.random() < 0.8,
        "rated": chance.random() < 0.8,
    }


async def fall_silent(stage: Stage, _view: MatchView) -> timedelta:
    """Do nothing for days, so that perhaps the time is over."""
    stage.figures.deeds["silences"] += 1
    return SILENCE


async def see_to_flags(stage: Stage, view: MatchView) -> bool:
    """Where the time of somebody is over, let the other claim the match or give more; tell whether it was."""
    late = next((one.person for one in view.time.people if one.fell_at), None) if view.time else None
    other = None if late is None else view.opponent(late.account)
    if other is None:
        return False
    who, channel = stage.cast.person(other.person.account), stage.cast.place(view.place)
    drawn = stage.chance.random()
    if drawn < 0.5:
        await _claim(stage, view, who, channel)
    elif drawn < 0.7:
        given = {"time": "3 days", "match": str(view.id)}
        await stage.do(who, "/give-time", who.command("give-time", given, channel=channel), view.id)
        stage.figures.deeds["gifts of time"] += 1
    else:
        return False  # they let the late one play
    return True


async def _claim(stage: Stage, view: MatchView, who: Member, channel: Channel) -> None:
    post = latest(channel, f"claim1:{view.id}")
    if post is None:
        given = {"match": str(view.id)}
        asked = await stage.do(who, "/claim", who.command("claim", given, channel=channel), view.id)
    else:
        asked = await stage.do(who, "presses Claim", who.click(*post), view.id)
    if not asked.failed and asked.buttons:
        await stage.do(who, "claims", who.click(asked, f"claimnow1:{view.id}"), view.id)
        stage.figures.deeds["claims"] += 1


async def pause(stage: Stage, view: MatchView) -> timedelta | None:
    """Offer to stop the clock, answer that, and later go on."""
    if view.time is None:
        return None
    first, second = view.seats if stage.chance.random() < 0.5 else tuple(reversed(view.seats))
    who, other = (stage.cast.person(seat.person.account) for seat in (first, second))
    channel, given = stage.cast.place(view.place), {"match": str(view.id)}
    if view.time.paused:
        await stage.do(who, "/resume", who.command("resume", given, channel=channel), view.id)
        return None
    await stage.do(who, "/pause", who.command("pause", given, channel=channel), view.id)
    stage.figures.deeds["offers to pause"] += 1
    button = f"{stage.chance.choice(['pause1', 'nopause1'])}:{view.id}"
    post = latest(channel, button)
    if post is None:
        return None
    await stage.do(other, f"presses {button}", other.click(*post), view.id)
    now = await stage.view(view.id)
    return timedelta(days=9) if now.time is not None and now.time.paused else None


async def vacation(stage: Stage, who: Member, *, back: bool) -> None:
    """Begin or end a vacation, by the one button that there is; it may have ended by itself."""
    guild = stage.cast.home(who, stage.chance)
    channel = stage.chance.choice(stage.cast.channels[guild.id])
    shown = await stage.do(who, "/vacation", who.command("vacation", channel=channel))
    button = "back1" if back else "away1"
    if shown.failed or button not in {one.custom_id for one in shown.buttons}:
        return
    await stage.do(who, button, who.click(shown, button))
    stage.figures.deeds["vacations ended" if back else "vacations"] += 1
