"""The leaderboard of a guild."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import Matches, Person
from tests.bot.ratings.scenario import play_decided_match

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply


async def show_leaders(env: BotEnvironment, game: str | None = None) -> Reply:
    """Use /leaderboard."""
    return await env.bob.command("leaderboard", {"game": game}, channel=env.channel)


@pytest.mark.long
async def test_leaderboard_is_sorted_by_rating(env: BotEnvironment) -> None:
    await play_decided_match(env)
    reply = await show_leaders(env)
    assert reply.ephemeral
    assert reply.text.splitlines() == [
        "**Morelli: ratings here**, 2 players",
        "·  Alice 1662? ± 290 · one match",
        "·  Bob 1338? ± 290 · one match",
        "-# A question mark means provisional: the rating is less certain than ± 150.",
    ]
    assert not reply.buttons


@pytest.mark.long
async def test_established_ratings_are_ranked(env: BotEnvironment) -> None:
    await play_many_opponents(env, 1, matches=12)
    assert "1\\. **Alice** " in (await show_leaders(env)).text


@pytest.mark.long
async def test_leaderboard_of_an_unplayed_game_is_empty(env: BotEnvironment) -> None:
    await play_decided_match(env)
    assert "Nobody here has a rating in Morabaraba yet" in (await show_leaders(env, "morabaraba")).text


@pytest.mark.long
async def test_leaderboard_has_pages(env: BotEnvironment) -> None:
    await play_many_opponents(env, 16)
    first = await show_leaders(env)
    assert "Page 1 of 2" in first.text
    assert [button.label for button in first.buttons] == ["Next"]
    second = await env.bob.click(first, "Next")
    assert "Page 2 of 2" in second.text
    assert [button.label for button in second.buttons] == ["Back"]
    assert "Page 1 of 2" in (await env.bob.click(second, "Back")).text


@pytest.mark.long
async def test_leaderboard_excludes_players_of_other_servers(env: BotEnvironment) -> None:
    await play_decided_match(env)
    elsewhere = env.discord.guild("Elsewhere")
    eve = elsewhere.member("Eve")
    reply = await eve.command("leaderboard", {}, channel=elsewhere.channel("games"))
    assert "Nobody here has a rating in Morelli yet" in reply.text


async def play_many_opponents(env: BotEnvironment, people: int, *, matches: int = 1) -> None:
    """Store rated matches of Alice against many opponents in this guild; she loses every other one."""
    service, now = Matches(env.database), env.bot.now()
    server, channel = f"discord:{env.guild.id}", f"discord:{env.channel.id}"
    alice = Person(f"discord:{env.alice.id}", "Alice")
    for number in range(people * matches):
        other = Person(f"discord:{900 + number % people}", f"N{number % people}")
        step = await service.challenges.create(
            alice, to=other, server=server, channel=channel, game="morelli", now=now
        )
        view = (await service.challenges.accept(step.challenge.id, other, now=now)).match
        for _ in range(2):
            assert view.to_move is not None
            assert view.position is not None
            text = str(next(view.position.moves_with_prefix("")))
            view = (await service.play(view.id, view.to_move.person, [text], now=now)).match
        await service.resign(view.id, other if number % 2 else alice, now=now)
