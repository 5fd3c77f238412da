"""What may follow a match: a rematch, a corrected result, a look at it after it was packed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.soak import moderation
from tests.soak.matchmaking import OpenChallenge, find_challenge

if TYPE_CHECKING:
    from matches import MatchId, MatchView
    from tests.soak.environment import SoakEnvironment


async def offer_rematch(env: SoakEnvironment, view: MatchView) -> OpenChallenge | None:
    """Offer a rematch as one of the players; return its challenge if there is one."""
    rng, channel = env.rng, env.population.channel(view.channel)
    first, second = rng.sample(view.seats, 2)
    person, opponent = (env.population.person(seat.person.account) for seat in (first, second))
    known = len(channel.state.messages)
    await env.perform(
        person, "/rematch", person.command("rematch", {"match": str(view.id)}, channel=channel), view.id
    )
    number = find_challenge(channel.state.messages[known:])
    if number is None:
        return None
    env.metrics.counts["rematches offered"] += 1
    return OpenChallenge(number, person, opponent, channel, env.population.guild_of(channel).id)


async def look_back(env: SoakEnvironment, match: MatchId) -> None:
    """View and replay a match that has been over for long, and perhaps correct its result."""
    view = await env.view(match)
    if not env.population.channel_exists(view.channel):
        return
    who, channel = env.population.person(view.seats[0].person.account), env.population.channel(view.channel)
    for command in ("board", "replay"):
        action = who.command(command, {"match": str(match)}, channel=channel)
        await env.perform(who, f"/{command}", action, match)
    env.metrics.counts["old matches viewed"] += 1
    if env.rng.random() < 0.2:
        await correct_result(env, view)


async def correct_result(env: SoakEnvironment, view: MatchView) -> None:
    """Correct the result of a match, or void it, as a moderator."""
    channel = env.population.channel(view.channel)
    moderator = moderation.moderator(env, env.population.guild_of(channel))
    results = [*(seat.side.value for seat in view.seats), "draw", "none"]
    result = env.rng.choice(results)
    given = {"match": str(view.id), "result": result, "reason": "They had agreed on it."}
    reply = await env.perform(
        moderator, f"/correct {result}", moderator.command("correct", given, channel=channel), view.id
    )
    env.metrics.counts["corrections"] += not (reply.failed or reply.ephemeral)
