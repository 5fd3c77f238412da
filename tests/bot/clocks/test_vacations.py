"""Vacations: taken in private, announced in the channels where the player's matches are."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from matches import Person, Terms, TimeControl
from tests.bot.clocks.timestamps import DAY, seconds_ahead
from tests.matches.scenario import post_everything

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply


async def show_vacation(env: BotEnvironment, person: Member) -> Reply:
    """Use /vacation."""
    return await person.command("vacation", {}, channel=env.channel)


async def start_vacation(env: BotEnvironment, person: Member) -> Reply:
    """Use /vacation and its button to start one."""
    return await person.click(await show_vacation(env, person), "Begin vacation")


async def test_vacation_days_are_shown_in_private(env: BotEnvironment) -> None:
    reply = await show_vacation(env, env.alice)
    assert "You have 30 days of vacation left in 20" in reply.text
    assert reply.ephemeral
    assert [button.label for button in reply.buttons] == ["Begin vacation"]


@pytest.mark.long
async def test_vacation_is_announced_to_the_opponents(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="3d", time_out="lost")
    reply = await start_vacation(env, env.alice)
    assert "Your vacation has begun" in reply.text
    assert "Your clock is stopped in one match" in reply.text
    assert env.latest_message is board
    await env.advance_time(seconds=1)
    post = env.latest_message
    assert "🏖️ **Alice is on vacation**" in post.text
    assert f"{env.bob.mention}, their clock is stopped in Morelli #1." in post.text
    assert env.bob.pings[-1] is post
    await env.advance_time(days=20)
    assert env.latest_message is post
    look_now = await env.bob.command("board", {}, channel=env.channel)
    assert "🏖️ Alice is on vacation, and their clock is stopped." in look_now.text


@pytest.mark.long
async def test_vacation_can_have_a_length(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    shown = await env.alice.command("vacation", {"length": "7 days"}, channel=env.channel)
    assert "A vacation of 7 days would end on <t:" in shown.text
    assert "Your vacation has begun" in (await env.alice.click(shown, "Begin vacation")).text
    await env.advance_time(seconds=1)
    await env.advance_time(days=7, hours=1)
    assert "is back from vacation" in env.latest_message.text


@pytest.mark.long
async def test_vacation_of_an_impossible_length_does_not_begin(env: BotEnvironment) -> None:
    shown = await env.alice.command("vacation", {"length": "40d"}, channel=env.channel)
    reply = await env.alice.click(shown, "Begin vacation")
    assert "Your vacation can last from 1 day to 30 days now. It has not begun." in reply.text
    unreadable = await env.alice.command("vacation", {"length": "soon"}, channel=env.channel)
    assert "is not a length of time" in unreadable.text


@pytest.mark.long
async def test_vacation_can_be_ended_by_button(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    await env.advance_time(days=1)
    await start_vacation(env, env.alice)
    await env.advance_time(days=10)
    reply = await show_vacation(env, env.alice)
    assert "You have been on vacation since <t:" in reply.text
    closed = await env.alice.click(reply, "End vacation")
    assert "Your vacation is over. Your clock is running again in one match" in closed.text
    await env.advance_time(seconds=1)
    assert "**Alice is back from vacation.**" in env.latest_message.text
    board = await env.alice.command("board", {}, channel=env.channel)
    assert seconds_ahead(env, board) == [2 * DAY]
    reply = await show_vacation(env, env.alice)
    assert [button.label for button in reply.buttons] == ["Begin vacation"]


@pytest.mark.long
async def test_vacation_ends_when_its_days_are_used_up(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d")
    await start_vacation(env, env.alice)
    await env.advance_time(seconds=1)
    await env.advance_time(days=63)  # enough for the days of two years, whatever the date of the test
    post = env.latest_message
    assert "**Alice is back from vacation.**" in post.text
    assert env.alice.pings[-1] is post
    assert env.bob.pings[-1] is post


@pytest.mark.long
async def test_several_matches_in_one_channel_make_one_post(env: BotEnvironment) -> None:
    eve = env.guild.member("Eve")
    await env.start_match(time_control="3d")
    await env.start_match(time_control="3d", opponent=eve)
    count = len(env.channel.messages)
    await start_vacation(env, env.alice)
    await env.advance_time(seconds=1)
    assert len(env.channel.messages) == count + 1
    assert f"{env.bob.mention} and {eve.mention}, their clock is stopped in Morelli #1 and #2." in (
        env.latest_message.text
    )


@pytest.mark.long
async def test_vacation_does_not_stop_matches_without_vacation_terms(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d", time_out="lost", vacation=False)
    assert "It stops no clock in your present matches" in (await start_vacation(env, env.alice)).text
    end = await env.alice.command("vacation", {}, channel=env.channel)
    assert "It had stopped no clock" in (await env.alice.click(end, "End vacation")).text
    await env.advance_time(days=3, minutes=1)
    assert "Alice ran out of time" in env.latest_message.text


@pytest.mark.long
async def test_vacation_tells_a_player_who_is_out_of_time_to_move_first(env: BotEnvironment) -> None:
    await env.start_match(time_control="3d", time_out="claim")
    await env.advance_time(days=4)
    before = env.latest_message
    asked = await show_vacation(env, env.alice)
    begun = await env.alice.click(asked, "Begin vacation")
    for reply in (asked, begun):
        assert "Your time is over in one match.** A vacation changes nothing there: move first" in reply.text
    assert "It stops no clock in your present matches" in begun.text
    await env.advance_time(seconds=1)
    assert env.latest_message is before


@pytest.mark.long
async def test_vacation_in_a_match_without_a_clock_is_not_announced(env: BotEnvironment) -> None:
    board = await env.start_match(time_control="none")
    assert "It stops no clock in your present matches" in (await start_vacation(env, env.alice)).text
    await env.advance_time(seconds=1)
    assert env.latest_message is board


@pytest.mark.long
async def test_every_opponent_of_many_is_mentioned(env: BotEnvironment) -> None:
    matches, now, place = env.bot.matches, env.bot.now(), f"discord:{env.channel.id}"
    opponents = [env.guild.member(f"Player {number} {'_' * 20}") for number in range(60)]
    for member in opponents:
        alice, other = (Person(f"discord:{one.id}", one.name) for one in (env.alice, member))
        challenge = await matches.challenges.create(
            alice,
            to=other,
            server=f"discord:{env.guild.id}",
            channel=place,
            game="morphos",
            terms=Terms(time_control=TimeControl.per_move(timedelta(days=3))),
            now=now,
        )
        await matches.challenges.accept(challenge.challenge.id, other, now=now)
    await post_everything(matches, "discord")
    await start_vacation(env, env.alice)
    await env.advance_time(seconds=1)
    posts = [one.text for one in env.channel.messages if "is on vacation" in one.text]
    assert all(text.endswith(".") for text in posts)
    text = "\n".join(posts)
    assert all(f"#{number}" in text for number in range(1, 61))
    assert all(member.mention in text and len(member.pings) == 1 for member in opponents)


async def test_outdated_vacation_buttons_are_refused_with_the_reason(env: BotEnvironment) -> None:
    first, second = await show_vacation(env, env.alice), await show_vacation(env, env.alice)
    await env.alice.click(first, "Begin vacation")
    assert "You are already on vacation" in (await env.alice.click(second, "Begin vacation")).text
    third, fourth = await show_vacation(env, env.alice), await show_vacation(env, env.alice)
    await env.alice.click(third, "End vacation")
    assert "You are not on vacation" in (await env.alice.click(fourth, "End vacation")).text


@pytest.mark.long
async def test_links_to_a_match_lead_to_its_latest_board(env: BotEnvironment) -> None:
    """Posts without a board, such as one about a vacation, are not what *latest board* means."""
    board = await env.start_match(time_control="3d", time_out="claim")
    url = f"https://discord.com/channels/{env.guild.id}/{env.channel.id}/{board.id}"
    carol = env.guild.member("Carol")
    await carol.command("watch", {"match": "1"}, channel=env.channel)
    await start_vacation(env, env.bob)
    await env.advance_time(days=4)
    assert len(env.channel.messages) > env.channel.messages.index(board) + 1
    for person, command in ((env.alice, "games"), (carol, "lobby"), (carol, "unwatch")):
        assert url in (await person.command(command, {}, channel=env.channel)).text
    turns = await env.alice.command("turns", {}, channel=env.channel)
    assert url in [button.url for button in turns.buttons]


async def test_vacation_shows_before_a_match_begins(env: BotEnvironment) -> None:
    await start_vacation(env, env.bob)
    line = "🏖️ Bob is on vacation until <t:"
    challenge = await env.make_challenge()
    assert line in challenge.text
    menu = await env.alice.use_menu("Challenge", env.bob, channel=env.channel)
    assert menu.text.startswith(line)
    await env.bob.command("challenge", {"game": "morphos"}, channel=env.channel)
    lobby = await env.alice.command("lobby", {}, channel=env.channel)
    assert lobby.text.count(line) == 2
    declined = await env.bob.click(challenge, "Decline")
    assert line not in declined.text
    await env.bob.click(await show_vacation(env, env.bob), "End vacation")
    assert "vacation" not in (await env.make_challenge()).text
