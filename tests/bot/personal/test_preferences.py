"""A person's own settings: the panel, and every private picture by them."""

from __future__ import annotations

import io
from datetime import time
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from matches import Facing, Preferences, Quiet, Theme, Way
from render import ThemeName

if TYPE_CHECKING:
    from tests.bot.stage import Stage
    from tests.discord_server import Member, Message, Reply

DARK, WHITE = (29, 30, 36), (255, 255, 255)


async def panel(stage: Stage, person: Member | None = None) -> Reply:
    return await (person or stage.alice).command("preferences", {}, channel=stage.channel)


async def chosen(stage: Stage, person: Member | None = None) -> Preferences:
    return await stage.bot.matches.people.preferences(f"discord:{(person or stage.alice).id}")


def corner(shown: Message | Reply) -> tuple[int, ...]:
    """Give the colour of a picture's corner: that of its ground."""
    with Image.open(io.BytesIO(shown.attachments[0].data)) as picture:
        found = picture.convert("RGB").getpixel((0, 0))
    assert isinstance(found, tuple)
    return found


def bottom(shown: Message | Reply) -> str:
    """Give the file letters as the alternative text shows them, left to right."""
    lines = (shown.attachments[0].description or "").splitlines()
    return next(line for line in lines if line.split()[:1] in (["A"], ["I"])).replace(" ", "")


async def test_panel_is_private_and_shows_a_sample(stage: Stage) -> None:
    reply = await panel(stage)
    assert reply.ephemeral
    assert "Colours: Rainbow\nBoard: your own side at the bottom\nWriting: normal" in reply.text
    assert "A sample of your pictures." in (reply.attachments[0].description or "")
    assert corner(reply) == DARK


def test_every_theme_of_the_pictures_can_be_chosen() -> None:
    assert {theme.value for theme in Theme} == {theme.value for theme in ThemeName}


async def test_choices_about_pictures_are_kept_and_shown(stage: Stage) -> None:
    reply = await stage.alice.select(await panel(stage), "Colours", ["Clear"])
    assert corner(reply) == WHITE
    reply = await stage.alice.select(reply, "Which side is at the bottom", ["as in the posts for all"])
    reply = await stage.alice.select(reply, "Size of the writing", ["large"])
    assert "Colours: Clear\nBoard: as in the posts for all\nWriting: large" in reply.text
    assert await chosen(stage) == Preferences(theme=Theme.CLEAR, facing=Facing.POSTED, large=True)
    assert await chosen(stage, stage.bob) == Preferences()


async def test_reminders_are_told_with_the_earliest_first(stage: Stage) -> None:
    reply = await stage.alice.click(await panel(stage), "Reminders")
    hours = [f"{number} hours before the deadline" for number in (6, 72, 24)]
    reply = await stage.alice.select(reply, "When you are reminded", hours)
    assert f"Before a deadline: {hours[1]}, {hours[2]} and {hours[0]}\n" in reply.text


async def test_choices_about_reminders_are_kept_and_shown(stage: Stage) -> None:
    reply = await stage.alice.click(await panel(stage), "Reminders")
    assert not reply.attachments
    assert "Where: by direct message\nBefore a deadline: when 25% of your time is left" in reply.text
    reply = await stage.alice.select(reply, "Where you are reminded", ["where the match is played"])
    steps = ["when 50% of your time is left", "6 hours before the deadline"]
    reply = await stage.alice.select(reply, "When you are reminded", steps)
    reply = await stage.alice.select(
        reply, "How often that is repeated", ["every 2 days while it is your turn"]
    )
    assert "Before a deadline: when 50% of your time is left and 6 hours before the deadline" in reply.text
    assert "Repeated: every 2 days while it is your turn" in reply.text
    assert await chosen(stage) == Preferences(way=Way.PLACE, shares=(50,), hours=(6,), every=2)
    again = await stage.alice.click(reply, "Pictures")
    assert again.attachments


async def test_all_reminders_can_be_left_out(stage: Stage) -> None:
    reply = await stage.alice.click(await panel(stage), "Reminders")
    reply = await stage.alice.select(reply, "When you are reminded", [])
    reply = await stage.alice.select(reply, "Where you are reminded", ["not at all"])
    assert "Where: not at all\nBefore a deadline: none" in reply.text
    assert await chosen(stage) == Preferences(way=Way.OFF, shares=())


async def test_too_many_reminders_are_refused(stage: Stage) -> None:
    reply = await stage.alice.click(await panel(stage), "Reminders")
    every = [option.value for option in reply.selects[1].options]
    assert len(every) > 8
    refused = await stage.alice.select(reply, "When you are reminded", every)
    assert "At most 8 reminders are possible" in refused.text
    assert await chosen(stage) == Preferences()


async def test_quiet_hours_are_typed_into_a_form(stage: Stage) -> None:
    reply = await stage.alice.click(await panel(stage), "Reminders")
    form = await stage.alice.click(reply, "Quiet hours and time zone")
    assert form.modal is not None
    assert [field.value for field in form.modal.fields] == [None, "UTC"]
    filled = {"Quiet hours; empty for none": "22-7:30", "Your time zone, or a large city in it": "tokyo"}
    reply = await stage.alice.submit(form, filled)
    assert "Quiet hours: 22:00-07:30\nTime zone: Asia/Tokyo, where it is" in reply.text
    settings = await chosen(stage)
    assert (settings.zone, settings.quiet) == ("Asia/Tokyo", Quiet(time(22), time(7, 30)))
    form = await stage.alice.click(reply, "Quiet hours and time zone")
    assert form.modal is not None
    assert [field.value for field in form.modal.fields] == ["22:00-07:30", "Asia/Tokyo"]
    reply = await stage.alice.submit(form, {"Quiet hours; empty for none": ""})
    assert "Quiet hours: none" in reply.text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"zone": "Atlantis"}, "I know no time zone Atlantis."),
        ({"quiet": "at night"}, "I cannot read at night as quiet hours. Write from when to when"),
    ],
)
async def test_what_cannot_be_is_told(stage: Stage, options: dict[str, str], sentence: str) -> None:
    reply = await stage.alice.command("preferences", options, channel=stage.channel)
    assert sentence in reply.text
    assert reply.ephemeral
    assert await chosen(stage) == Preferences()


async def test_zone_and_quiet_hours_are_typed_as_a_command(stage: Stage) -> None:
    options = {"zone": "Europe/Berlin", "quiet": "23-7"}
    reply = await stage.alice.command("preferences", options, channel=stage.channel)
    assert "Quiet hours: 23:00-07:00\nTime zone: Europe/Berlin, where it is" in reply.text


@pytest.mark.parametrize(
    ("typed", "first"), [("berlin", "Europe/Berlin"), ("new y", "America/New_York"), ("utc", "UTC")]
)
async def test_zones_are_proposed_by_their_cities(stage: Stage, typed: str, first: str) -> None:
    choices = await stage.alice.autocomplete(
        "preferences", {"zone": typed}, focused="zone", channel=stage.channel
    )
    assert choices[0].value == first
    assert len(choices) <= 25


async def test_settings_are_changed_in_private_too(stage: Stage) -> None:
    reply = await stage.alice.command("preferences", {"quiet": "1-2"}, channel=stage.alice.dm)
    assert "Quiet hours: 01:00-02:00" in reply.text


async def test_private_boards_look_as_chosen_and_posts_as_ever(stage: Stage) -> None:
    await stage.start()
    reply = await stage.bob.select(await panel(stage, stage.bob), "Colours", ["Clear"])
    await stage.bob.select(reply, "Which side is at the bottom", ["as in the posts for all"])
    looked = await stage.bob.command("board", {}, channel=stage.channel)
    assert (corner(looked), bottom(looked)) == (WHITE, "ABCDEFGHI")
    other = await stage.alice.command("board", {}, channel=stage.channel)
    assert corner(other) == DARK
    post = await stage.move(stage.alice, "C1-D2")
    assert (corner(post), bottom(post)) == (DARK, "ABCDEFGHI")
    picked = await stage.bob.click(post, "Pick")
    assert (corner(picked), bottom(picked)) == (WHITE, "ABCDEFGHI")
    flipped = await stage.bob.click(picked, "Flip board")
    assert (corner(flipped), bottom(flipped)) == (WHITE, "IHGFEDCBA")
    replayed = await stage.bob.command("replay", {"match": "1"}, channel=stage.channel)
    assert (corner(replayed), bottom(replayed)) == (WHITE, "ABCDEFGHI")
    ruled = await stage.bob.command("rules", {}, channel=stage.channel)
    assert corner(ruled) == WHITE
    shared = await stage.bob.click(replayed, "Post it here")
    assert corner(shared) == DARK


async def test_unfinished_run_is_shown_as_chosen(stage: Stage) -> None:
    await stage.start(start="free")
    await stage.move(stage.alice, "A4")
    reply = await stage.bob.select(await panel(stage, stage.bob), "Colours", ["Clear"])
    assert reply.updated
    placed = await stage.move(stage.bob, "A5")
    assert "due from you" in placed.text
    assert (corner(placed), bottom(placed)) == (WHITE, "IHGFEDCBA")
