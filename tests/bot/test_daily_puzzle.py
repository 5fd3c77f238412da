"""The daily puzzle of a server: posted once a day, whatever is killed, with the solution of the last one."""

from __future__ import annotations

import asyncio
import json
import re
from dataclasses import replace
from datetime import date, timedelta
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import select

from bot.features.puzzles.daily_posts import post_daily_puzzles
from bot.features.puzzles.formatting import format_daily_heading, format_past_post
from bot.ui import ids
from bot.ui.markdown import DISCORD, MAX_TEXT_LENGTH
from engine.puzzle import MAX_LINE
from i18n.readers import reading_in
from i18n.translations import list_languages
from matches import MAX_NAME_LENGTH, Matches, Person, Rating, StoredPuzzle, local_time, parse_time_of_day
from matches.preferences.quiet_hours import next_occurrence
from matches.puzzles.daily_posts import LEASE, MAX_REFUSED, MAX_SOLVERS
from runtime.role import Role
from storage.tables import OUTBOX
from tests.bot.environment import BotEnvironment, running_bot
from tests.bot.test_puzzles import play
from tests.databases import open_database
from tests.discord_server import ActionNotPossible, Permission
from tests.games import GAMES, READER_TEXTS
from tests.matches.puzzles.puzzles import make_puzzle, puzzle_of, store_puzzles, wrong_turn

if TYPE_CHECKING:
    from bot.client import Rayuela
    from engine.puzzle import Puzzle
    from matches import Database
    from tests.discord_server import Channel, DiscordServer, Member, Message, Reply
    from tests.discord_server.faults import Fault

GAME = "morphos"
EVE = Person("discord:100000000000000555", "Eve")
POSTS = "/channels/*/messages"
MARKER = re.compile(r"puzzledaily1:([0-9a-f]{16}):(\d{4}-\d\d-\d\d)")
SOLUTION = re.compile(
    r"\[The last puzzle\]\(https://discord\.com/channels/[\d/]+\), its solution: \|\|.+\|\|"
)


def posted_days(channel: Channel) -> list[date]:
    """Return the days whose puzzles are in a channel, in the order of the posts."""
    markers = (str(one.custom_id) for message in channel.messages for one in message.buttons)
    return [date.fromisoformat(found[2]) for one in markers if (found := MARKER.fullmatch(one))]


async def store(database: Database, count: int) -> None:
    """Store so many different puzzles."""
    found = {one.key: one for seed in range(3 * count) for one in [puzzle_of(GAME, seed)]}
    await store_puzzles(database, list(found.values())[:count])


async def switch_on(env: BotEnvironment, eve: Member, time: str = "18:00", **options: str) -> Reply:
    return await eve.command("dailypuzzle", {"time": time, **options}, channel=env.channel)


async def find_daily(env: BotEnvironment, message: Message) -> Puzzle:
    """Return the puzzle of a post."""
    key = str(message.buttons[0].custom_id).split(":")[1]
    return (await env.bot.matches.puzzles.get(key)).puzzle


async def is_on(env: BotEnvironment) -> bool:
    return await env.bot.matches.daily_posts.find(ids.stored_id(env.guild.id)) is not None


# The setting.


async def test_manager_switches_it_on_and_off(env: BotEnvironment, eve: Member) -> None:
    await store(env.database, 3)
    nothing = await eve.command("dailypuzzle", {}, channel=env.channel)
    assert (nothing.ephemeral, "**Daily puzzle**: off" in nothing.content) == (True, True)
    panel = await switch_on(env, eve, "6:30pm", zone="tokyo")
    assert panel.ephemeral
    assert "every day at 18:30 (Asia\\/Tokyo) in" in panel.content
    await env.advance_time(days=1)
    assert len(posted_days(env.channel)) == 1
    off = await eve.click(await eve.command("dailypuzzle", {}, channel=env.channel), "Switch off")
    assert (off.updated, "**Daily puzzle**: off" in off.content) == (True, True)
    await env.advance_time(days=2)
    assert len(posted_days(env.channel)) == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"time": "half past six"}, "half past six is not a time of day"),
        ({"time": "25:00"}, "is not a time of day"),
        ({"time": "18:00", "zone": "Atlantis"}, "There is no time zone Atlantis"),
        ({"zone": "Europe/Berlin"}, "with a time, such as 18:00"),
    ],
)
async def test_bad_input_is_explained(
    env: BotEnvironment, eve: Member, options: dict[str, str], said: str
) -> None:
    reply = await eve.command("dailypuzzle", options, channel=env.channel)
    assert reply.ephemeral
    assert said in reply.content
    assert not await is_on(env)


async def test_only_managers_can_change_it(env: BotEnvironment, eve: Member) -> None:
    panel = await switch_on(env, eve)
    with pytest.raises(ActionNotPossible, match="no command /dailypuzzle"):
        await env.alice.command("dailypuzzle", {"time": "9"}, channel=env.channel)
    env.channel.deny(eve, Permission.MANAGE_GUILD)
    assert "Manage Server" in (await eve.click(panel, "Switch off")).content
    assert await is_on(env)


@pytest.mark.long
async def test_another_time_on_the_same_day_brings_no_second_post(env: BotEnvironment, eve: Member) -> None:
    await store(env.database, 4)
    zone = f"UTC{12 - env.bot.now().hour:+d}"  # where it is past noon
    await switch_on(env, eve, "14:00", zone=zone)
    await env.advance_time(hours=2)
    assert len(posted_days(env.channel)) == 1
    await switch_on(env, eve, "18:00")
    await env.advance_time(hours=6)
    assert len(posted_days(env.channel)) == 1
    await env.advance_time(days=1)
    assert len(posted_days(env.channel)) == 2


@pytest.mark.parametrize("loss", ["deleted", "forbidden"])
async def test_lost_channel_switches_it_off(env: BotEnvironment, eve: Member, loss: str) -> None:
    await store(env.database, 3)
    await switch_on(env, eve)
    code, status = (10003, HTTPStatus.NOT_FOUND) if loss == "deleted" else (50013, HTTPStatus.FORBIDDEN)
    with env.discord.faults.refuse("POST", POSTS, status=status, code=code):
        await env.advance_time(days=1)
    assert not await is_on(env)
    await env.advance_time(minutes=1)
    (told,) = [one for one in eve.dms if "daily puzzle of" in one.content]
    assert f"daily puzzle of {env.guild.name} is **off**" in told.content
    assert ("is gone" in told.content) == (loss == "deleted")
    assert (await eve.click(told, "Solve")).ephemeral
    before = len(env.discord.requests)
    await env.advance_time(days=2)
    assert env.request_routes()[before:] == []


async def test_refused_post_waits_for_the_next_day_and_ends_after_some(
    env: BotEnvironment, eve: Member
) -> None:
    await store(env.database, 4)
    await switch_on(env, eve)
    with env.discord.faults.refuse("POST", POSTS, status=HTTPStatus.BAD_REQUEST, code=50035, times=None):
        for day in range(MAX_REFUSED):
            before = env.request_routes().count("POST /channels/{channel_id}/messages")
            await post_after(env, days=1)
            await post_after(env, hours=1)  # many leases later
            assert env.request_routes().count("POST /channels/{channel_id}/messages") == before + 1
            assert await is_on(env) == (day < MAX_REFUSED - 1)


async def test_post_after_a_refused_one_begins_the_count_again(env: BotEnvironment, eve: Member) -> None:
    await store(env.database, 9)
    await switch_on(env, eve)
    for times in (MAX_REFUSED - 1, MAX_REFUSED - 1):
        with env.discord.faults.refuse("POST", POSTS, status=HTTPStatus.BAD_REQUEST, times=None):
            for _ in range(times):
                await post_after(env, days=1)
        await post_after(env, days=1)
    assert await is_on(env)
    assert len(posted_days(env.channel)) == 2


async def test_it_goes_with_the_data_of_a_server(env: BotEnvironment, eve: Member) -> None:
    await store(env.database, 2)
    await switch_on(env, eve)
    await env.advance_time(days=1)
    await env.alice.click(env.latest_message, "Solve")
    data, alice = env.bot.matches.people.personal_data, ids.stored_id(env.alice.id)
    assert (await data.summary(alice)).counts["daily_puzzles"] == 1
    await data.erase_server(ids.stored_id(env.guild.id))
    assert not await is_on(env)
    assert (await data.summary(alice)).counts["daily_puzzles"] == 0


# The post.


@pytest.mark.long
async def test_next_post_has_the_solution_and_names_who_solved_it_from_the_post(
    env: BotEnvironment, eve: Member
) -> None:
    await store(env.database, 4)
    loud = env.guild.member("**@everyone** <@1>")
    await switch_on(env, eve)
    await env.advance_time(days=1)
    first = env.latest_message
    assert "## Daily puzzle: Morphos" in first.content
    assert "||" not in first.content
    puzzle = await find_daily(env, first)
    for person, turn in ((env.bob, wrong_turn(puzzle)), (loud, puzzle.line[0])):
        opened = await person.click(first, "Solve")
        assert opened.ephemeral
        await play(replace(env, alice=person), opened, puzzle, 0, turn)
    elsewhere = Person(ids.stored_id(env.alice.id), "Alice")
    await env.bot.matches.puzzles.attempt(puzzle.key, elsewhere, [puzzle.line[0]], now=env.bot.now())
    await env.advance_time(days=1)
    second = env.latest_message
    assert SOLUTION.search(second.content)
    assert "🏅 Solved at the first attempt: \\*\\*\\@everyone\\*\\* \\<\\@1\\>." in second.content
    assert (second.pinged, second.mention_everyone) == ((), False)
    assert not re.search("Bob|Alice", second.content)
    await env.advance_time(days=1)
    assert SOLUTION.search(env.latest_message.content)
    assert "🏅" not in env.latest_message.content


@pytest.mark.long
async def test_many_solvers_are_counted(env: BotEnvironment, eve: Member) -> None:
    await store(env.database, 2)
    await switch_on(env, eve)
    await env.advance_time(days=1)
    puzzle, matches = await find_daily(env, env.latest_message), env.bot.matches
    (day,), server = posted_days(env.channel), ids.stored_id(env.guild.id)
    for number in range(MAX_SOLVERS + 3):
        person = Person(f"discord:{10**17 + number}", f"{number:_^32}")
        await matches.daily_posts.record_try(server, day, person, now=env.bot.now())
        await matches.puzzles.attempt(puzzle.key, person, [puzzle.line[0]], now=env.bot.now())
    await env.advance_time(days=1)
    assert env.latest_message.content.endswith(" and 3 more.")


@pytest.mark.plain("marked texts are longer than a post")
@pytest.mark.parametrize("game", GAMES)
def test_longest_solution_fits_in_a_post(game: str) -> None:
    stored = StoredPuzzle("0" * 16, make_puzzle(GAMES[game], turns=MAX_LINE), Rating(1500))
    texts, names = READER_TEXTS.with_writer(DISCORD), ["_" * MAX_NAME_LENGTH] * MAX_SOLVERS
    url = "https://discord.com/channels/" + "/".join(["1" * 20] * 3)
    for language in list_languages():
        with reading_in(language):
            lines = [
                *(format_daily_heading(texts, stored), texts("daily_puzzle.how")),
                *format_past_post(texts, stored, url, names, MAX_SOLVERS + 1000),
            ]
            assert len(texts.join(lines, "list.lines")) <= MAX_TEXT_LENGTH


async def test_withdrawn_puzzle_is_left_out(env: BotEnvironment, eve: Member) -> None:
    await store(env.database, 3)
    await switch_on(env, eve)
    await env.advance_time(days=1)
    first = env.latest_message
    puzzle = await find_daily(env, first)
    puzzles, turns = env.bot.matches.puzzles, [wrong_turn(puzzle)]
    await puzzles.attempt(puzzle.key, EVE, turns, now=env.bot.now())
    await puzzles.report(puzzle.key, EVE, turns, now=env.bot.now())
    report = await puzzles.claim_report(now=env.bot.now())
    assert report is not None
    await puzzles.settle_report(report, is_confirmed=True, now=env.bot.now())
    assert "withdrawn" in (await env.alice.click(first, "Solve")).content
    await env.advance_time(days=1)
    assert len(posted_days(env.channel)) == 2
    assert "last puzzle" not in env.latest_message.content


@pytest.mark.long
async def test_old_post_still_opens_its_puzzle_but_counts_for_no_post(
    env: BotEnvironment, eve: Member
) -> None:
    await store(env.database, 4)
    await switch_on(env, eve)
    await env.advance_time(days=1)
    first = env.latest_message
    await env.advance_time(days=1)
    puzzle = await find_daily(env, first)
    await play(env, await env.alice.click(first, "Solve"), puzzle, 0, puzzle.line[0])
    await env.advance_time(days=1)
    assert "🏅" not in env.latest_message.content


async def test_without_puzzles_nothing_is_posted_until_there_are_some(
    env: BotEnvironment, eve: Member
) -> None:
    async with env.database.transaction() as connection:
        await connection.exec_driver_sql("DELETE FROM puzzle_choices")
    await switch_on(env, eve)
    await post_after(env, days=1)
    assert posted_days(env.channel) == []
    await store(env.database, 2)
    await post_after(env, days=1)
    assert len(posted_days(env.channel)) == 1


async def post_after(env: BotEnvironment, **amount: float) -> None:
    """Advance the clock and run the sweep alone, which does not read the shipped puzzles."""
    env.discord.advance(timedelta(**amount).total_seconds())
    await post_daily_puzzles(env.bot)


# Once a day.


async def kill_while_posting(bot: Rayuela, fault: Fault) -> None:
    """Cancel the sweep while Discord holds its request, as if the process were killed."""
    with fault:
        posting = asyncio.create_task(post_daily_puzzles(bot))
        await fault.arrived.wait()
        posting.cancel()
        await asyncio.gather(posting, return_exceptions=True)


KINDS = ("none", "killed before", "killed after", "dropped", "refused", "restarted", "away", "late")


@pytest.mark.long
async def test_month_of_restarts_kills_and_outages_has_one_post_a_day(
    discord: DiscordServer, sqlite_url: str
) -> None:
    guild = discord.guild("Salon")
    channel, faults = guild.channel("games"), discord.faults
    server, expected = ids.stored_id(guild.id), list[date]()
    async with open_database(sqlite_url) as database:
        await store(database, 40)
        matches, now = Matches(database), discord.world.clock.now
        at, zone = parse_time_of_day("18:00"), "America/New_York"
        place = await matches.daily_posts.switch_on(
            server, ids.stored_id(channel.id), at, zone, by=EVE, now=now()
        )
        due = place.next_at
        for number in range(32):
            kind, day = KINDS[number % len(KINDS)], local_time(zone, due).date()
            start = due + (timedelta(hours=10) if kind == "late" else timedelta(minutes=1))
            discord.advance((start - now()).total_seconds())
            due = next_occurrence(at, zone, due)
            if kind == "away":
                continue
            expected.append(day)
            async with running_bot(discord, database, role=Role.WORKER) as bot:
                if kind == "killed before":
                    await kill_while_posting(bot, faults.silence("POST", POSTS))
                elif kind == "killed after":
                    await kill_while_posting(bot, faults.hold("POST", POSTS, after_processing=True))
                elif kind == "dropped":
                    with faults.drop("POST", POSTS, after_processing=True):
                        await post_daily_puzzles(bot)
                elif kind == "refused":
                    with faults.refuse("POST", POSTS, status=HTTPStatus.SERVICE_UNAVAILABLE, times=None):
                        await post_daily_puzzles(bot)
                else:
                    await post_daily_puzzles(bot)
                await post_daily_puzzles(bot)  # claimed still, or done
            discord.advance(LEASE.total_seconds())
            async with running_bot(discord, database, role=Role.WORKER) as bot:
                for _ in range(3):
                    await post_daily_puzzles(bot)
    assert posted_days(channel) == expected
    assert len({str(one.buttons[0].custom_id).split(":")[1] for one in channel.messages}) == len(expected)


async def test_two_processes_post_once(discord: DiscordServer, database_url: str) -> None:
    guild = discord.guild("Salon")
    channel, now = guild.channel("games"), discord.world.clock.now
    async with (
        open_database(database_url) as database,
        open_database(database_url, 2) as other_database,
        running_bot(discord, database, role=Role.WORKER) as worker,
        running_bot(discord, other_database, role=Role.WORKER) as other,
    ):
        await store(database, 6)
        posts = worker.matches.daily_posts
        place, at = ids.stored_id(channel.id), parse_time_of_day("6")
        await posts.switch_on(ids.stored_id(guild.id), place, at, "UTC", by=EVE, now=now())
        for days in (1, 2):
            discord.advance(timedelta(days=1).total_seconds())
            await asyncio.gather(*(post_daily_puzzles(one) for one in (worker, other, worker, other)))
            assert len(posted_days(channel)) == days
        requests = [f"{one.method} {one.route}" for one in discord.requests]
        assert requests.count("POST /channels/{channel_id}/messages") == 2  # nobody else tried
        discord.advance(timedelta(days=1).total_seconds())
        await kill_while_posting(worker, discord.faults.hold("POST", POSTS, after_processing=True))
        await post_daily_puzzles(other)
        discord.advance(LEASE.total_seconds())
        await post_daily_puzzles(other)
        discord.advance(timedelta(days=1).total_seconds())
        await post_daily_puzzles(other)
    posted = posted_days(channel)
    assert posted == [posted[0] + timedelta(days=number) for number in range(4)]


async def test_process_without_the_servers_names_the_one_whose_channel_is_lost(
    discord: DiscordServer, database: Database
) -> None:
    guild = discord.guild("Salon")
    channel, now = guild.channel("games"), discord.world.clock.now
    async with running_bot(discord, database, role=Role.WORKER) as worker:
        await store(database, 2)
        server, place = ids.stored_id(guild.id), ids.stored_id(channel.id)
        await worker.matches.daily_posts.switch_on(
            server, place, parse_time_of_day("6"), "UTC", by=EVE, now=now()
        )
        discord.advance(timedelta(days=1).total_seconds())
        with discord.faults.refuse("POST", POSTS, status=HTTPStatus.FORBIDDEN, code=50013):
            await post_daily_puzzles(worker)
    async with database.read() as connection:
        details = (await connection.execute(select(OUTBOX.c.details))).scalar_one()
    assert json.loads(details)["server_name"] == "Salon"


@pytest.mark.parametrize("is_sent", [True, False])
async def test_killed_post_and_outage_of_days(env: BotEnvironment, eve: Member, is_sent: bool) -> None:
    await store(env.database, 4)
    await switch_on(env, eve)
    env.discord.advance(timedelta(days=1).total_seconds())
    place = await env.bot.matches.daily_posts.find(ids.stored_id(env.guild.id))
    assert place is not None
    day = local_time("UTC", place.next_at)
    faults = env.discord.faults
    await kill_while_posting(
        env.bot,
        faults.hold("POST", POSTS, after_processing=True) if is_sent else faults.silence("POST", POSTS),
    )
    await post_after(env, days=3)
    last = (day + timedelta(days=3)).date()
    assert posted_days(env.channel) == ([day.date(), last] if is_sent else [last])
    assert ("last puzzle" in env.latest_message.content) == is_sent


async def test_change_while_a_post_is_sent_brings_no_second_one(env: BotEnvironment, eve: Member) -> None:
    await store(env.database, 4)
    zone = f"UTC{12 - env.bot.now().hour:+d}"  # where it is past noon
    await switch_on(env, eve, "14:00", zone=zone)
    env.discord.advance(timedelta(hours=2).total_seconds())
    with env.discord.faults.hold("POST", POSTS, after_processing=True) as fault:
        posting = asyncio.create_task(post_daily_puzzles(env.bot))
        await fault.arrived.wait()
        await switch_on(env, eve, "18:00")
    await posting
    await post_after(env, hours=6)
    assert len(posted_days(env.channel)) == 1
    await post_after(env, days=1)
    assert len(set(posted_days(env.channel))) == 2
    assert "last puzzle" not in env.latest_message.content


async def test_opening_a_post_that_is_not_recorded_yet_counts(env: BotEnvironment, eve: Member) -> None:
    await store(env.database, 3)
    await switch_on(env, eve)
    env.discord.advance(timedelta(days=1).total_seconds())
    await kill_while_posting(env.bot, env.discord.faults.hold("POST", POSTS, after_processing=True))
    first = env.latest_message
    puzzle = await find_daily(env, first)
    await play(env, await env.alice.click(first, "Solve"), puzzle, 0, puzzle.line[0])
    env.discord.advance(LEASE.total_seconds())
    await post_daily_puzzles(env.bot)
    await post_after(env, days=1)
    assert len(posted_days(env.channel)) == 2
    assert "🏅 Solved at the first attempt: Alice." in env.latest_message.content
