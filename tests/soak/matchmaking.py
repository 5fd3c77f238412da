"""Challenges of all games and options, to somebody or to anybody, and what becomes of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine import GAMES
from matches import ChallengeId, ChallengeState
from tests.soak.cast import latest
from tests.soak.timing import some_terms

if TYPE_CHECKING:
    from collections.abc import Iterable
    from random import Random

    from matches import MatchId
    from tests.discord_server import Channel, Member, Message
    from tests.soak.stage import Stage

START = {
    "nestor": ("facing", "adjacent", "free", "fists"),
    "2015": ("random", "pairs"),
    "mindsports": ("random", "pairs"),
}
MUTATORS = "abcde"


@dataclass(frozen=True, slots=True)
class Asked:
    """A challenge that stands: who made it, to whom, where."""

    challenge: ChallengeId
    by: Member
    to: Member | None
    channel: Channel
    guild: int


def some_options(chance: Random) -> dict[str, str]:
    """Give a game and its options, as they are typed; small boards more often."""
    game = chance.choice(list(GAMES))
    if game == "morelli":
        edition = chance.choice(list(START))
        start, size = chance.choice(START[edition]), chance.choice(["9", "9", "11", "13"])
        return {"game": game, "edition": edition, "board": size, "start": start}
    if game == "morphos":
        letters = "".join(letter for letter in MUTATORS if chance.random() < 0.3)
        size = chance.choice(["5", "6", "7", "9", "13"])
        return {"game": game, "board": size} | ({"mutators": letters} if letters else {})
    return {"game": game, "men": chance.choice(["11", "12"])}


async def challenge(stage: Stage) -> Asked | None:
    """Challenge somebody, or anybody."""
    chance, cast = stage.chance, stage.cast
    guild = chance.choice(cast.guilds)
    by, other = chance.sample(cast.members[guild.id], 2)
    to = None if chance.random() < 0.2 else other
    channel = chance.choice(cast.channels[guild.id])
    options = some_options(chance)
    sides = GAMES[options["game"]].sides
    given = (
        options | some_terms(chance) | {"colour": chance.choice([str(side) for side in sides] + ["random"])}
    )
    known = len(channel.state.messages)
    reply = await stage.do(
        by,
        f"/challenge {other.name if to else 'anybody'} {given}",
        by.command("challenge", {**given, "opponent": to}, channel=channel),
    )
    number = asked_in(channel.state.messages[known:])
    if number is not None:
        stage.figures.deeds["challenges"] += 1
        return Asked(number, by, to, channel, guild.id)
    if not reply.failed and reply.message is not None and reply.ephemeral:
        stage.figures.deeds["challenges refused or lost"] += 1
    return None


def asked_in(posts: Iterable[Message]) -> ChallengeId | None:
    """Give the challenge that one of these posts makes."""
    for message in posts:
        for button in message.buttons:
            if (button.custom_id or "").startswith("accept1:"):
                return ChallengeId(int((button.custom_id or "").partition(":")[2]))
    return None


async def answer(stage: Stage, asked: Asked) -> MatchId | None:
    """Accept, decline, withdraw or forget a challenge; give the match that began."""
    post = latest(asked.channel, f"accept1:{asked.challenge}")
    if post is None:
        return None
    chance = stage.chance
    others = [one for one in stage.cast.members[asked.guild] if one is not asked.by]
    taker, drawn = asked.to or chance.choice(others), chance.random()
    if drawn < 0.03:
        return None
    if drawn < 0.06:
        await stage.do(asked.by, "withdraws", asked.by.click(post[0], f"withdraw1:{asked.challenge}"))
        return None
    if drawn < 0.09 and asked.to is not None:
        await stage.do(taker, "declines", taker.click(post[0], f"decline1:{asked.challenge}"))
        return None
    await stage.do(taker, f"accepts {asked.challenge}", taker.click(*post))
    found = await stage.eye.find_challenge(asked.challenge, now=stage.now)
    if found.state is ChallengeState.ACCEPTED and found.match is not None:
        stage.figures.deeds["matches"] += 1
        return found.match
    return None
