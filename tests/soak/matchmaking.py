"""Challenges of all games and options, to one person or to anybody, and the answers to them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine import GAMES
from engine.game import OptionError
from i18n.formatting import format_option_name
from matches import ChallengeId, ChallengeState
from tests.soak.population import latest_button

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from engine.game import Game, Option, OptionValue
    from i18n import Texts
    from matches import MatchId, MatchView
    from tests.discord_server import Channel, Member, Message
    from tests.soak.environment import SoakEnvironment


TIME_CONTROLS = (
    None,
    "2d per move",
    "3d per move",
    "5d per move",
    "7d + 1d per move, at most 14d",
    "30d in all",
)


@dataclass(frozen=True, slots=True)
class OpenChallenge:
    """A challenge that can be accepted; `to` is None where anybody may accept it."""

    challenge: ChallengeId
    by: Member
    to: Member | None
    channel: Channel


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


def random_terms(rng: Random) -> dict[str, Any]:
    """Return the terms of a challenge as a command takes them."""
    return {
        "time_control": rng.choice(TIME_CONTROLS),
        "time_out": rng.choice(["claim", "lost"]),
        "vacation": rng.random() < 0.8,
        "takeback": rng.random() < 0.8,
        "rated": rng.random() < 0.8,
    }


async def make_challenge(env: SoakEnvironment) -> OpenChallenge | None:
    """Challenge somebody, or anybody."""
    rng, population = env.rng, env.population
    guild = rng.choice([guild for guild in population.guilds if len(population.members[guild.id]) >= 2])
    by, other = rng.sample(population.members[guild.id], 2)
    to = None if rng.random() < 0.2 else other
    channel = rng.choice(population.channels[guild.id])
    options = random_options(rng, env.texts)
    colour = rng.choice([*map(str, GAMES[options["game"]].sides), "random"])
    known = len(channel.state.messages)
    given = {**options, **random_terms(rng), "colour": colour}
    reply = await env.command(by, "challenge", channel, opponent=to, **given)
    number = find_challenge(channel.state.messages[known:])
    if number is not None:
        env.count("challenges")
        return OpenChallenge(number, by, to, channel)
    if not reply.failed and reply.message is not None and reply.ephemeral:
        env.count("challenges refused")
    return None


async def offer_rematch(env: SoakEnvironment, view: MatchView) -> OpenChallenge | None:
    """Offer a rematch as one of the players; return its challenge if there is one."""
    channel = env.population.channel(view.channel)
    by, opponent = (env.population.person(seat.person.account) for seat in env.rng.sample(view.seats, 2))
    known = len(channel.state.messages)
    await env.command(by, "rematch", view)
    number = find_challenge(channel.state.messages[known:])
    if number is None:
        return None
    env.count("rematches offered")
    return OpenChallenge(number, by, opponent, channel)


def find_challenge(posts: Iterable[Message]) -> ChallengeId | None:
    """Return the number of the first challenge among the posts."""
    ids = (button.custom_id or "" for message in posts for button in message.buttons)
    number = next((one.partition(":")[2] for one in ids if one.startswith("accept1:")), None)
    return None if number is None else ChallengeId(int(number))


async def answer_challenge(env: SoakEnvironment, one: OpenChallenge) -> MatchId | None:
    """Accept, decline, withdraw or ignore a challenge; return the match if one began."""
    post = latest_button(one.channel, f"accept1:{one.challenge}")
    if post is None:
        return None
    others = env.population.members[env.population.guild_of(one.channel).id]
    taker = one.to or env.rng.choice([other for other in others if other is not one.by])
    drawn = env.rng.random()
    if drawn < 0.03:
        return None
    if drawn < 0.06:
        await env.click(one.by, (post[0], f"withdraw1:{one.challenge}"))
        return None
    if drawn < 0.09 and one.to is not None:
        await env.click(taker, (post[0], f"decline1:{one.challenge}"))
        return None
    await env.click(taker, post)
    found = await env.matches.challenges.find(one.challenge, now=env.now)
    if found.state is ChallengeState.ACCEPTED and found.match is not None:
        env.count("matches")
        return found.match
    return None
