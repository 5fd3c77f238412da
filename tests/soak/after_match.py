"""What may follow a match: a rematch, or a result that a moderator corrects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.soak import moderation
from tests.soak.matchmaking import OpenChallenge, find_challenge

if TYPE_CHECKING:
    from matches import MatchView
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
