"""Challenges of all games and options, to one person or to anybody, and the answers to them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import GAMES
from engine.game import OptionError
from i18n.formatting import format_option_name
from matches import ChallengeId, ChallengeState
from tests.soak.clock_actions import random_terms
from tests.soak.population import latest_button

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from engine.game import Game, Option, OptionValue
    from i18n import Texts
    from matches import MatchId
    from tests.discord_server import Channel, Member, Message
    from tests.soak.environment import SoakEnvironment


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A challenge that can be accepted; `to` is None where anybody may accept it."""

    challenge: ChallengeId
    by: Member
    to: Member | None
    channel: Channel
    guild: int


def random_options(rng: Random, texts: Texts) -> dict[str, str]:
    """Return a game and values for all its options as a command takes them; small numbers more often."""
    game = rng.choice(list(GAMES.values()))
    while True:
        options = {
            option.name: _random_value(rng, game, option) for option in game.options if not option.is_random
        }
        with suppress(OptionError):
            game.complete_options(**options)
            break
    named = {format_option_name(texts, name): str(value) for name, value in options.items()}
    return {"game": game.name, **named}


def _random_value(rng: Random, game: Game, option: Option) -> OptionValue:
    values = list(game.option_values(option))
    one, other = rng.choice(values), rng.choice(values)
    return min(one, other) if isinstance(one, int) and isinstance(other, int) else one


async def make_challenge(env: SoakEnvironment) -> OpenChallenge | None:
    """Challenge somebody, or anybody."""
    rng, population = env.rng, env.population
    guild = rng.choice([guild for guild in population.guilds if len(population.members[guild.id]) >= 2])
    by, other = rng.sample(population.members[guild.id], 2)
    to = None if rng.random() < 0.2 else other
    channel = rng.choice(population.channels[guild.id])
    options = random_options(rng, env.texts)
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
        env.metrics.counts["challenges refused"] += 1
    return None


def find_challenge(posts: Iterable[Message]) -> ChallengeId | None:
    """Return the number of the first challenge among the posts."""
    for message in posts:
        for button in message.buttons:
            if (button.custom_id or "").startswith("accept1:"):
                return ChallengeId(int((button.custom_id or "").partition(":")[2]))
    return None


async def answer_challenge(env: SoakEnvironment, open_challenge: OpenChallenge) -> MatchId | None:
    """Accept, decline, withdraw or ignore a challenge; return the match if one began."""
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
