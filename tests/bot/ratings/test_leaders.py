"""The ratings of those who play on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matches import Matches, Person
from tests.bot.ratings.scenario import play_decided_match

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Reply


async def show_leaders(env: BotEnvironment, game: str | None = None) -> Reply:
    return await env.bob.command("leaderboard", {"game": game}, channel=env.channel)


async def test_best_come_first(env: BotEnvironment) -> None:
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


async def test_established_ratings_have_a_place(env: BotEnvironment) -> None:
    await play_many_opponents(env, 1, matches=12)
    assert "1\\. **Alice** " in (await show_leaders(env)).text


async def test_nobody_leads_at_a_game_that_nobody_has_played(env: BotEnvironment) -> None:
    await play_decided_match(env)
    assert "Nobody here has a rating in Morabaraba yet" in (await show_leaders(env, "morabaraba")).text


async def test_pages_are_turned(env: BotEnvironment) -> None:
    await play_many_opponents(env, 16)
    first = await show_leaders(env)
    assert "Page 1 of 2" in first.text
    assert [button.label for button in first.buttons] == ["Next"]
    second = await env.bob.click(first, "Next")
    assert "Page 2 of 2" in second.text
    assert [button.label for button in second.buttons] == ["Back"]
    assert "Page 1 of 2" in (await env.bob.click(second, "Back")).text


async def test_other_servers_ratings_are_not_shown(env: BotEnvironment) -> None:
    await play_decided_match(env)
    elsewhere = env.discord.guild("Elsewhere")
    eve = elsewhere.member("Eve")
    reply = await eve.command("leaderboard", {}, channel=elsewhere.channel("games"))
    assert "Nobody here has a rating in Morelli yet" in reply.text


async def play_many_opponents(env: BotEnvironment, people: int, *, matches: int = 1) -> None:
    """Have Alice play a crowd on this server, each so many times, and lose every other match."""
    house, now = Matches(env.database), env.bot.now()
    server, place = f"discord:{env.guild.id}", f"discord:{env.channel.id}"
    alice = Person(f"discord:{env.alice.id}", "Alice")
    for number in range(people * matches):
        other = Person(f"discord:{900 + number % people}", f"N{number % people}")
        step = await house.challenge(alice, to=other, server=server, channel=place, game="morelli", now=now)
        view = (await house.accept(step.challenge.id, other, now=now)).match
        for _ in range(2):
            assert view.to_move is not None
            assert view.position is not None
            text = str(next(view.position.moves_with_prefix("")))
            view = (await house.play(view.id, view.to_move.person, [text], now=now)).match
        await house.resign(view.id, other if number % 2 else alice, now=now)
