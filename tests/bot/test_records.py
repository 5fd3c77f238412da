"""Imported records: shown as replays, whatever they contain, and continued in a match."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from matches import MAX_RECORD_BYTES, MatchId
from tests.bot.environment import labels
from tests.discord_server import Permission, Upload
from tests.engine.morabaraba_diagrams import from_men

if TYPE_CHECKING:
    from engine.game import Position
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Reply

HEAD = """[Game "morelli"]
[Rules "1"]
[Options "edition=nestor size=9 setup=facing seed=7"]
"""
PEOPLE = """[Black "Ann"]
[White "Ben"]
[Began "2026-04-30T18:00:00Z"]
"""
MOVES = """
1. C1-D2 {A quiet start.}
2. A2-B3
"""
OPENING = f'{HEAD}{PEOPLE}[Result "*"]\n{MOVES}*\n'
RESIGNED = f'{HEAD}{PEOPLE}[Result "white"]\n[Reason "resigned"]\n{MOVES}white\n'
OUT_OF_TIME = f'{HEAD}{PEOPLE}[Result "white"]\n[Reason "time"]\n{MOVES}white\n'
OVER = """[Game "morabaraba"]
[Rules "1"]
[Options "men=12"]
[Start "morabaraba 12 wr1/3/3/6/3/3/2w r 0,0 -"]
[Result "white"]

white
"""


QUIET = """[Game "morabaraba"]
[Rules "2"]
[Start "morabaraba 12 2w/1r1/1w1/w2r2/r2/3/w1r w 0,0 -"]
[Result "*"]
*
"""


async def import_record(env: BotEnvironment, text: str | bytes, by: Member | None = None) -> Reply:
    """Use /import, by default as Alice."""
    data = text.encode() if isinstance(text, str) else text
    reply = await (by or env.alice).command("import", {"file": Upload("game.txt", data)}, channel=env.channel)
    return await reply.wait_until_complete()


# Shown as a replay


async def test_record_is_shown_at_its_end_with_its_player_names(env: BotEnvironment) -> None:
    page = await import_record(env, OPENING)
    assert page.deferred
    assert page.ephemeral
    assert page.text.splitlines() == [
        "**Morelli, record 1**: Ann (Black) – Ben (White), later rules · 9 × 9 · Facing, 30 April 2026",
        "Turn 2 of 2: **White A2-B3**",
        "Ann (Black) to play.",
    ]
    assert len(page.attachments) == 1
    assert "Start a match from here" in labels(page)


@pytest.mark.long
async def test_record_can_be_paged_through_with_its_comments(env: BotEnvironment) -> None:
    turned = await env.alice.click(await import_record(env, OPENING), "Back")
    assert turned.updated
    assert turned.text.splitlines()[1:] == ["Turn 1 of 2: **Black C1-D2**", "“A quiet start.”"]
    assert "Start a match from here" not in labels(turned)
    film = await (await env.alice.click(turned, "Animation")).wait_until_complete()
    assert film.attachments[0].filename == "replay.gif"


async def test_record_can_be_opened_by_its_number(env: BotEnvironment) -> None:
    await import_record(env, OPENING)
    page = await env.bob.command("replay", {"record": 1, "turn": 1}, channel=env.channel)
    assert "record 1" in page.text
    assert "Turn 1 of 2" in page.text


async def test_record_of_another_server_is_unknown(env: BotEnvironment) -> None:
    await import_record(env, OPENING)
    elsewhere = env.discord.guild("Elsewhere")
    eve = elsewhere.member("Eve")
    reply = await eve.command("replay", {"record": 1}, channel=elsewhere.channel("hall"))
    assert "There is no such record here" in reply.text


async def test_record_can_be_shared(env: BotEnvironment) -> None:
    post = await env.alice.click(await import_record(env, OPENING), "Post it here")
    assert not post.ephemeral
    assert "Turn 2 of 2" in env.latest_message.text


@pytest.mark.parametrize(
    ("record", "expected"),
    [(RESIGNED, "White (Ben) wins. Ann resigns."), (OUT_OF_TIME, "White (Ben) wins. Ann ran out of time.")],
)
async def test_result_of_a_record_is_shown(env: BotEnvironment, record: str, expected: str) -> None:
    assert expected in (await import_record(env, record)).text


@pytest.mark.long
async def test_exported_match_can_be_imported(env: BotEnvironment) -> None:
    await env.start_match()
    await env.move(env.alice, "C1-D2")
    await env.move(env.bob, "A2-B3")
    away = await (await env.alice.command("export", {}, channel=env.channel)).wait_until_complete()
    page = await import_record(env, away.attachments[0].data)
    assert "Alice (Black) – Bob (White)" in page.text
    here = await env.alice.command("replay", {"turn": 2}, channel=env.channel)
    assert page.attachments[0].data == here.attachments[0].data


async def test_names_in_a_record_are_escaped(env: BotEnvironment) -> None:
    bob = f"<@{env.bob.id}>"
    hostile = OPENING.replace("Ann", f"{bob} @everyone **x** [y](https://evil.example)").replace(
        "Ben", "a\\nb\\u202ec `d`"
    )
    page = await import_record(
        env, hostile.replace("A quiet start.", f"# {bob} <#1> ||z|| http://evil.example/")
    )
    first = await env.alice.click(page, "Back")
    post = await env.alice.click(first, "Post it here")
    assert env.bob.pings == []
    expected = post.text
    assert bob not in expected
    assert f"\\<\\@{env.bob.id}\\>" in expected
    assert "a bc \\`d\\`" in expected
    assert "\\*\\*x\\*\\*" in expected
    assert "\\|\\|z\\|\\|" in expected
    assert "://" not in expected
    assert expected.count("\n") == 2


@pytest.mark.long
async def test_long_names_and_comments_are_truncated(env: BotEnvironment) -> None:
    long = OPENING.replace("Ann", "A" * 5000).replace("A quiet start.", "B" * 50_000)
    page = await env.alice.click(await import_record(env, long), "Back")
    assert "A" * 59 + "…" in page.text
    assert "B" * 299 + "…" in page.text
    assert len(page.text) < 2000


async def test_players_without_a_name_get_a_placeholder(env: BotEnvironment) -> None:
    page = await import_record(env, f'{HEAD}[White "   "]\n[Result "*"]\n{MOVES}*\n')
    assert "Unknown (Black) – Unknown (White)" in page.text


# Refused


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "Line 1, column 1: "),
        ("hello", "Line 1, column 1: "),
        (b"\xff\xfe\x00", "Line 1, column 1: "),
        (b"\x89PNG\r\n\x1a\n", "Line 1, column 1: "),
        (OPENING.replace("A2-B3", "A2-A3"), "Line 10, column 4: "),
        (OPENING.replace("size=9", "size=8"), "Line 3, column "),
        (OPENING.replace("2. A2-B3\n*", "2. A2-B3\nwhite"), "Line 11, column 1: "),
    ],
)
async def test_malformed_file_is_refused_with_the_location_of_the_error(
    env: BotEnvironment, text: str | bytes, expected: str
) -> None:
    reply = await import_record(env, text)
    assert reply.ephemeral
    assert reply.text.startswith(f"This file is not a valid record. {expected}")
    assert "\n" not in reply.text


async def test_too_large_file_is_not_downloaded(env: BotEnvironment) -> None:
    before = len(env.discord.requests)
    reply = await env.alice.command(
        "import", {"file": Upload("game.txt", b" " * (MAX_RECORD_BYTES + 1))}, channel=env.channel
    )
    assert f"A record can have at most {MAX_RECORD_BYTES}" in reply.text
    assert reply.ephemeral
    assert [one.method for one in env.discord.requests[before:]] == ["POST"]


async def test_failed_download_is_reported(env: BotEnvironment) -> None:
    thinking = env.discord.faults.hold("POST", "/interactions/**", after_processing=True)
    file = Upload("game.txt", OPENING.encode())
    reply = await env.alice.command("import", {"file": file}, channel=env.channel)
    env.discord.world.attachments.clear()
    thinking.release()
    assert "Discord did not send the file" in (await reply.wait_until_complete()).text


# Continued


async def continue_from_record(env: BotEnvironment, record: str = OPENING) -> Reply:
    """Import a record and open its form for a challenge."""
    return await env.alice.click(await import_record(env, record), "Start a match from here")


@pytest.mark.long
async def test_match_starts_from_the_final_position_of_a_record(env: BotEnvironment) -> None:
    sheet = await continue_from_record(env)
    assert sheet.ephemeral
    assert (
        "Who do you want to challenge, to continue from the end of record 1? **Black** plays next."
        in sheet.text
    )
    sheet = await env.alice.select(sheet, "Your colour", ["Black"])
    done = await env.alice.select(sheet, "A player", [env.bob])
    await env.wait_until_idle()
    assert done.text == "The challenge is posted."
    assert done.buttons == []
    challenge = env.latest_message
    assert "It continues from the end of record 1." in challenge.text
    assert env.bob.pings == [challenge]
    board = await env.wait_for_board(after=await env.bob.click(challenge, "Accept"))
    assert env.alice.pings == [board]
    assert "Alice (Black)" in board.text
    assert "Black D1-E2" in (await env.move(env.alice, "D1-E2")).text
    replay = await env.bob.command("replay", {"turn": 1}, channel=env.channel)
    assert "Turn 1 of 1: **Black D1-E2**" in replay.text


@pytest.mark.long
async def test_a_hundred_turns_without_a_capture_end_a_match_as_a_draw(env: BotEnvironment) -> None:
    await env.alice.click(await continue_from_record(env, QUIET), "Anyone here")
    await env.wait_until_idle()
    await env.wait_for_board(after=await env.bob.click(env.latest_message, "Accept"))
    view = await env.bot.matches.view(MatchId(1), now=env.bot.now())
    people = {f"discord:{person.id}": person for person in (env.alice, env.bob)}
    posts = []
    for turn in range(100):
        assert view.to_move is not None
        text = ("A1-D1", "G1-G4", "D1-A1", "G4-G1")[turn % 4]
        posts.append(await env.move(people[view.to_move.person.account], text))
        view = await env.bot.matches.view(view.id, now=env.bot.now())
    assert ["Without a capture" in post.text for post in posts] == [False] * 79 + [True] * 20 + [False]
    assert "You play **White**. Without a capture, the game is a draw after 20 more turns." in posts[79].text
    assert "You play **Red**. Without a capture, the next turn ends the game as a draw." in posts[98].text
    drawn = posts[99].text.splitlines()
    assert drawn[1] == "**It is a draw. Nothing was captured in a hundred turns.**"
    assert "Nothing was captured in a hundred turns." in (posts[99].attachments[0].description or "")
    assert "Rematch" in labels(posts[99])


async def test_challenge_from_a_record_shows_its_board(env: BotEnvironment) -> None:
    await env.alice.select(await continue_from_record(env), "A player", [env.bob])
    await env.wait_until_idle()
    page = await env.bob.click(env.latest_message, "See the board")
    assert page.ephemeral
    assert "Turn 2 of 2: **White A2-B3**" in page.text


async def test_challenge_from_a_record_has_the_default_time_control(env: BotEnvironment) -> None:
    boss = env.guild.member("Boss")
    env.channel.allow(boss, Permission.MANAGE_GUILD)
    panel = await boss.command("settings", {}, channel=env.channel)
    await boss.select(panel, "Usual time control", ["5 days per move"])
    await env.alice.select(await continue_from_record(env), "A player", [env.bob])
    await env.wait_until_idle()
    assert (
        "5 days per move · on time-out the opponent may claim the win · not rated" in env.latest_message.text
    )


async def test_anybody_can_accept_an_open_challenge_from_a_record(env: BotEnvironment) -> None:
    await env.alice.click(await continue_from_record(env), "Anyone here")
    await env.wait_until_idle()
    challenge = env.latest_message
    assert "challenges anyone" in challenge.text
    assert env.bob.pings == []
    eve = env.guild.member("Eve")
    board = await env.wait_for_board(after=await eve.click(challenge, "Accept"))
    assert "Eve (" in board.text


async def test_challenge_from_a_record_is_refused_like_any_other(env: BotEnvironment) -> None:
    sheet = await continue_from_record(env)
    reply = await env.alice.select(sheet, "A player", [env.alice])
    assert "You cannot challenge yourself" in reply.text
    assert reply.ephemeral
    assert env.channel.messages == []


async def test_selected_colour_is_kept(env: BotEnvironment) -> None:
    sheet = await env.alice.select(await continue_from_record(env), "Your colour", ["White"])
    assert sheet.updated
    await env.alice.click(sheet, "Anyone here")
    await env.wait_until_idle()
    assert "Alice plays White." in env.latest_message.text


async def test_finished_game_cannot_be_continued(env: BotEnvironment) -> None:
    page = await import_record(env, OVER)
    assert "White (Unknown) wins." in page.text
    assert "Start a match from here" not in labels(page)


@pytest.mark.long
@pytest.mark.parametrize(
    ("start", "colour", "move", "expected"),
    [
        (from_men("A1 A4 D7 D5", "G7 G1 F2"), "White", "D7-A7xG7", "Red has fewer than three men left."),
        (from_men("A1 A4 A7 D1", "B4 B2 B6 G7 D2 G1", side="r"), "Red", "G7-D7", "White cannot move."),
    ],
)
async def test_result_says_which_end_of_morabaraba_it_was(
    env: BotEnvironment, start: Position, colour: str, move: str, expected: str
) -> None:
    record = f'[Game "morabaraba"]\n[Rules "1"]\n[Options "men=12"]\n[Start "{start}"]\n[Result "*"]\n\n*\n'
    sheet = await env.alice.select(await continue_from_record(env, record), "Your colour", [colour])
    await env.alice.select(sheet, "A player", [env.bob])
    await env.wait_until_idle()
    await env.wait_for_board(after=await env.bob.click(env.latest_message, "Accept"))
    assert f"{colour} (Alice) wins. {expected}" in (await env.move(env.alice, move)).text
    exported = await (await env.alice.command("export", {}, channel=env.channel)).wait_until_complete()
    page = await import_record(env, exported.attachments[0].data)
    assert f"{colour} (Alice) wins. {expected}" in page.text


async def test_resigned_game_can_be_continued(env: BotEnvironment) -> None:
    assert "Start a match from here" in labels(await import_record(env, RESIGNED))
