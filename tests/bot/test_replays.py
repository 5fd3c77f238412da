"""Paging through a match in one message, its animation, and taking it away."""

# ruff: noqa: RUF001 - the texts carry the signs of good print

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from matches import Store
from tests.bot.stage import bot_over
from tests.discord_server import Permission
from tests.discord_server.attachments import image_size

if TYPE_CHECKING:
    from pathlib import Path

    from tests.bot.stage import Stage
    from tests.discord_server import Attachment, Message, Reply

POST = "POST /interactions/{interaction_id}/{interaction_token}/callback"
EDIT = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
OPENING = ("C1-D2", "A2-B3", "D1-E2")


async def played(stage: Stage, *texts: str) -> Message:
    """Start a match and play; give the last post."""
    post = await stage.start()
    for mover, text in zip((stage.alice, stage.bob) * len(texts), texts, strict=False):
        post = (await stage.move(mover, text)).shown
    return post


async def replay(stage: Stage, **options: Any) -> Reply:
    return await stage.alice.command("replay", options, channel=stage.channel)


def place(message: Message | Reply) -> str:
    """Give the line of a page that tells the turn."""
    return message.text.splitlines()[1]


def usable(message: Message | Reply) -> list[str | None]:
    return [button.label for button in message.buttons if not button.disabled]


def picture(message: Message | Reply) -> Attachment:
    (found,) = message.attachments
    return found


def frames(gif: bytes) -> int:
    opened = Image.open(BytesIO(gif))
    assert opened.format == "GIF"
    return getattr(opened, "n_frames", 1)


async def test_replay_opens_at_the_beginning_in_private(stage: Stage) -> None:
    await played(stage, *OPENING)
    page = await replay(stage)
    assert page.ephemeral
    assert page.text.splitlines() == [
        "**Morelli, match 1**: Alice (Black) – Bob (White), later rules · 9 × 9 · Facing",
        "The first board; 3 turns follow.",
    ]
    assert usable(page) == ["Forward", "Last", "Flip board", "Animation", "Post it here", "What if"]


async def test_pages_are_turned_in_one_message(stage: Stage) -> None:
    await played(stage, *OPENING)
    page = await replay(stage)
    told = []
    for label in ("Forward", "Forward", "Back", "Last", "First"):
        turned = await stage.alice.click(page, label)
        assert turned.updated
        told.append(place(turned))
    assert told == [
        "Turn 1 of 3: **Black C1-D2**",
        "Turn 2 of 3: **White A2-B3**",
        "Turn 1 of 3: **Black C1-D2**",
        "Turn 3 of 3: **Black D1-E2**",
        "The first board; 3 turns follow.",
    ]
    assert stage.alice.sees(stage.channel)[-1] is page.message


async def test_page_is_one_request(stage: Stage) -> None:
    await played(stage, *OPENING)
    page = await replay(stage)
    before = len(stage.discord.requests)
    await stage.alice.click(page, "Forward")
    assert stage.requests()[before:] == [POST]


async def test_last_page_tells_who_is_to_move(stage: Stage) -> None:
    await played(stage, *OPENING)
    page = await stage.alice.click(await replay(stage), "Last")
    assert page.text.splitlines()[2] == "Bob (White) is to move."
    assert usable(page) == ["First", "Back", "Last", "Flip board", "Animation", "Post it here", "What if"]


async def test_last_page_of_a_match_that_goes_on_looks_again(stage: Stage) -> None:
    await played(stage, *OPENING)
    page = await stage.alice.click(await replay(stage), "Last")
    await stage.move(stage.bob, "A3-B4")
    assert place(await stage.alice.click(page, "Last")) == "Turn 4 of 4: **White A3-B4**"


async def test_last_page_of_a_match_that_is_over_tells_the_result(stage: Stage) -> None:
    await played(stage, *OPENING)
    await stage.bob.click(await stage.bob.command("resign", {"match": "1"}, channel=stage.channel), "Resign")
    page = await replay(stage, turn=3)
    assert page.text.splitlines()[2] == "Black (Alice) wins. Bob resigns."
    assert usable(page) == ["First", "Back", "Flip board", "Animation", "Post it here", "What if"]


async def test_post_of_the_result_opens_the_replay(stage: Stage) -> None:
    await played(stage, *OPENING)
    await stage.bob.click(await stage.bob.command("resign", {"match": "1"}, channel=stage.channel), "Resign")
    post = await stage.channel.wait_for(lambda one: "resigns" in one.text)
    page = await stage.guild.member("Eve").click(post, "Replay")
    assert page.ephemeral
    assert place(page) == "The first board; 3 turns follow."


async def test_picture_and_alternative_text_tell_the_turn(stage: Stage) -> None:
    await played(stage, *OPENING)
    page = await replay(stage, turn=1)
    shown = picture(page)
    assert image_size(shown.data)
    assert shown.description is not None
    assert shown.description.startswith("Turn 1 of 3: Black C1-D2\n")
    assert "\n2 w . . b . . . . w\n" in shown.description
    other = picture(await stage.alice.click(page, "Forward"))
    assert other.data != shown.data


async def test_board_is_seen_from_ones_own_side_and_flipped(stage: Stage) -> None:
    await played(stage, *OPENING)
    mine = await replay(stage, turn=1)
    his = await stage.bob.command("replay", {"turn": 1}, channel=stage.channel)
    assert picture(mine).data != picture(his).data
    before = picture(his).data
    flipped = await stage.alice.click(mine, "Flip board")
    assert place(flipped) == "Turn 1 of 3: **Black C1-D2**"
    assert picture(flipped).data == before
    assert picture(await stage.alice.click(flipped, "Forward")).data != before


async def test_set_up_run_is_one_turn(stage: Stage) -> None:
    await stage.start(start="free")
    await stage.move(stage.alice, "A2")
    await stage.move(stage.bob, "A3 A4")
    page = await replay(stage, turn=2)
    assert place(page) == "Turn 2 of 2: **White places A3 and A4**"


async def test_run_under_way_is_not_shown(stage: Stage) -> None:
    await stage.start(start="free")
    await stage.move(stage.alice, "A2")
    await stage.move(stage.bob, "A3")
    page = await replay(stage, turn=9)
    assert place(page) == "Turn 1 of 1: **Black places A2**"
    assert "A3" not in page.text
    assert picture(page).description is not None
    assert "\n3 . . ." in str(picture(page).description)


async def test_anyone_here_may_watch(stage: Stage) -> None:
    await played(stage, *OPENING)
    eve = stage.guild.member("Eve")
    page = await eve.command("replay", {}, channel=stage.channel)
    assert place(await eve.click(page, "Last")) == "Turn 3 of 3: **Black D1-E2**"


async def test_replay_for_all_is_turned_by_anybody(stage: Stage) -> None:
    await played(stage, *OPENING)
    pings = len(stage.alice.pings)
    page = await replay(stage, public=True)
    assert not page.ephemeral
    assert "Post it here" not in usable(page)
    turned = await stage.guild.member("Eve").click(page, "Forward")
    assert turned.message is page.message
    assert place(stage.latest) == "Turn 1 of 3: **Black C1-D2**"
    assert len(stage.alice.pings) == pings


async def test_page_is_posted_for_all(stage: Stage) -> None:
    await played(stage, *OPENING)
    post = await stage.alice.click(await replay(stage, turn=2), "Post it here")
    assert not post.ephemeral
    assert place(stage.latest) == "Turn 2 of 3: **White A2-B3**"
    assert "Post it here" not in usable(post)


async def test_what_is_for_all_needs_permissions(stage: Stage) -> None:
    await played(stage, *OPENING)
    stage.channel.deny(stage.guild.bot_member, Permission.ATTACH_FILES)
    for reply in (
        await replay(stage, public=True),
        await stage.alice.click(await replay(stage), "Post it here"),
    ):
        assert "I lack the permission Attach Files" in reply.text
        assert reply.ephemeral


async def test_pages_work_after_a_restart_and_after_months(stage: Stage, database: Path) -> None:
    await played(stage, *OPENING)
    page = await replay(stage, public=True)
    await stage.bot.close()
    stage.discord.advance(180 * 24 * 3600)
    async with await Store.open(f"sqlite+aiosqlite:///{database}") as store, bot_over(stage.discord, store):
        assert place(await stage.bob.click(page, "Forward")) == "Turn 1 of 3: **Black C1-D2**"


async def test_newest_match_here_is_meant_ones_own_first(stage: Stage) -> None:
    await played(stage, *OPENING)
    eve = stage.guild.member("Eve")
    await eve.click(
        await stage.bob.command(
            "challenge", {"opponent": eve, "board": "9", "start": "adjacent"}, channel=stage.channel
        ),
        "Accept",
    )
    assert "match 1" in (await replay(stage)).text
    assert "match 2" in (await stage.bob.command("replay", {}, channel=stage.channel)).text
    assert "match 2" in (await stage.guild.member("Ivy").command("replay", {}, channel=stage.channel)).text


async def test_match_over_can_be_chosen_by_name(stage: Stage) -> None:
    await played(stage, *OPENING)
    await stage.bob.click(await stage.bob.command("resign", {"match": "1"}, channel=stage.channel), "Resign")
    await played(stage)
    choices = await stage.alice.autocomplete(
        "replay", {"match": "bob"}, focused="match", channel=stage.channel
    )
    assert [(choice.name, choice.value) for choice in choices] == [
        ("Match 2: Morelli, Alice – Bob", "2"),
        ("Match 1: Morelli, Alice – Bob (over)", "1"),
    ]
    assert (
        await stage.alice.autocomplete("replay", {"match": "eve"}, focused="match", channel=stage.channel)
        == []
    )


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({}, "No match has been played in this channel yet"),
        ({"match": "7"}, "I know no match 7 here"),
        ({"match": "mine"}, "mine is no number of a match"),
        ({"record": 7}, "I know no such record here"),
        ({"record": -1}, "I know no such record here"),
    ],
)
async def test_what_is_not_there_is_told(stage: Stage, options: dict[str, Any], told: str) -> None:
    reply = await replay(stage, **options)
    assert told in reply.text
    assert reply.ephemeral


async def test_match_of_another_server_is_unknown(stage: Stage) -> None:
    await played(stage, *OPENING)
    elsewhere = stage.discord.guild("Elsewhere")
    eve = elsewhere.member("Eve")
    for command in ("replay", "export"):
        reply = await eve.command(command, {"match": "1"}, channel=elsewhere.channel("hall"))
        assert "I know no match 1 here" in reply.text


async def test_match_without_a_board_cannot_be_replayed(stage: Stage) -> None:
    await stage.start(start="fists")
    assert "both of you have to pick first" in (await replay(stage, match="1")).text
    await stage.bob.click(await stage.bob.command("resign", {"match": "1"}, channel=stage.channel), "Resign")
    assert "ended before there was a board" in (await replay(stage)).text


# The animation.


async def test_animation_says_that_it_is_under_way_and_shows_every_turn(stage: Stage) -> None:
    await played(stage, *OPENING)
    page = await replay(stage)
    before = len(stage.discord.requests)
    reply = await (await stage.alice.click(page, "Animation")).finished()
    assert reply.deferred
    assert reply.ephemeral
    assert stage.requests()[before:] == [POST, EDIT]
    film = picture(reply)
    assert film.filename == "replay.gif"
    assert frames(film.data) == 4
    assert film.description is not None
    assert film.description.startswith("Animation of 3 turns. Morelli, match 1: Alice (Black) – Bob (White)")
    assert "Bob (White) is to move." in film.description


async def test_animation_is_posted_for_all(stage: Stage) -> None:
    await played(stage, *OPENING)
    film = await (await stage.alice.click(await replay(stage), "Animation")).finished()
    post = await (await stage.alice.click(film, "Post it here")).finished()
    assert not post.ephemeral
    assert post.buttons == []
    assert picture(post).data == picture(film).data


async def test_animation_is_seen_from_the_side_of_the_page(stage: Stage) -> None:
    await played(stage, *OPENING)
    page = await replay(stage)
    film = await (await stage.alice.click(page, "Animation")).finished()
    flipped = await stage.alice.click(page, "Flip board")
    other = await (await stage.alice.click(flipped, "Animation")).finished()
    assert picture(film).data != picture(other).data


# Taking a match away.


async def export(stage: Stage, **options: Any) -> Reply:
    return await (await stage.alice.command("export", options, channel=stage.channel)).finished()


async def test_export_gives_record_picture_and_animation_in_one_answer(stage: Stage) -> None:
    await played(stage, *OPENING)
    before = len(stage.discord.requests)
    reply = await export(stage)
    assert stage.requests()[before:] == [POST, EDIT]
    assert reply.ephemeral
    assert reply.text.splitlines()[:2] == [
        "**Morelli, match 1**: Alice (Black) – Bob (White), later rules · 9 × 9 · Facing",
        "Bob (White) is to move.",
    ]
    record, board, film = reply.attachments
    assert [file.filename for file in reply.attachments] == ["match-1.txt", "match-1.png", "match-1.gif"]
    assert record.data.decode().splitlines()[-4:] == ["1. C1-D2", "2. A2-B3", "3. D1-E2", "*"]
    assert image_size(board.data)
    assert frames(film.data) == 4
    assert all(file.description for file in (board, film))


async def test_record_tells_names_and_no_account(stage: Stage) -> None:
    await played(stage, *OPENING)
    text = (await export(stage)).attachments[0].data.decode()
    assert '[Black "Alice"]' in text
    assert str(stage.alice.id) not in text
    assert str(stage.guild.id) not in text
    assert str(stage.channel.id) not in text


async def test_export_is_posted_for_all(stage: Stage) -> None:
    await played(stage, *OPENING)
    private = await export(stage)
    public = await (await stage.alice.click(private, "Post it here")).finished()
    assert not public.ephemeral
    assert public.buttons == []
    assert [file.data for file in public.attachments] == [file.data for file in private.attachments]
    assert not (await export(stage, public=True)).ephemeral


async def test_export_of_a_match_that_is_over_tells_the_result(stage: Stage) -> None:
    await played(stage, *OPENING)
    await stage.bob.click(await stage.bob.command("resign", {"match": "1"}, channel=stage.channel), "Resign")
    reply = await export(stage)
    assert "Black (Alice) wins. Bob resigns." in reply.text
    assert '[Result "black"]\n[Reason "resigned"]' in reply.attachments[0].data.decode()


async def test_animation_gets_smaller_where_files_must_be(stage: Stage) -> None:
    await played(stage, *OPENING)
    widths = []
    for limit in (10_000_000, 45_000, 30_000):
        stage.discord.settings.attachment_limit = limit
        files = (await export(stage)).attachments
        assert sum(file.size for file in files) <= limit
        size = image_size(files[2].data)
        assert size is not None
        widths.append(size[0])
    assert widths == sorted(widths, reverse=True)
    assert widths[0] == 500 > widths[1]


async def test_animation_that_cannot_be_small_enough_is_left_out(stage: Stage) -> None:
    await played(stage, *OPENING)
    stage.discord.settings.attachment_limit = 21_000
    reply = await export(stage)
    assert [file.filename for file in reply.attachments] == ["match-1.txt", "match-1.png"]
    assert "The animation would be larger than files may be here" in reply.text
