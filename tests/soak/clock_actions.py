"""What people do about time: set a time control, stay silent, claim, give time, pause, take a vacation."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from tests.soak.population import latest_button

if TYPE_CHECKING:
    from random import Random

    from matches import MatchView
    from tests.discord_server import Channel, Member
    from tests.soak.environment import SoakEnvironment

TIME_CONTROLS = (
    None,
    "2d per move",
    "3d per move",
    "5d per move",
    "7d + 1d per move, at most 14d",
    "30d in all",
)
SILENCE_TIME = timedelta(days=4)


def random_terms(rng: Random) -> dict[str, Any]:
    """Return the terms of a challenge as a command takes them."""
    return {
        "time_control": rng.choice(TIME_CONTROLS),
        "time_out": rng.choice(["claim", "lost"]),
        "vacation": rng.random() < 0.8,
        "takeback": rng.random() < 0.8,
        "rated": rng.random() < 0.8,
    }


async def stay_silent(env: SoakEnvironment, _view: MatchView) -> timedelta:
    """Do nothing for days, so that the clock may run out."""
    env.metrics.counts["silences"] += 1
    return SILENCE_TIME


async def handle_timeout(env: SoakEnvironment, view: MatchView) -> bool:
    """If a player's time is over, perhaps claim the win or give time as the opponent; return whether."""
    late = next((one.person for one in view.time.seats if one.flagged_at), None) if view.time else None
    opponent = None if late is None else view.opponent(late.account)
    if opponent is None:
        return False
    who, channel = env.population.person(opponent.person.account), env.population.channel(view.channel)
    drawn = env.rng.random()
    if drawn < 0.5:
        await _claim_timeout(env, view, who, channel)
    elif drawn < 0.7:
        given = {"time": "3 days", "match": str(view.id)}
        await env.perform(who, "/give-time", who.command("give-time", given, channel=channel), view.id)
        env.metrics.counts["time given"] += 1
    else:
        return False  # the opponent keeps waiting
    return True


async def _claim_timeout(env: SoakEnvironment, view: MatchView, who: Member, channel: Channel) -> None:
    post = latest_button(channel, f"claim1:{view.id}")
    if post is None:
        given = {"match": str(view.id)}
        confirmation = await env.perform(who, "/claim", who.command("claim", given, channel=channel), view.id)
    else:
        confirmation = await env.perform(who, "presses Claim", who.click(*post), view.id)
    if not confirmation.failed and confirmation.buttons:
        await env.perform(who, "claims", who.click(confirmation, f"claimnow1:{view.id}"), view.id)
        env.metrics.counts["claims"] += 1


async def offer_pause(env: SoakEnvironment, view: MatchView) -> timedelta | None:
    """Offer a pause and answer it, or end one; return a long pause if the clocks are stopped now."""
    if view.time is None:
        return None
    first, second = view.seats if env.rng.random() < 0.5 else tuple(reversed(view.seats))
    who, other = (env.population.person(seat.person.account) for seat in (first, second))
    channel, given = env.population.channel(view.channel), {"match": str(view.id)}
    if view.time.paused:
        await env.perform(who, "/resume", who.command("resume", given, channel=channel), view.id)
        return None
    await env.perform(who, "/pause", who.command("pause", given, channel=channel), view.id)
    env.metrics.counts["pauses offered"] += 1
    button = f"{env.rng.choice(['pause1', 'nopause1'])}:{view.id}"
    post = latest_button(channel, button)
    if post is None:
        return None
    await env.perform(other, f"presses {button}", other.click(*post), view.id)
    now = await env.view(view.id)
    return timedelta(days=9) if now.time is not None and now.time.paused else None


async def toggle_vacation(env: SoakEnvironment, who: Member, *, ending: bool) -> None:
    """Begin or end a vacation by the button of `/vacation`; it may already have ended by itself."""
    guild = env.population.random_guild(who, env.rng)
    channel = env.rng.choice(env.population.channels[guild.id])
    shown = await env.perform(who, "/vacation", who.command("vacation", channel=channel))
    button = "back1" if ending else "away1"
    if shown.failed or button not in {one.custom_id for one in shown.buttons}:
        return
    await env.perform(who, button, who.click(shown, button))
    env.metrics.counts["vacations ended" if ending else "vacations"] += 1
