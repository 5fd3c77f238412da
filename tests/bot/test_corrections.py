"""Results corrected or voided by managers of the guild, announced to both players."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import MatchId
from matches.ratings import history
from tests.bot.ratings.scenario import play_decided_match
from tests.discord_server import ActionNotPossible, Permission

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Message, Reply

CORRECTION_REASON = "Alice's cat resigned *for* her."


@pytest.fixture
async def resigned_match(env: BotEnvironment) -> Message:
    """Play a match in which Alice, Black, resigns; return the last post."""
    await env.start_match()
    reply = await env.alice.command("resign", {}, channel=env.channel)
    await env.alice.click(reply, "Resign")
    await env.wait_until_idle()
    return env.latest_message


async def correct_result(env: BotEnvironment, eve: Member, result: str, **options: str) -> Reply:
    """Use /correct as Eve."""
    values = {"match": "1", "result": result, "reason": CORRECTION_REASON, **options}
    return await eve.command("correct", values, channel=env.channel)


async def test_correction_post_tells_both_players_who_corrected_and_why(
    env: BotEnvironment, eve: Member, resigned_match: Message
) -> None:
    reply = await correct_result(env, eve, "black")
    assert not reply.ephemeral
    assert reply.shown.id > resigned_match.id
    assert "has corrected the result of Morelli #1" in reply.text
    assert "**Black (Alice) wins**" in reply.text
    assert r"Alice's cat resigned \*for\* her." in reply.text
    assert eve.mention in reply.text
    assert env.alice.pings[-1] is reply.message
    assert env.bob.pings[-1] is reply.message
    assert eve.pings == []


@pytest.mark.long
@pytest.mark.usefixtures("resigned_match")
async def test_moderator_cannot_correct_their_own_match(env: BotEnvironment, eve: Member) -> None:
    env.channel.allow(env.alice, Permission.MANAGE_GUILD)
    before = len(env.channel.messages)
    reply = await correct_result(env, env.alice, "black")
    assert "You play in Morelli vs Bob (#1), so another moderator has to correct it" in reply.text
    assert reply.ephemeral
    assert len(env.channel.messages) == before
    listed = [
        await who.autocomplete("correct", {"match": ""}, focused="match", channel=env.channel)
        for who in (env.alice, eve)
    ]
    assert [len(choices) for choices in listed] == [0, 1]


async def test_correction_is_shown_with_the_match(
    env: BotEnvironment, eve: Member, resigned_match: Message
) -> None:
    assert "White (Bob) wins" in resigned_match.text
    await correct_result(env, eve, "draw")
    board = await env.bob.command("board", {"match": "1"}, channel=env.channel)
    assert "It is a draw. A moderator corrected the result. Eve wrote on" in board.text


async def test_result_can_be_voided(env: BotEnvironment, eve: Member, resigned_match: Message) -> None:
    reply = await correct_result(env, eve, "none")
    assert reply.shown.id > resigned_match.id
    assert "has voided the result of Morelli #1" in reply.text
    board = await env.bob.command("board", {"match": "1"}, channel=env.channel)
    assert "A moderator voided the result." in board.text


async def test_correction_is_posted_in_the_channel_of_the_match(
    env: BotEnvironment, eve: Member, resigned_match: Message
) -> None:
    office = env.guild.channel("office")
    office.allow(eve, Permission.MANAGE_GUILD)
    values = {"match": "1", "result": "draw", "reason": CORRECTION_REASON}
    reply = await eve.command("correct", values, channel=office)
    assert reply.ephemeral
    assert reply.text == f"Done. See <#{env.channel.id}>."
    await env.wait_until_idle()
    assert office.messages == []
    assert env.latest_message.id > resigned_match.id
    assert "**Draw**" in env.latest_message.text
    assert env.bob.pings[-1] is env.latest_message


@pytest.mark.long
async def test_failed_correction_post_is_sent_later_once(
    env: BotEnvironment, eve: Member, resigned_match: Message
) -> None:
    env.discord.faults.drop("POST", "/interactions/**")
    reply = await correct_result(env, eve, "draw")
    assert "**was** saved" in reply.text
    for _ in range(2):
        env.discord.advance(25)
        await env.bot.outbox.run_once()
    (post,) = [one for one in env.channel.messages if one.id > resigned_match.id]
    assert "**Draw**" in post.text


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"result": "white"}, "already has that result"),
        ({"result": "red"}, "red is not a result in this match"),
        ({"result": "draw", "match": "7"}, "There is no match #7"),
        ({"result": "draw", "reason": "  "}, "at most 300 characters"),
    ],
)
async def test_invalid_correction_is_refused_in_private(
    env: BotEnvironment, eve: Member, resigned_match: Message, options: dict[str, str], expected: str
) -> None:
    reply = await correct_result(env, eve, **options)
    assert expected in reply.text
    assert reply.ephemeral
    assert env.latest_message is resigned_match


@pytest.mark.long
async def test_correction_is_refused_during_the_match(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await env.advance_time(days=29)
    assert (
        "under way. You can end it with /correct once nobody has played in it for 30 days"
        in (await correct_result(env, eve, "draw")).text
    )


@pytest.mark.long
@pytest.mark.parametrize(
    ("result", "expected"), [("black", "**Black (Alice) wins**"), ("none", "**No result**")]
)
async def test_moderator_ends_an_abandoned_match(
    env: BotEnvironment, eve: Member, result: str, expected: str
) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    await env.move(env.bob, "A2-B3")
    await env.advance_time(days=31)
    reply = await correct_result(env, eve, result)
    assert "has ended Morelli #1, in which nobody had played for 30 days. It is not rated." in reply.text
    assert expected in reply.text
    assert env.alice.pings[-1] is env.bob.pings[-1] is reply.message
    board = await env.bob.command("board", {"match": "1"}, channel=env.channel)
    assert ("stopped playing, so the win is not rated" if result == "black" else "voided") in board.text
    assert "is over" in (await env.move(env.alice, "E1-F2", match="1")).text


@pytest.mark.long
async def test_correction_is_refused_for_a_match_of_another_server(
    env: BotEnvironment, resigned_match: Message
) -> None:
    other = env.discord.guild("Cafe")
    channel, zoe = other.channel("games"), other.member("Zoe")
    channel.allow(zoe, Permission.MANAGE_GUILD)
    values = {"match": "1", "result": "perhaps", "reason": CORRECTION_REASON}
    assert "There is no match #1" in (await zoe.command("correct", values, channel=channel)).text
    for focused in ("match", "result"):
        found = await zoe.autocomplete("correct", {"match": "1"}, focused=focused, channel=channel)
        assert found == []
    assert env.latest_message is resigned_match


@pytest.mark.long
async def test_matches_and_results_are_suggested(
    env: BotEnvironment, eve: Member, resigned_match: Message
) -> None:
    assert "White (Bob) wins" in resigned_match.text
    await env.start_match()
    found = await eve.autocomplete("correct", {}, focused="match", channel=env.channel)
    assert [one.name for one in found] == ["Morelli: Alice \u2013 Bob (#1)"]
    found = await eve.autocomplete("correct", {"match": "1"}, focused="result", channel=env.channel)
    assert [one.name for one in found] == ["Black (Alice) wins", "White (Bob) wins", "Draw", "No result"]
    assert [one.value for one in found] == ["black", "white", "draw", "none"]


async def test_only_managers_can_correct(env: BotEnvironment, resigned_match: Message) -> None:
    with pytest.raises(ActionNotPossible, match="no command /correct"):
        await correct_result(env, env.alice, "draw")
    for one in env.discord.commands:
        one["default_member_permissions"] = None
    assert "Manage Server" in (await correct_result(env, env.alice, "draw")).text
    for focused in ("match", "result"):
        found = await env.alice.autocomplete("correct", {"match": "1"}, focused=focused, channel=env.channel)
        assert found == []
    view = await env.bot.matches.view(MatchId(1), now=env.bot.now())
    assert view.result is not None
    assert view.result.correction is None
    assert env.latest_message is resigned_match


@pytest.mark.long
async def test_ratings_say_that_they_are_recomputed_until_they_are(
    env: BotEnvironment, eve: Member, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "BATCH_SIZE", 1)
    for _ in range(3):
        await play_decided_match(env)
    await correct_result(env, eve, "none")
    for command in ("leaderboard", "profile"):
        reply = await env.alice.command(command, {}, channel=env.channel)
        assert "ratings in Morelli are being recomputed" in reply.text
    assert "are being recomputed" in (await play_decided_match(env)).content
    await env.bot.outbox.run_once()
    reply = await env.alice.command("leaderboard", {}, channel=env.channel)
    assert "recomputed" not in reply.text
    assert "Alice 1753? ± 243 · 3 matches" in reply.text
    assert await env.bot.matches.ratings.audit() == {}
