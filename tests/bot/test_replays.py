"""Replaying a match in one message, its animation, and its export."""

# ruff: noqa: RUF001 - the texts contain typographic characters

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from tests.bot.environment import running_bot
from tests.databases import open_database
from tests.discord_server import Permission
from tests.discord_server.attachments import image_size

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Attachment, Message, Reply

POST = "POST /interactions/{interaction_id}/{interaction_token}/callback"
EDIT = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
OPENING = ("C1-D2", "A2-B3", "D1-E2")


async def start_and_play(env: BotEnvironment, *texts: str) -> Message:
    """Start a match and play; return the last post."""
    post = await env.start_match()
    for mover, text in zip((env.alice, env.bob) * len(texts), texts, strict=False):
        post = (await env.move(mover, text)).shown
    return post


async def open_replay(env: BotEnvironment, **options: Any) -> Reply:
    """Use /replay as Alice."""
    return await env.alice.command("replay", options, channel=env.channel)


def turn_line(message: Message | Reply) -> str:
    """Return the line of a page that describes the turn."""
    return message.text.splitlines()[1]


def enabled_buttons(message: Message | Reply) -> list[str | None]:
    """Return the labels of the enabled buttons."""
    return [button.label for button in message.buttons if not button.disabled]


def picture(message: Message | Reply) -> Attachment:
    """Return the only attachment."""
    (found,) = message.attachments
    return found


def frames(gif: bytes) -> int:
    """Return the number of frames of a GIF."""
    opened = Image.open(BytesIO(gif))
    assert opened.format == "GIF"
    return getattr(opened, "n_frames", 1)


async def test_replay_opens_at_the_start_in_an_ephemeral_message(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    page = await open_replay(env)
    assert page.ephemeral
    assert page.text.splitlines() == [
        "**Morelli #1**: Alice (Black) – Bob (White), later rules · 9 × 9 · Facing",
        "The first board. 3 turns follow.",
    ]
    assert enabled_buttons(page) == ["Forward", "Last", "Flip board", "Animation", "Post it here", "What if"]


async def test_pages_are_shown_in_one_message(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    page = await open_replay(env)
    turn_lines = []
    for label in ("Forward", "Forward", "Back", "Last", "First"):
        turned = await env.alice.click(page, label)
        assert turned.updated
        turn_lines.append(turn_line(turned))
    assert turn_lines == [
        "Turn 1 of 3: **Black C1-D2**",
        "Turn 2 of 3: **White A2-B3**",
        "Turn 1 of 3: **Black C1-D2**",
        "Turn 3 of 3: **Black D1-E2**",
        "The first board. 3 turns follow.",
    ]
    assert env.alice.visible_messages(env.channel)[-1] is page.message


@pytest.mark.long
async def test_page_takes_one_request(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    page = await open_replay(env)
    before = len(env.discord.requests)
    await env.alice.click(page, "Forward")
    assert env.request_routes()[before:] == [POST]


@pytest.mark.long
async def test_last_page_shows_who_is_to_move(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    page = await env.alice.click(await open_replay(env), "Last")
    assert page.text.splitlines()[2] == "Bob (White) to play."
    assert enabled_buttons(page) == [
        "First",
        "Back",
        "Last",
        "Flip board",
        "Animation",
        "Post it here",
        "What if",
    ]


@pytest.mark.long
async def test_last_page_of_an_ongoing_match_can_be_reloaded(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    page = await env.alice.click(await open_replay(env), "Last")
    await env.move(env.bob, "A3-B4")
    assert turn_line(await env.alice.click(page, "Last")) == "Turn 4 of 4: **White A3-B4**"


async def test_last_page_of_a_finished_match_shows_the_result(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    await env.bob.click(await env.bob.command("resign", {"match": "1"}, channel=env.channel), "Resign")
    page = await open_replay(env, turn=3)
    assert page.text.splitlines()[2] == "Black (Alice) wins. Bob resigns."
    assert enabled_buttons(page) == [
        "First",
        "Back",
        "Flip board",
        "Animation",
        "Post it here",
        "Analyse",
        "What if",
    ]


async def test_post_of_the_result_opens_the_replay(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    await env.bob.click(await env.bob.command("resign", {"match": "1"}, channel=env.channel), "Resign")
    post = await env.channel.wait_for(lambda one: "resigns" in one.text)
    page = await env.guild.member("Eve").click(post, "Replay")
    assert page.ephemeral
    assert turn_line(page) == "The first board. 3 turns follow."


@pytest.mark.long
async def test_picture_and_alt_text_show_the_turn(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    page = await open_replay(env, turn=1)
    shown = picture(page)
    assert image_size(shown.data)
    assert shown.description is not None
    assert shown.description.startswith("Morelli #1. Turn 1 of 3: Black C1-D2\n")
    assert "\n2 w . . b . . . . w\n" in shown.description
    other = picture(await env.alice.click(page, "Forward"))
    assert other.data != shown.data


@pytest.mark.long
async def test_board_is_oriented_to_the_own_side_and_can_be_flipped(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    mine = await open_replay(env, turn=1)
    his = await env.bob.command("replay", {"turn": 1}, channel=env.channel)
    assert picture(mine).data != picture(his).data
    before = picture(his).data
    flipped = await env.alice.click(mine, "Flip board")
    assert turn_line(flipped) == "Turn 1 of 3: **Black C1-D2**"
    assert picture(flipped).data == before
    assert picture(await env.alice.click(flipped, "Forward")).data != before


async def test_series_of_placements_is_one_turn(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A2")
    await env.move(env.bob, "A3 A4")
    page = await open_replay(env, turn=2)
    assert turn_line(page) == "Turn 2 of 2: **White places A3 and A4**"


@pytest.mark.long
async def test_unfinished_series_is_not_shown(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A2")
    await env.move(env.bob, "A3")
    page = await open_replay(env, turn=9)
    assert turn_line(page) == "Turn 1 of 1: **Black places A2**"
    assert "A3" not in page.text
    assert picture(page).description is not None
    assert "\n3 . . ." in str(picture(page).description)


async def test_anyone_in_the_server_can_replay_a_match(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    eve = env.guild.member("Eve")
    page = await eve.command("replay", {}, channel=env.channel)
    assert turn_line(await eve.click(page, "Last")) == "Turn 3 of 3: **Black D1-E2**"


@pytest.mark.long
async def test_public_replay_can_be_paged_by_anybody(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    pings = len(env.alice.pings)
    page = await open_replay(env, public=True)
    assert not page.ephemeral
    assert "Post it here" not in enabled_buttons(page)
    turned = await env.guild.member("Eve").click(page, "Forward")
    assert turned.message is page.message
    assert turn_line(env.latest_message) == "Turn 1 of 3: **Black C1-D2**"
    assert len(env.alice.pings) == pings


@pytest.mark.long
async def test_page_can_be_shared(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    post = await env.alice.click(await open_replay(env, turn=2), "Post it here")
    assert not post.ephemeral
    assert turn_line(env.latest_message) == "Turn 2 of 3: **White A2-B3**"
    assert "Post it here" not in enabled_buttons(post)


@pytest.mark.long
async def test_public_replay_needs_permissions(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    env.channel.deny(env.guild.bot_member, Permission.ATTACH_FILES)
    for reply in (
        await open_replay(env, public=True),
        await env.alice.click(await open_replay(env), "Post it here"),
    ):
        assert "I need the permission Attach Files" in reply.text
        assert reply.ephemeral


@pytest.mark.long
async def test_pages_work_after_a_restart_and_after_months(env: BotEnvironment, database_file: Path) -> None:
    await start_and_play(env, *OPENING)
    page = await open_replay(env, public=True)
    await env.bot.close()
    env.discord.advance(180 * 24 * 3600)
    async with (
        open_database(f"sqlite+aiosqlite:///{database_file}", 2) as database,
        running_bot(env.discord, database),
    ):
        assert turn_line(await env.bob.click(page, "Forward")) == "Turn 1 of 3: **Black C1-D2**"


async def test_default_is_the_newest_match_here_preferring_the_own(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    eve = env.guild.member("Eve")
    await eve.click(
        await env.bob.command(
            "challenge", {"opponent": eve, "board": "9", "start": "adjacent"}, channel=env.channel
        ),
        "Accept",
    )
    assert "Morelli #1" in (await open_replay(env)).text
    assert "Morelli #2" in (await env.bob.command("replay", {}, channel=env.channel)).text
    assert "Morelli #2" in (await env.guild.member("Ivy").command("replay", {}, channel=env.channel)).text


@pytest.mark.long
async def test_finished_matches_are_suggested(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    await env.bob.click(await env.bob.command("resign", {"match": "1"}, channel=env.channel), "Resign")
    await start_and_play(env)
    choices = await env.alice.autocomplete("replay", {"match": "bob"}, focused="match", channel=env.channel)
    assert [(choice.name, choice.value) for choice in choices] == [
        ("Morelli: Alice – Bob (#2)", "2"),
        ("Morelli: Alice – Bob (#1), over", "1"),
    ]
    assert (
        await env.alice.autocomplete("replay", {"match": "eve"}, focused="match", channel=env.channel) == []
    )


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, "No match has been played in this channel yet"),
        ({"match": "7"}, "There is no match #7 on this server"),
        ({"match": "mine"}, "mine is not a match number"),
        ({"record": 7}, "There is no such record here"),
        ({"record": -1}, "There is no such record here"),
    ],
)
async def test_unknown_games_are_refused(env: BotEnvironment, options: dict[str, Any], expected: str) -> None:
    reply = await open_replay(env, **options)
    assert expected in reply.text
    assert reply.ephemeral


async def test_match_of_another_server_is_unknown(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    elsewhere = env.discord.guild("Elsewhere")
    eve = elsewhere.member("Eve")
    for command in ("replay", "export"):
        reply = await eve.command(command, {"match": "1"}, channel=elsewhere.channel("hall"))
        assert "There is no match #1 on this server" in reply.text


async def test_match_without_a_board_cannot_be_replayed(env: BotEnvironment) -> None:
    await env.start_match(start="fists")
    assert "Both of you have to pick a start first" in (await open_replay(env, match="1")).text
    await env.bob.click(await env.bob.command("resign", {"match": "1"}, channel=env.channel), "Resign")
    assert "ended before it had a board" in (await open_replay(env)).text


# Animation


@pytest.mark.long
async def test_animation_is_deferred_and_shows_every_turn(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    page = await open_replay(env)
    before = len(env.discord.requests)
    reply = await (await env.alice.click(page, "Animation")).wait_until_complete()
    assert reply.deferred
    assert reply.ephemeral
    assert env.request_routes()[before:] == [POST, EDIT]
    film = picture(reply)
    assert film.filename == "replay.gif"
    assert frames(film.data) == 4
    assert film.description is not None
    assert film.description.startswith("Animation of 3 turns. Morelli #1: Alice (Black) – Bob (White)")
    assert "Bob (White) to play." in film.description


async def test_animation_can_be_shared(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    film = await (await env.alice.click(await open_replay(env), "Animation")).wait_until_complete()
    post = await (await env.alice.click(film, "Post it here")).wait_until_complete()
    assert not post.ephemeral
    assert post.buttons == []
    assert picture(post).data == picture(film).data


@pytest.mark.long
async def test_animation_has_the_orientation_of_the_page(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    page = await open_replay(env)
    film = await (await env.alice.click(page, "Animation")).wait_until_complete()
    flipped = await env.alice.click(page, "Flip board")
    other = await (await env.alice.click(flipped, "Animation")).wait_until_complete()
    assert picture(film).data != picture(other).data


# Export


async def export_match(env: BotEnvironment, **options: Any) -> Reply:
    """Use /export as Alice."""
    return await (await env.alice.command("export", options, channel=env.channel)).wait_until_complete()


@pytest.mark.long
async def test_export_sends_record_picture_and_animation_in_one_message(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    before = len(env.discord.requests)
    reply = await export_match(env)
    assert env.request_routes()[before:] == [POST, EDIT]
    assert reply.ephemeral
    assert reply.text.splitlines()[:2] == [
        "**Morelli #1**: Alice (Black) – Bob (White), later rules · 9 × 9 · Facing",
        "Bob (White) to play.",
    ]
    record, board, film = reply.attachments
    assert [file.filename for file in reply.attachments] == ["match-1.txt", "match-1.png", "match-1.gif"]
    assert record.data.decode().splitlines()[-4:] == ["1. C1-D2", "2. A2-B3", "3. D1-E2", "*"]
    assert image_size(board.data)
    assert frames(film.data) == 4
    assert all(file.description for file in (board, film))


async def test_exported_record_has_names_but_no_account_ids(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    text = (await export_match(env)).attachments[0].data.decode()
    assert '[Black "Alice"]' in text
    assert str(env.alice.id) not in text
    assert str(env.guild.id) not in text
    assert str(env.channel.id) not in text


@pytest.mark.long
async def test_export_can_be_shared(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    private = await export_match(env)
    public = await (await env.alice.click(private, "Post it here")).wait_until_complete()
    assert not public.ephemeral
    assert public.buttons == []
    assert [file.data for file in public.attachments] == [file.data for file in private.attachments]
    assert not (await export_match(env, public=True)).ephemeral


@pytest.mark.long
async def test_export_of_a_finished_match_shows_the_result(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    await env.bob.click(await env.bob.command("resign", {"match": "1"}, channel=env.channel), "Resign")
    reply = await export_match(env)
    assert "Black (Alice) wins. Bob resigns." in reply.text
    assert '[Result "black"]\n[Reason "resigned"]' in reply.attachments[0].data.decode()


@pytest.mark.long
async def test_animation_is_scaled_down_to_the_file_size_limit(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    widths = []
    for limit in (10_000_000, 45_000, 30_000):
        env.discord.settings.attachment_limit = limit
        files = (await export_match(env)).attachments
        assert sum(file.size for file in files) <= limit
        size = image_size(files[2].data)
        assert size is not None
        widths.append(size[0])
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == 500 > widths[1]


@pytest.mark.long
async def test_animation_that_cannot_fit_is_omitted(env: BotEnvironment) -> None:
    await start_and_play(env, *OPENING)
    env.discord.settings.attachment_limit = 21_000
    reply = await export_match(env)
    assert [file.filename for file in reply.attachments] == ["match-1.txt", "match-1.png"]
    assert "The animation is too large for a file here" in reply.text


@pytest.mark.long
@pytest.mark.parametrize("command", ["replay", "export"])
async def test_only_its_players_post_a_match_of_a_closed_channel_elsewhere(
    env: BotEnvironment, command: str
) -> None:
    club, carol = env.guild.channel("club"), env.guild.member("Carol")
    club.set_public(is_public=False)
    for person in (env.alice, env.bob, carol):
        club.allow(person, Permission.VIEW_CHANNEL)
    board = await replace(env, channel=club).start_match()
    refused = await carol.command(command, {"match": "1", "public": True}, channel=env.channel)
    assert refused.ephemeral
    assert "Only its players can post it here" in refused.text
    shared = await (await carol.command(command, {"match": "1"}, channel=env.channel)).wait_until_complete()
    refused = await carol.click(shared, "Post it here")
    assert "Only its players can post it here" in refused.text
    assert env.channel.messages == []
    posted = await env.alice.command(command, {"match": "1", "public": True}, channel=env.channel)
    await posted.wait_until_complete()
    assert len(env.channel.messages) == 1
    inside = await carol.command(command, {"match": "1", "public": True}, channel=club)
    await inside.wait_until_complete()
    assert club.messages[-1].id > board.id
