"""``/watch`` and ``/unwatch``: following matches by direct message."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import pytest

from tests.bot.environment import running_bot
from tests.discord_server.waiting import PATIENCE

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply


@pytest.fixture
def eve(env: BotEnvironment) -> Member:
    """Return Eve, a member who does not play."""
    return env.guild.member("Eve")


async def follow_match(env: BotEnvironment, person: Member, **options: str) -> Reply:
    """Use /watch."""
    return await person.command("watch", options, channel=env.channel)


async def direct_messages(env: BotEnvironment, person: Member) -> list[str]:
    """Return the texts of the direct messages since a person followed their first match."""
    await env.wait_until_idle()
    await env.bot.outbox.run_once()
    return [message.text for message in person.dms if not message.ephemeral][1:]


@pytest.mark.long
async def test_first_message_confirms_following(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    reply = await follow_match(env, eve)
    name = "Morelli: Alice \u2013 Bob (#1)"
    assert reply.text == f"You are watching {name}. You get a message every turn. Stop with /unwatch."
    assert reply.ephemeral
    (hello,) = eve.dms
    assert hello.text == "You are watching Morelli: Alice \u2013 Bob (#1). You get a message here every turn."
    assert [button.label for button in hello.buttons] == ["Stop watching"]


@pytest.mark.long
async def test_each_turn_is_sent_with_a_picture(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await follow_match(env, eve)
    await env.move(env.alice, "C1-D2")
    (text,) = await direct_messages(env, eve)
    assert "**Morelli #1**: Alice (Black) \u2013 Bob (White)" in text
    assert "Black C1-D2. Bob (White) to play." in text
    message = eve.dms[-1]
    assert "Black C1-D2" in (message.attachments[0].description or "")
    assert [button.label for button in message.buttons] == ["My view", "Stop watching", "Go to the match"]
    assert eve.pings == []
    assert len(env.bob.pings) == 2  # of the challenge and of the turn


@pytest.mark.long
async def test_board_can_be_viewed_from_the_message(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await follow_match(env, eve)
    await env.move(env.alice, "C1-D2")
    await direct_messages(env, eve)
    reply = await eve.click(eve.dms[-1], "My view")
    assert reply.ephemeral
    assert "Black C1-D2. Bob (White) to play." in reply.text


@pytest.mark.long
async def test_followed_turn_takes_the_player_one_request(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await follow_match(env, eve)
    await env.wait_until_idle()
    before = len(env.request_routes())
    await env.move(env.alice, "C1-D2")
    await env.wait_until_idle()
    assert [one.split()[0] for one in env.request_routes()[before:]] == ["POST"]


@pytest.mark.long
async def test_end_of_the_match_is_the_last_message(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await follow_match(env, eve, when="at the end")
    await env.move(env.alice, "C1-D2")
    assert await direct_messages(env, eve) == []
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    (text,) = await direct_messages(env, eve)
    assert "Black (Alice) wins. Bob resigns." in text
    assert [button.label for button in eve.dms[-1].buttons] == ["My view", "Go to the match"]
    assert "You are not watching any match" in (await eve.command("unwatch", {}, channel=eve.dm)).text


@pytest.mark.long
async def test_picks_are_hidden_from_followers(env: BotEnvironment, eve: Member) -> None:
    fists = await env.start_match(start="fists")
    await follow_match(env, eve)
    picks = await env.alice.click(fists, "Close your fists")
    await env.alice.click(picks, picks.buttons[0].label or "")
    assert await direct_messages(env, eve) == []
    picks = await env.bob.click(fists, "Close your fists")
    await env.bob.click(picks, picks.buttons[0].label or "")
    (text,) = await direct_messages(env, eve)
    assert "to play" in text


@pytest.mark.long
async def test_player_who_follows_gets_only_the_turns_of_the_opponent(env: BotEnvironment) -> None:
    await env.start_match()
    await follow_match(env, env.bob)
    await env.move(env.alice, "C1-D2")
    await env.move(env.bob, "A2-B3")
    (text,) = await direct_messages(env, env.bob)
    assert "Black C1-D2" in text


@pytest.mark.long
async def test_unwatch_button_ends_following(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await follow_match(env, eve)
    reply = await eve.click(eve.dms[0], "Stop watching")
    assert reply.text == "You no longer watch match #1."
    await env.move(env.alice, "C1-D2")
    assert await direct_messages(env, eve) == []
    assert "You are not watching Match #1." in (await eve.click(eve.dms[0], "Stop watching")).text


@pytest.mark.long
async def test_unwatch_command_takes_a_match_or_lists_them(env: BotEnvironment, eve: Member) -> None:
    for number in ("1", "2", "3"):
        await env.start_match()
        await follow_match(env, eve, match=number, when="once a day" if number == "2" else "every turn")
    choices = await eve.autocomplete("unwatch", {"match": ""}, focused="match", channel=eve.dm)
    assert [choice.value for choice in choices] == ["1", "2", "3"]
    assert (
        "You no longer watch match #3."
        in (await eve.command("unwatch", {"match": "3"}, channel=env.channel)).text
    )
    listed = await eve.command("unwatch", {}, channel=eve.dm)
    assert "**Matches you watch**\n[Morelli: Alice \u2013 Bob (#1)](" in listed.text
    assert "(#1)](" in listed.text
    assert "once a day" in listed.text
    left = await eve.select(listed, "Stop watching", ["1"])
    assert "(#1)]" not in left.text
    assert "(#2)]" in left.text
    assert "You are not watching any match." in (await eve.select(left, "Stop watching", ["2"])).text


@pytest.mark.long
async def test_long_list_of_watched_matches_has_pages(env: BotEnvironment, eve: Member) -> None:
    for person in (env.alice, env.bob):
        person.user.name = "_*" * 16
    for number in range(1, 9):
        await env.start_match()
        await follow_match(env, eve, match=str(number))
    first = await eve.command("unwatch", {}, channel=env.channel)
    assert "(#6)" in first.text
    assert "Page 1 of 2" in first.text
    second = await eve.click(first, "Next")
    assert "(#8)" in second.text
    await eve.select(second, "Stop watching", ["8"])
    assert "(#8)" not in (await eve.click(second, "Next")).text


@pytest.mark.long
async def test_following_is_refused_if_dms_are_closed(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    eve.close_dms()
    reply = await follow_match(env, eve)
    assert "Discord did not let me send you a direct message" in reply.text
    assert reply.ephemeral
    assert "You are not watching any match." in (await eve.command("unwatch", {}, channel=env.channel)).text


@pytest.mark.long
async def test_following_ends_when_dms_are_closed(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await follow_match(env, eve)
    eve.close_dms()
    await env.move(env.alice, "C1-D2")
    assert await direct_messages(env, eve) == []
    eve.open_dms()
    assert await direct_messages(env, eve) == []
    assert "You are not watching any match." in (await eve.command("unwatch", {}, channel=env.channel)).text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"match": "7"}, "There is no match #7 on this server."),
        ({"match": "seven"}, "seven is not a match number."),
        (
            {"when": "hourly"},
            "hourly is not a notification setting. Choose every turn, once a day or at the end.",
        ),
    ],
)
async def test_invalid_arguments_are_refused(
    env: BotEnvironment, eve: Member, options: dict[str, str], sentence: str
) -> None:
    await env.start_match()
    assert sentence in (await follow_match(env, eve, **options)).text
    assert eve.dms == []


@pytest.mark.long
async def test_one_of_several_matches_must_be_named(env: BotEnvironment, eve: Member) -> None:
    assert "No match is under way in this channel." in (await follow_match(env, eve)).text
    await env.start_match()
    await env.start_match()
    assert "You have several matches here" in (await follow_match(env, eve)).text
    choices = await eve.autocomplete("watch", {"match": "2"}, focused="match", channel=env.channel)
    assert [(choice.name, choice.value) for choice in choices] == [("Morelli: Alice \u2013 Bob (#2)", "2")]
    ways = await eve.autocomplete("watch", {"when": ""}, focused="when", channel=env.channel)
    assert [choice.name for choice in ways] == ["every turn", "once a day", "at the end"]


@pytest.mark.long
async def test_finished_or_hidden_matches_cannot_be_followed(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await env.bob.click(await env.bob.command("resign", {}, channel=env.channel), "Resign")
    assert "Morelli #1 is over" in (await follow_match(env, eve, match="1")).text
    hidden = env.guild.channel("hidden")
    hidden.hide_from(eve)
    asked = {"opponent": env.bob, "board": "9", "start": "facing"}
    await env.bob.click(await env.alice.command("challenge", asked, channel=hidden), "Accept")
    assert "There is no match #2 on this server." in (await follow_match(env, eve, match="2")).text


@pytest.mark.long
async def test_digest_is_sent_once_a_day(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await env.start_match()
    await follow_match(env, eve, match="1", when="daily")
    await follow_match(env, eve, match="2", when="daily")
    await env.move(env.alice, "C1-D2", match="1")
    await env.move(env.bob, "A2-B3", match="1")
    await env.advance_time(days=1)
    (text,) = (await direct_messages(env, eve))[1:]
    assert "**Matches you watch: the last day**\n[**Morelli: Alice \u2013 Bob (#1)**](" in text
    assert ", 2 moves: White A2-B3. Alice (Black) to play." in text
    assert "Morelli #2" not in text
    listed = await eve.click(eve.dms[-1], "Matches I watch")
    assert "once a day" in listed.text
    await env.advance_time(days=1)
    assert len(await direct_messages(env, eve)) == 2


@pytest.mark.long
async def test_lost_message_is_sent_later_once(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await follow_match(env, eve)
    await env.move(env.alice, "C1-D2")
    with env.discord.faults.refuse("POST", f"/channels/{eve.dm.id}/messages", status=503, times=None):
        assert await direct_messages(env, eve) == []
    await env.advance_time(minutes=1)
    assert len(eve.dms) == 2
    await env.advance_time(minutes=5)
    assert len(eve.dms) == 2


@pytest.mark.long
async def test_message_with_a_lost_response_is_not_repeated(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await follow_match(env, eve)
    await env.move(env.alice, "C1-D2")
    await env.wait_until_idle()
    route = f"/channels/{eve.dm.id}/messages"
    with env.discord.faults.drop("POST", route, after_processing=True, times=None) as fault:
        await env.bot.outbox.run_once()
    assert fault.hits > 0
    before = len(eve.dms)
    assert before > 1
    for _ in range(3):
        await env.advance_time(hours=2)
    assert len(eve.dms) == before


@pytest.mark.long
async def test_due_message_is_sent_after_a_restart_by_one_of_two_bots(
    env: BotEnvironment, eve: Member
) -> None:
    await env.start_match()
    await follow_match(env, eve)
    await env.move(env.alice, "C1-D2")
    await env.wait_until_idle()
    async with running_bot(env.discord, env.database) as other:
        await other.outbox.run_once()
        await env.bot.outbox.run_once()
    assert len(eve.dms) == 2


async def leave(env: BotEnvironment, person: Member) -> None:
    """Leave the server."""
    del env.guild.state.members[person.id]


async def lose_sight(env: BotEnvironment, person: Member) -> None:
    """Lose sight of the channel."""
    told = asyncio.create_task(env.bot.wait_for("guild_channel_update", timeout=PATIENCE))
    await asyncio.sleep(0)  # the task begins to listen
    env.channel.hide_from(person)
    await told


@pytest.mark.long
@pytest.mark.parametrize(
    ("end_access", "count"),
    [
        pytest.param(leave, 0, id="leave"),  # Discord lets a bot write only to members of its servers
        pytest.param(lose_sight, 1, id="lose_sight"),
    ],
)
@pytest.mark.parametrize("interest", ["every turn", "once a day"])
async def test_following_ends_with_access_and_says_so_once(
    env: BotEnvironment,
    eve: Member,
    end_access: Callable[[BotEnvironment, Member], Any],
    count: int,
    interest: str,
) -> None:
    await env.start_match()
    await follow_match(env, eve, when=interest)
    await env.move(env.alice, "C1-D2")
    if interest == "every turn":
        assert len(await direct_messages(env, eve)) == 1
    await end_access(env, eve)
    before = len(eve.dms)
    await env.move(env.bob, "A2-C2")
    await env.move(env.alice, "D1-I6")
    await env.wait_until_idle()
    for _ in range(2):
        await env.advance_time(days=1)
    told = [(message.text, message.attachments) for message in eve.dms[before:]]
    sentence = "You no longer watch match #1, because you cannot see its channel any more."
    assert told == [(sentence, [])] * count
    assert await env.bot.matches.people.following.list_followed(f"discord:{eve.id}") == ()
    for message in eve.dms:
        for label in ("My view",) * any(one.label == "My view" for one in message.buttons):
            assert "There is no match #1" in (await eve.click(message, label)).text


@pytest.mark.long
async def test_list_of_watched_matches_leaves_out_what_is_hidden(env: BotEnvironment, eve: Member) -> None:
    await env.start_match()
    await follow_match(env, eve)
    elsewhere = env.guild.channel("elsewhere")
    await lose_sight(env, eve)
    assert await eve.autocomplete("unwatch", {"match": ""}, focused="match", channel=elsewhere) == []
    reply = await eve.command("unwatch", {}, channel=elsewhere)
    assert "You no longer watch match #1" in reply.text
    assert "Alice" not in reply.text
    for command in ("board", "replay", "export", "whatif"):
        assert "no match #1" in (await eve.command(command, {"match": "1"}, channel=elsewhere)).text


@pytest.mark.long
async def test_follower_is_looked_up_once_in_a_pass(env: BotEnvironment, eve: Member) -> None:
    for number in ("1", "2"):
        await env.start_match()
        await follow_match(env, eve, match=number)
    await env.move(env.alice, "C1-D2", match="1")
    await env.move(env.alice, "C1-D2", match="2")
    before = len(env.request_routes())
    assert len(await direct_messages(env, eve)) == 3  # the first is the confirmation for match 2
    lookups = [one for one in env.request_routes()[before:] if "/members/" in one]
    assert len(lookups) == 1
