"""A match whose channel can no longer be used goes on in direct messages; nobody loses on time untold."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from bot.outbox.pace import Priority
from matches import DISCORD, MatchId, MoveReason
from tests.bot.environment import BotEnvironment, labels, running_bot
from tests.databases import open_database
from tests.discord_server import DEFAULT, Permission

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.discord_server import Channel, DiscordServer, Member

CLOCK = {"time_control": "1d per move", "time_out": "lost"}


@pytest.fixture
def lounge(env: BotEnvironment) -> Channel:
    """Return another channel of the guild."""
    return env.guild.channel("lounge")


async def settle(env: BotEnvironment) -> None:
    """Send everything that is due, also what that leads to."""
    for _ in range(3):
        await env.wait_until_idle()
        await env.advance_time(seconds=1)


async def await_event(env: BotEnvironment, event: str, cause: Callable[[], None]) -> None:
    """Cause an event of the gateway and wait until the bot has handled it."""
    await env.bot.wait_until_ready()  # before that, discord.py names a server that it joins an available one
    seen = asyncio.ensure_future(env.bot.wait_for(event))
    await asyncio.sleep(0)
    cause()
    await seen
    await asyncio.sleep(0)
    await env.wait_until_idle()
    await settle(env)


async def lose_channel(env: BotEnvironment) -> None:
    """Delete the channel and let the bot handle that."""
    await await_event(env, "guild_channel_delete", env.channel.delete)


def texts(person: Member) -> str:
    """Return everything that the bot has written to a person."""
    return "\n".join(one.text for one in person.dms)


@pytest.mark.long
async def test_match_of_a_deleted_channel_goes_on_in_direct_messages(
    env: BotEnvironment, lounge: Channel
) -> None:
    await env.start_match()
    await lose_channel(env)
    for person in (env.alice, env.bob):
        (notice,) = person.dms
        assert "#games was deleted" in notice.text
        assert notice.attachments
    assert {"Move", "Pick"} <= set(labels(env.alice.dms[0]))
    assert "Move" not in labels(env.bob.dms[0])
    reply = await env.submit_move(env.alice, env.alice.dms[0], "C1-D2")
    assert "Black C1-D2" in reply.text
    await settle(env)
    assert "Black C1-D2" in env.bob.dms[-1].text
    assert len(env.alice.dms) == 2  # the notice, and the answer, which is her copy of the turn
    reply = await env.bob.command("move", {"move": "A2-C4", "match": "1"}, channel=lounge)
    assert reply.ephemeral
    assert "direct messages" in reply.text
    await settle(env)
    assert "White A2-C4" in env.alice.dms[-1].text
    assert "White A2-C4" in env.bob.dms[-1].text


@pytest.mark.long
async def test_move_is_never_said_to_be_in_a_channel_that_is_gone(
    env: BotEnvironment, lounge: Channel
) -> None:
    await env.start_match()
    gone = f"/channels/{env.channel.id}/**"
    with env.discord.faults.refuse("*", gone, status=404, code=10003, times=None):
        reply = await env.alice.command("move", {"move": "C1-D2", "match": "1"}, channel=lounge)
        await settle(env)
    assert f"<#{env.channel.id}>" not in reply.text
    assert "direct messages" in reply.text
    assert "Black C1-D2" in env.bob.dms[-1].text
    assert "Move" in labels(env.bob.dms[-1])


@pytest.mark.long
async def test_clock_stands_while_a_player_cannot_be_told(env: BotEnvironment, lounge: Channel) -> None:
    board = await env.start_match(**CLOCK)
    await env.submit_move(env.alice, board, "C1-D2")
    env.bob.close_dms()
    await env.advance_time(hours=20)
    await lose_channel(env)
    assert "I cannot tell Bob about Morelli vs Bob (#1)" in texts(env.alice)
    assert "The clock is stopped" in texts(env.alice)
    await env.advance_time(days=9)
    assert "wins" not in texts(env.alice)
    reply = await env.bob.command("games", {}, channel=lounge)
    await env.wait_until_idle()
    (told,) = reply.followups
    assert "Morelli #1" in told.text
    assert told.ephemeral
    await settle(env)
    assert "Bob has now been told" in env.alice.dms[-1].text
    await env.advance_time(hours=23)
    reply = await env.bob.command("move", {"move": "A2-C4", "match": "1"}, channel=lounge)
    assert "was played" in reply.text
    await settle(env)
    assert "White A2-C4" in env.alice.dms[-1].text
    await env.advance_time(hours=25)
    assert "Bob" in env.alice.dms[-1].text
    assert "wins" in env.alice.dms[-1].text


async def test_player_whom_another_process_could_not_tell_is_told_after_a_pass(
    env: BotEnvironment, lounge: Channel
) -> None:
    await env.start_match(**CLOCK)
    await env.bot.outbox.run_once()  # nobody is to be told anything
    places = env.bot.matches.posting.places
    await places.lose(f"discord:{env.guild.id}", None, MoveReason.REMOVED, now=env.bot.now())
    for copy in await env.bot.matches.announcements.claim_due(DISCORD, now=env.bot.now()):
        await places.record_refused(copy, now=env.bot.now())
    asked = [await env.bob.command("games", {}, channel=lounge)]
    await env.wait_until_idle()
    await env.bot.outbox.lost_places.look_for_untold()
    asked.append(await env.bob.command("games", {}, channel=lounge))
    await env.wait_until_idle()
    assert ["Morelli #1" in "".join(one.text for one in reply.followups) for reply in asked] == [False, True]


@pytest.mark.long
async def test_player_whose_direct_messages_open_again_gets_the_board(env: BotEnvironment) -> None:
    board = await env.start_match(**CLOCK)
    await env.submit_move(env.alice, board, "C1-D2")
    env.bob.close_dms()
    await lose_channel(env)
    env.bob.open_dms()
    await env.advance_time(days=2)
    await settle(env)
    assert env.bob.dms
    assert "Move" in labels(env.bob.dms[0])
    assert "Bob has now been told" in env.alice.dms[-1].text
    before = len(env.discord.requests)
    await env.advance_time(hours=25)
    assert len(env.discord.requests) > before
    assert "wins" in env.alice.dms[-1].text


@pytest.mark.long
@pytest.mark.parametrize(
    "missing", [Permission.SEND_MESSAGES, Permission.VIEW_CHANNEL, Permission.ATTACH_FILES]
)
async def test_move_counts_where_the_bot_may_not_post(env: BotEnvironment, missing: Permission) -> None:
    await env.start_match(**CLOCK)
    env.channel.deny(env.guild.bot_member, missing)
    reply = await env.move(env.alice, "C1-D2")
    assert "was played" in reply.text
    assert "direct messages" in reply.text
    await settle(env)
    assert "I may no longer post in #games" in texts(env.bob)
    assert "Black C1-D2" in env.bob.dms[-1].text
    env.channel.permit(env.guild.bot_member, DEFAULT)
    reply = await env.bob.command("move", {"move": "A2-C4"}, channel=env.bob.dm)
    assert "White A2-C4" in reply.text
    await settle(env)
    assert "White A2-C4" in env.alice.dms[-1].text


async def test_move_of_a_match_elsewhere_is_judged_by_the_place_of_that_match(
    env: BotEnvironment, lounge: Channel
) -> None:
    await env.start_match()
    lounge.deny(env.guild.bot_member, Permission.SEND_MESSAGES)
    reply = await env.alice.command("move", {"move": "C1-D2", "match": "1"}, channel=lounge)
    assert f"<#{env.channel.id}>" in reply.text
    assert "Black C1-D2" in env.latest_message.text
    assert not env.bob.dms


@pytest.mark.long
async def test_server_that_removed_the_bot_costs_no_requests(env: BotEnvironment) -> None:
    board = await env.start_match(**CLOCK)
    await env.submit_move(env.alice, board, "C1-D2")
    await await_event(env, "guild_remove", env.guild.remove_bot)
    before = len(env.discord.requests)
    for _ in range(48):
        await env.advance_time(hours=1)
    assert len(env.discord.requests) == before
    await await_event(env, "guild_join", env.guild.invite_bot)
    assert "Move" in labels(env.latest_message)
    assert "wins" not in texts(env.alice)


@pytest.mark.long
async def test_matches_return_to_their_channels_with_the_bot(env: BotEnvironment, eve: Member) -> None:
    board = await env.start_match(**CLOCK)
    await env.submit_move(env.alice, board, "C1-D2")
    thread = await start_match_in_thread(env, eve)
    await await_event(env, "guild_remove", env.guild.remove_bot)
    await env.advance_time(days=2)
    thread.state.archived = True
    await await_event(env, "guild_join", env.guild.invite_bot)
    here, there = env.latest_message, thread.messages[-1]
    assert "I am back on this server, so Morelli #1 continues here again" in here.text
    assert "Black C1-D2" in here.text
    assert "Morelli #2 continues here again" in there.text
    assert {one.id for one in env.bob.pings[-2:]} == {here.id, there.id}
    assert "clock is stopped" not in here.text
    assert not texts(env.alice)
    assert not texts(env.bob)
    reply = await env.submit_move(env.bob, here, "A2-C4")
    assert "White A2-C4" in reply.text


@pytest.mark.long
async def test_questions_about_returning_matches_leave_other_requests_the_right_of_way(
    env: BotEnvironment, monkeypatch: pytest.MonkeyPatch
) -> None:
    await env.start_match(**CLOCK)
    asked, delay = list[Priority](), env.bot.pace.delay

    def record(priority: Priority) -> float:
        asked.append(priority)
        return delay(priority)

    await await_event(env, "guild_remove", env.guild.remove_bot)
    await settle(env)
    monkeypatch.setattr(env.bot.pace, "delay", record)
    await await_event(env, "guild_join", env.guild.invite_bot)
    assert Priority.BACKGROUND in asked
    assert Priority.ANSWER not in asked


@pytest.mark.long
async def test_bot_that_is_invited_at_once_brings_every_match_back(env: BotEnvironment) -> None:
    for _ in range(3):
        await env.start_match(**CLOCK)
    await env.bot.wait_until_ready()
    joined = asyncio.ensure_future(env.bot.wait_for("guild_join"))
    await asyncio.sleep(0)
    env.guild.remove_bot()
    env.guild.invite_bot()
    await joined
    await asyncio.sleep(0)
    await env.wait_until_idle()
    await settle(env)
    for match in (1, 2, 3):
        view = await env.bot.matches.view(MatchId(match), now=env.bot.now())
        assert not view.is_direct
        assert f"Morelli #{match} continues here again" in "".join(one.text for one in env.channel.messages)


@pytest.mark.long
async def test_open_challenge_is_not_repeated_when_the_bot_is_back(env: BotEnvironment) -> None:
    challenge = await env.make_challenge(board="9", start="facing")
    await lose_server(env, lambda: None)
    assert not texts(env.bob)
    assert not texts(env.alice)
    await env.bob.click(challenge, "Accept")
    assert (await env.wait_for_board(after=challenge)).attachments


async def lose_server(env: BotEnvironment, meanwhile: Callable[[], None]) -> None:
    """Have the bot removed for two days and invited again."""
    await await_event(env, "guild_remove", env.guild.remove_bot)
    await env.advance_time(days=2)
    meanwhile()
    await await_event(env, "guild_join", env.guild.invite_bot)


@pytest.mark.long
@pytest.mark.parametrize("loss", ["deleted", "no posts", "hidden"])
async def test_match_stays_in_direct_messages_if_it_cannot_return(env: BotEnvironment, loss: str) -> None:
    board = await env.start_match(**CLOCK)
    await env.submit_move(env.alice, board, "C1-D2")
    before = len(env.channel.messages)
    causes = {
        "deleted": env.channel.delete,
        "no posts": lambda: env.channel.deny(env.guild.bot_member, Permission.SEND_MESSAGES),
        "hidden": lambda: env.channel.hide_from(env.bob),
    }
    await lose_server(env, causes[loss])
    await env.advance_time(seconds=30)
    assert (await env.bot.matches.view(MatchId(1), now=env.bot.now())).is_direct
    assert len(env.channel.messages) == before
    for person, other in ((env.alice, "Bob"), (env.bob, "Alice")):
        assert "I was removed from Salon" in person.dms[0].text
        assert f"cannot tell {person.name}" not in texts(person)
        assert f"**I cannot tell {other}" not in texts(person)
        assert len(person.dms) <= 2
    assert "clock runs again" in texts(env.alice)
    assert "clock runs again" in texts(env.bob)


@pytest.mark.long
async def test_match_that_moderators_moved_does_not_return(
    env: BotEnvironment, lounge: Channel, eve: Member
) -> None:
    await env.start_match(**CLOCK)
    env.channel.deny(env.guild.bot_member, Permission.SEND_MESSAGES)
    await lose_server(env, lambda: None)
    lounge.allow(eve, Permission.MANAGE_GUILD)
    await eve.command("relocate", {"match": "1"}, channel=lounge)
    await env.wait_until_idle()
    env.channel.permit(env.guild.bot_member, DEFAULT)
    await miss_event(env, lambda: None)
    assert "here again" not in lounge.messages[-1].text
    view = await env.bot.matches.view(MatchId(1), now=env.bot.now())
    assert view.channel == f"discord:{lounge.id}"


@pytest.mark.long
async def test_server_that_removed_the_bot_while_its_session_was_lost_is_noticed(env: BotEnvironment) -> None:
    await env.start_match(**CLOCK)
    ready = asyncio.ensure_future(env.bot.wait_for("shard_ready"))
    await asyncio.sleep(0)
    await env.discord.gateway.invalidate()
    env.guild.remove_bot()
    await ready
    await asyncio.sleep(0)
    await env.wait_until_idle()
    await settle(env)
    assert env.bot.get_guild(env.guild.id) is None
    assert (await env.bot.matches.view(MatchId(1), now=env.bot.now())).is_direct


@pytest.mark.long
async def test_open_questions_follow_the_match(env: BotEnvironment) -> None:
    board = await env.start_match(**CLOCK)
    await env.submit_move(env.alice, board, "C1-D2")
    await env.alice.command("takeback", {}, channel=env.channel)
    await env.alice.command("pause", {}, channel=env.channel)
    await lose_channel(env)
    assert ["takeback" in one.text or "take back" in one.text for one in env.bob.dms] == [False, True, False]
    assert "It would undo Alice's **Black C1-D2**." in env.bob.dms[1].text
    assert "pause" in env.bob.dms[2].text
    reply = await env.bob.click(env.bob.dms[1], labels(env.bob.dms[1])[0] or "")
    await settle(env)
    assert "Alice" in reply.text
    assert "Move" in labels(env.alice.dms[-1])


@pytest.mark.long
async def test_start_is_chosen_in_direct_messages(env: BotEnvironment) -> None:
    challenge = await env.make_challenge(board="9", start="fists")
    post = await env.bob.click(challenge, "Accept")
    board = await env.wait_for_board(after=post)
    reply = await env.alice.click(board, "Close your fists")
    await env.alice.click(reply, reply.buttons[0].label or "")
    await lose_channel(env)
    for person in (env.alice, env.bob):
        assert labels(person.dms[0])[0] == "Close your fists"
    reply = await env.bob.click(env.bob.dms[0], "Close your fists")
    await env.bob.click(reply, reply.buttons[0].label or "")
    await settle(env)
    for person in (env.alice, env.bob):
        assert "The fists open" in person.dms[-1].text


@pytest.mark.long
async def test_challenge_of_a_deleted_channel_can_be_accepted_and_played(env: BotEnvironment) -> None:
    await env.make_challenge(board="9", start="facing")
    await lose_channel(env)
    assert "I cannot post in the channel of this challenge" in env.bob.dms[0].text
    await env.bob.click(env.bob.dms[0], "Accept")
    await settle(env)
    assert "Alice (Black) against Bob (White)" in env.bob.dms[-1].text
    assert "Move" in labels(env.alice.dms[-1])


@pytest.mark.long
async def test_manager_moves_a_match_to_a_channel(env: BotEnvironment, lounge: Channel, eve: Member) -> None:
    board = await env.start_match(**CLOCK)
    await env.submit_move(env.alice, board, "C1-D2")
    env.bob.close_dms()
    await lose_channel(env)
    await env.advance_time(days=3)
    lounge.allow(eve, Permission.MANAGE_GUILD)
    reply = await eve.command("relocate", {"match": "1"}, channel=lounge)
    assert "Eve" in reply.text or eve.mention in reply.text
    assert env.bob.mention in reply.text
    assert reply.attachments
    assert env.bob.pings[-1] is reply.shown
    reply = await env.bob.command("move", {"move": "A2-C4"}, channel=lounge)
    assert not reply.ephemeral
    assert "White A2-C4" in reply.text
    before = len(env.alice.dms)
    await env.advance_time(days=2)
    assert len(env.alice.dms) == before
    assert "wins" in lounge.messages[-1].text


async def test_match_is_not_moved_where_a_player_cannot_see_it(
    env: BotEnvironment, lounge: Channel, eve: Member
) -> None:
    await env.start_match()
    lounge.allow(eve, Permission.MANAGE_GUILD)
    lounge.hide_from(env.bob)
    reply = await eve.command("relocate", {"match": "1"}, channel=lounge)
    assert "Bob cannot see this channel" in reply.text
    assert reply.ephemeral
    assert "Black C1-D2" in (await env.move(env.alice, "C1-D2")).text


async def test_match_of_another_server_is_not_named_nor_moved(env: BotEnvironment) -> None:
    await env.start_match()
    there = env.discord.guild("Elsewhere")
    channel, mallory = there.channel("hall"), there.member("Mallory")
    channel.allow(mallory, Permission.MANAGE_GUILD)
    reply = await mallory.command("relocate", {"match": "1"}, channel=channel)
    assert "There is no match #1 on this server" in reply.text
    assert "Alice" not in reply.text
    assert "Bob" not in reply.text


@pytest.mark.long
async def test_time_does_not_run_out_before_the_turn_was_posted(env: BotEnvironment, lounge: Channel) -> None:
    await env.start_match(**CLOCK)
    with env.discord.faults.refuse("POST", f"/channels/{env.channel.id}/**", status=503, times=None):
        reply = await env.alice.command("move", {"move": "C1-D2", "match": "1"}, channel=lounge)
        assert "follows" in reply.text
        for _ in range(4):
            await settle(env)
            await env.advance_time(days=1)
    await env.advance_time(hours=1)
    assert "Black C1-D2" in env.latest_message.text
    await env.advance_time(hours=23)
    assert "Black C1-D2" in env.latest_message.text
    await env.advance_time(hours=2)
    assert "wins" in env.latest_message.text


@pytest.mark.long
async def test_channel_deleted_while_the_database_was_locked_is_noticed(
    env: BotEnvironment, database_file: Path
) -> None:
    await env.start_match()
    await env.wait_until_idle()
    with closing(sqlite3.connect(database_file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        seen = asyncio.ensure_future(env.bot.wait_for("guild_channel_delete"))
        await asyncio.sleep(0)
        env.channel.delete()
        await seen
        await env.wait_until_idle()
        assert not env.alice.dms
        other.execute("ROLLBACK")
    await settle(env)
    assert "was deleted" in env.alice.dms[0].text


@pytest.mark.long
async def test_board_whose_post_was_not_recorded_before_its_channel_was_deleted_reaches_both_players(
    env: BotEnvironment, database_file: Path
) -> None:
    challenge = await env.make_challenge(board="9", start="facing")
    with env.discord.faults.hold("POST", "/webhooks/**", after_processing=True) as posted:
        accepting = asyncio.create_task(env.bob.click(challenge, "Accept"))
        await posted.arrived.wait()
        with closing(sqlite3.connect(database_file, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            posted.remove()
            seen = asyncio.ensure_future(env.bot.wait_for("guild_channel_delete"))
            await asyncio.sleep(0)
            env.channel.delete()
            await seen
            await env.wait_until_idle()
            other.execute("ROLLBACK")
    await accepting
    await env.advance_time(seconds=25)  # now the board is due again, and its channel is found to be lost
    await settle(env)
    for person in (env.alice, env.bob):
        notice, board = person.dms
        assert "was deleted" in notice.text
        assert board.attachments
    assert {"Move", "Pick"} <= set(labels(env.alice.dms[1]))


@pytest.mark.long
async def test_channel_deleted_while_the_bot_was_away_is_noticed(
    discord: DiscordServer, database_file: Path
) -> None:
    guild = discord.guild("Salon")
    channel = guild.channel("games")
    alice, bob = guild.member("Alice"), guild.member("Bob")
    async with open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database:
        async with running_bot(discord, database) as bot:
            env = BotEnvironment(discord, guild, channel, alice, bob, bot, database)
            await env.start_match()
        channel.delete()
        async with running_bot(discord, database) as bot:
            env = BotEnvironment(discord, guild, channel, alice, bob, bot, database)
            await bot.wait_until_ready()
            await asyncio.sleep(0)
            await env.wait_until_idle()
            await settle(env)
    assert "was deleted" in texts(alice)
    assert "was deleted" in texts(bob)


async def miss_event(env: BotEnvironment, cause: Callable[[], None]) -> None:
    """Cause something while the bot's session is lost, and wait until it has looked for what it lost."""
    ready = asyncio.ensure_future(env.bot.wait_for("shard_ready"))
    await asyncio.sleep(0)
    await env.discord.gateway.invalidate()
    cause()
    await ready
    await asyncio.sleep(0)
    await env.wait_until_idle()
    await settle(env)


async def start_match_in_thread(env: BotEnvironment, eve: Member) -> Channel:
    """Have Eve choose threads for the matches, start one, and return its thread."""
    panel = await eve.command("settings", {}, channel=env.channel)
    await eve.select(panel, "Where matches are played", ["thread"])
    challenge = await env.make_challenge(board="9", start="facing", **CLOCK)
    await env.bob.click(challenge, "Accept")
    await env.wait_until_idle()
    return env.channel.threads[-1]


def asked_for(env: BotEnvironment, channel: Channel) -> int:
    """Return how often the bot has asked whether a channel exists."""
    path = f"/channels/{channel.id}"
    return sum(one.method == "GET" and one.path.endswith(path) for one in env.discord.requests)


@pytest.mark.long
async def test_thread_deleted_while_the_session_was_lost_is_noticed(env: BotEnvironment, eve: Member) -> None:
    kept, lost = await start_match_in_thread(env, eve), await start_match_in_thread(env, eve)
    await miss_event(env, lost.delete)
    notice = env.latest_message
    assert "the thread of Morelli #2 was deleted" in notice.text
    assert "Move" in labels(notice)
    assert env.alice.pings[-1] is notice
    assert asked_for(env, kept) == 0
    assert "Morelli #1" not in notice.text


@pytest.mark.long
async def test_archived_thread_is_not_lost(env: BotEnvironment, eve: Member) -> None:
    thread = await start_match_in_thread(env, eve)
    await miss_event(env, lambda: setattr(thread.state, "archived", True))
    assert asked_for(env, thread) == 1
    assert not env.alice.dms
    reply = await env.move(env.alice, "C1-D2", match="1")
    assert f"<#{thread.id}>" in reply.text


@pytest.mark.long
async def test_move_to_a_deleted_thread_is_said_to_be_in_the_channel(
    env: BotEnvironment, eve: Member, lounge: Channel
) -> None:
    thread = await start_match_in_thread(env, eve)
    gone = f"/channels/{thread.id}/**"
    with env.discord.faults.refuse("*", gone, status=404, code=10003, times=None):
        reply = await env.alice.command("move", {"move": "C1-D2", "match": "1"}, channel=lounge)
        await settle(env)
    assert f"<#{env.channel.id}>" in reply.text
    assert "direct messages" not in reply.text
    assert "Black C1-D2" in env.latest_message.text


@pytest.mark.long
async def test_match_in_a_thread_of_players_survives_the_loss_of_its_channel(env: BotEnvironment) -> None:
    thread = env.channel.thread("duel", env.alice)
    options = {"opponent": env.bob, "board": "9", "start": "facing"}
    challenge = await env.alice.command("challenge", options, channel=thread)
    await env.bob.click(challenge, "Accept")
    await env.wait_until_idle()
    await await_event(env, "raw_thread_delete", env.channel.delete)
    for person in (env.alice, env.bob):
        assert "was deleted" in texts(person)


@pytest.mark.long
async def test_rematch_of_a_match_in_direct_messages(env: BotEnvironment) -> None:
    await env.start_match()
    await lose_channel(env)
    reply = await env.alice.command("resign", {}, channel=env.alice.dm)
    await env.alice.click(reply, "Resign")
    await settle(env)
    assert "Rematch" in labels(env.bob.dms[-1])
    reply = await env.bob.click(env.bob.dms[-1], "Rematch")
    assert "direct message" in reply.text
    await settle(env)
    assert "offers" in env.alice.dms[-1].text
    await env.alice.click(env.alice.dms[-1], "Accept")
    await settle(env)
    assert "Morelli #2" in env.alice.dms[-1].text
    assert "Morelli #2" in env.bob.dms[-1].text
