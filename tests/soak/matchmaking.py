"""Challenges of all games and options, to somebody or to anybody, and what becomes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import GAMES
from matches import ChallengeId, ChallengeState
from tests.soak.clock_actions import random_terms
from tests.soak.population import latest_button

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from matches import MatchId
    from tests.discord_server import Channel, Member, Message
    from tests.soak.environment import SoakEnvironment

START_MODES = {
    "nestor": ("facing", "adjacent", "free", "fists"),
    "2015": ("random", "pairs"),
    "mindsports": ("random", "pairs"),
}
MUTATORS = "abcde"


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A challenge that stands: who made it, to whom, where."""

    challenge: ChallengeId
    by: Member
    to: Member | None
    channel: Channel
    guild: int


def random_options(rng: Random) -> dict[str, str]:
    """Return a game and its options, as they are typed; small boards more often."""
    game = rng.choice(list(GAMES))
    if game == "morelli":
        edition = rng.choice(list(START_MODES))
        start, size = rng.choice(START_MODES[edition]), rng.choice(["9", "9", "11", "13"])
        return {"game": game, "edition": edition, "board": size, "start": start}
    if game == "morphos":
        letters = "".join(letter for letter in MUTATORS if rng.random() < 0.3)
        size = rng.choice(["5", "6", "7", "9", "13"])
        return {"game": game, "board": size} | ({"mutators": letters} if letters else {})
    return {"game": game, "men": rng.choice(["11", "12"])}


async def make_challenge(env: SoakEnvironment) -> OpenChallenge | None:
    """Challenge somebody, or anybody."""
    rng, cast = env.rng, env.population
    guild = rng.choice(cast.guilds)
    by, other = rng.sample(cast.members[guild.id], 2)
    to = None if rng.random() < 0.2 else other
    channel = rng.choice(cast.channels[guild.id])
    options = random_options(rng)
    sides = GAMES[options["game"]].sides
    given = options | random_terms(rng) | {"colour": rng.choice([str(side) for side in sides] + ["random"])}
    known = len(channel.state.messages)
    reply = await env.perform(
        by,
        f"/challenge {other.name if to else 'anybody'} {given}",
        by.command("challenge", {**given, "opponent": to}, channel=channel),
    )
    number = find_challenge(channel.state.messages[known:])
    if number is not None:
        env.metrics.counts["challenges"] += 1
        return OpenChallenge(number, by, to, channel, guild.id)
    if not reply.failed and reply.message is not None and reply.ephemeral:
        env.metrics.counts["challenges refused or lost"] += 1
    return None


def find_challenge(posts: Iterable[Message]) -> ChallengeId | None:
    """Return the challenge that one of these posts makes."""
    for message in posts:
        for button in message.buttons:
            if (button.custom_id or "").startswith("accept1:"):
                return ChallengeId(int((button.custom_id or "").partition(":")[2]))
    return None


async def answer_challenge(env: SoakEnvironment, open_challenge: OpenChallenge) -> MatchId | None:
    """Accept, decline, withdraw or forget a challenge; give the match that began."""
    post = latest_button(open_challenge.channel, f"accept1:{open_challenge.challenge}")
    if post is None:
        return None
    rng = env.rng
    others = [one for one in env.population.members[open_challenge.guild] if one is not open_challenge.by]
    taker, drawn = open_challenge.to or rng.choice(others), rng.random()
    if drawn < 0.03:
        return None
    if drawn < 0.06:
        await env.perform(
            open_challenge.by,
            "withdraws",
            open_challenge.by.click(post[0], f"withdraw1:{open_challenge.challenge}"),
        )
        return None
    if drawn < 0.09 and open_challenge.to is not None:
        await env.perform(taker, "declines", taker.click(post[0], f"decline1:{open_challenge.challenge}"))
        return None
    await env.perform(taker, f"accepts {open_challenge.challenge}", taker.click(*post))
    found = await env.matches.challenges.find(open_challenge.challenge, now=env.now)
    if found.state is ChallengeState.ACCEPTED and found.match is not None:
        env.metrics.counts["matches"] += 1
        return found.match
    return None
