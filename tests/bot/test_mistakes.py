"""The turning points of a finished match as tasks in Discord: private, with menus, also after a restart."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from matches import AnalysisStatus, MatchId, Mistake, find_mistakes
from tests.analyses import store_analysis
from tests.bot.environment import running_bot

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply

MATCH = MatchId(1)
MOVES = ("C1-D2", "A2-B3", "D1-E2", "A3-B4")
LOSSES = {2: 0.32, 3: 0.25, 4: 0.2}  # one of Alice, two of Bob


async def finish_match(env: BotEnvironment, status: AnalysisStatus = AnalysisStatus.COMPLETE) -> None:
    """Play a match of Alice and Bob, and store its analysis."""
    await env.start_match()
    for mover, text in zip((env.alice, env.bob) * 2, MOVES, strict=True):
        await env.move(mover, text)
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    await env.wait_until_idle()
    matches, now = env.bot.matches, env.bot.now()
    person = (await matches.view(MATCH, now=now)).seats[0].person
    await store_analysis(matches, MATCH, person, status=status, losses=LOSSES, has_tasks=True, now=now)


async def mistakes_of(env: BotEnvironment, player: int) -> tuple[Mistake, ...]:
    replay = await env.bot.matches.replay(MATCH, now=env.bot.now())
    return find_mistakes(replay, await env.bot.matches.game_analyses.get(replay), player)


async def open_mistakes(env: BotEnvironment, member: Member) -> Reply:
    replay = await member.command("replay", {"match": "1"}, channel=env.guild.channel("lounge"))
    analysis = await (await member.click(replay, "Analyse")).wait_until_complete()
    return await member.click(analysis, "Learn from the mistakes")


async def answer(member: Member, reply: Reply, value: str) -> Reply:
    """Give one answer with the menu of the open question or one of its buttons."""
    for menu in reply.selects:
        values = {option.value for option in menu.options}
        if value in values:
            return await member.select(reply, str(menu.placeholder), [value])
        if f"/{value[0]}" in values:  # the files of a large board
            inside = await member.select(reply, str(menu.placeholder), [f"/{value[0]}"])
            return await answer(member, inside, value)
    buttons = [str(one.custom_id) for one in reply.buttons]
    endings = (f":{value}", f".{value}")
    named = next(one for one in buttons if one.startswith("mistake1:") and one.endswith(endings))
    return await member.click(reply, named)


async def play(member: Member, reply: Reply, move: str) -> Reply:
    for cell in move.split("-"):
        reply = await answer(member, reply, cell)
    return reply


@pytest.mark.long
async def test_player_finds_better_turns_also_after_a_restart(env: BotEnvironment) -> None:
    await finish_match(env)
    first, second = await mistakes_of(env, 1)
    reply = await open_mistakes(env, env.bob)
    assert reply.ephemeral
    assert "Your mistake 1 of 2" in reply.content
    assert "In turn 2 you played **A2-B3**, and your chances of winning fell by 32 points." in reply.content
    labels = [button.label for button in reply.buttons]
    assert labels == ["Show the answer", "Mistakes of Alice"]

    reply = await play(env.bob, reply, "A2-B3")
    assert "Not yet." in reply.content
    assert "**A2-B3** is what was played. It loses 32 points" in reply.content
    reply = await env.bob.click(reply, "Try again")
    [better] = first.point.better
    start, target = better.split("-")
    reply = await answer(env.bob, reply, start)
    await env.bot.close()
    async with running_bot(env.discord, env.database) as bot:
        env.bot = bot
        reply = await answer(env.bob, reply, target)
        assert "Right!" in reply.content
        assert f"**{better}** is a good turn." in reply.content
        assert "Then perhaps" in reply.content
        reply = await env.bob.click(reply, "Next mistake")
        assert "Your mistake 2 of 2" in reply.content
        reply = await env.bob.click(reply, "Show the answer")
        assert f"A good turn is **{second.point.better[0]}**." in reply.content
        assert "That was the last one." in reply.content
        assert [button.label for button in reply.buttons] == ["Learn", "Mistakes of Alice"]
        assert (await bot.matches.view(MATCH, now=bot.now())).ply == len(MOVES)


@pytest.mark.long
@pytest.mark.parametrize("status", [AnalysisStatus.REFINING, AnalysisStatus.COMPLETE])
async def test_analysis_hides_what_gives_tasks_of_the_reader_away(
    env: BotEnvironment, status: AnalysisStatus
) -> None:
    await finish_match(env, status)
    eve = env.guild.member("Eve")
    for member, hidden in ((env.bob, [2, 4]), (env.alice, [3]), (eve, [])):
        replay = await member.command("replay", {"match": "1"}, channel=env.guild.channel("lounge"))
        analysis = await (await member.click(replay, "Analyse")).wait_until_complete()
        lines = [line for line in analysis.text.splitlines() if "Better: " in line]
        assert len(lines) == len(LOSSES)
        assert [int(line[0]) for line in lines if re.search(r" \|\|Better: .+\|\|$", line)] == hidden
        assert sum("||" in line for line in lines) == len(hidden)


@pytest.mark.long
async def test_other_readers_choose_a_player_if_they_may_see_the_match(env: BotEnvironment) -> None:
    await finish_match(env)
    eve = env.guild.member("Eve")
    reply = await open_mistakes(env, eve)
    assert "Alice: mistake 1 of 1" in reply.content
    reply = await eve.click(reply, "Mistakes of Bob")
    assert "Bob: mistake 1 of 2" in reply.content
    env.channel.hide_from(eve)
    assert "There is no match" in (await eve.click(reply, "Mistakes of Alice")).text


@pytest.mark.long
async def test_task_of_an_analysis_that_was_made_again_is_refused(env: BotEnvironment) -> None:
    await finish_match(env)
    reply = await open_mistakes(env, env.bob)
    async with env.database.transaction() as connection:
        await connection.exec_driver_sql("UPDATE game_analyses SET text = ''")
    assert "This task no longer exists" in (await env.bob.click(reply, "Show the answer")).text
