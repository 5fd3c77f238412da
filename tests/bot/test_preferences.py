"""A user's preferences: the panel, and their effect on private pictures."""

from __future__ import annotations

import io
from datetime import time
from typing import TYPE_CHECKING

import pytest
from PIL import Image
from sqlalchemy import insert

from bot.features.preferences.feature import ReminderSelect
from bot.ui.buttons import view_of
from bot.ui.selects import select_option
from matches import BoardOrientation, NoticeKind, Person, PictureTheme, Preferences, Way
from matches.preferences.quiet_hours import QuietHours
from render import ThemeName
from storage.tables import IDENTITIES

if TYPE_CHECKING:
    from tests.bot.environment import BotEnvironment
    from tests.discord_server import Member, Message, Reply

DARK, WHITE = (29, 30, 36), (255, 255, 255)


async def open_panel(env: BotEnvironment, person: Member | None = None) -> Reply:
    """Use /preferences, by default as Alice."""
    return await (person or env.alice).command("preferences", {}, channel=env.channel)


async def selected_values(env: BotEnvironment, person: Member | None = None) -> Preferences:
    """Return the stored preferences, by default Alice's."""
    return await env.bot.matches.people.preferences.get(f"discord:{(person or env.alice).id}")


def corner_colour(shown: Message | Reply) -> tuple[int, ...]:
    """Return the colour of a picture's corner, which is the background."""
    with Image.open(io.BytesIO(shown.attachments[0].data)) as picture:
        found = picture.convert("RGB").getpixel((0, 0))
    assert isinstance(found, tuple)
    return found


def bottom_files(shown: Message | Reply) -> str:
    """Return the file letters from left to right, as in the alt text."""
    lines = (shown.attachments[0].description or "").splitlines()
    return next(line for line in lines if line.split()[:1] in (["A"], ["I"])).replace(" ", "")


async def test_panel_is_private_and_shows_a_sample(env: BotEnvironment) -> None:
    reply = await open_panel(env)
    assert reply.ephemeral
    assert "Colours: Rainbow\nBoard: your side at the bottom\nText size: normal" in reply.text
    assert "A sample of your pictures." in (reply.attachments[0].description or "")
    assert corner_colour(reply) == DARK


def test_every_render_theme_can_be_selected() -> None:
    assert {theme.value for theme in PictureTheme} == {theme.value for theme in ThemeName}


@pytest.mark.long
async def test_picture_settings_are_saved_and_shown(env: BotEnvironment) -> None:
    reply = await env.alice.select(await open_panel(env), "Colours", ["Clear"])
    assert corner_colour(reply) == WHITE
    reply = await env.alice.select(reply, "Side at the bottom", ["as in the public posts"])
    reply = await env.alice.select(reply, "Text size", ["large"])
    assert "Colours: Clear\nBoard: as in the public posts\nText size: large" in reply.text
    assert await selected_values(env) == Preferences(
        theme=PictureTheme.CLEAR, orientation=BoardOrientation.POSTED, large=True
    )
    assert await selected_values(env, env.bob) == Preferences()


async def test_reminder_times_are_listed_earliest_first(env: BotEnvironment) -> None:
    reply = await env.alice.click(await open_panel(env), "Notices")
    hours = [f"{number} hours before the deadline" for number in (6, 72, 24)]
    reply = await env.alice.select(reply, "When to remind you", hours)
    assert f"Before a deadline: {hours[1]}, {hours[2]} and {hours[0]}\n" in reply.text


async def test_reminder_settings_are_saved_and_shown(env: BotEnvironment) -> None:
    reply = await env.alice.click(await open_panel(env), "Notices")
    assert not reply.attachments
    assert "Before a deadline: with 25% of your time left" in reply.text
    steps = ["with 50% of your time left", "6 hours before the deadline"]
    reply = await env.alice.select(reply, "When to remind you", steps)
    reply = await env.alice.select(reply, "How often to repeat it", ["every 2 days while it is your turn"])
    assert "Before a deadline: with 50% of your time left and 6 hours before the deadline" in reply.text
    assert "Repeated: every 2 days while it is your turn" in reply.text
    assert await selected_values(env) == Preferences(shares=(50,), hours=(6,), repeat_days=2)
    again = await env.alice.click(reply, "Pictures")
    assert again.attachments


async def test_ways_of_each_kind_are_chosen_and_shown(env: BotEnvironment) -> None:
    reply = await env.alice.click(await open_panel(env), "Notices")
    assert "Your turn: mention in the channel\n" in reply.text
    assert "Reminders: direct message\n" in reply.text
    reply = await env.alice.select(reply, "Your turn: choose how", ["direct message", "mail"])
    reply = await env.alice.select(reply, "What to be told about", ["Match over"])
    reply = await env.alice.select(reply, "Match over: choose how", [])
    assert "Your turn: direct message and mail\n" in reply.text
    assert "Match over: not told\n" in reply.text
    ways = (await env.bot.matches.people.notices.choices(f"discord:{env.alice.id}")).ways
    chosen = [set(ways[one]) for one in (NoticeKind.TURN, NoticeKind.OVER)]
    assert chosen == [{Way.DIRECT, Way.MAIL}, set()]


async def test_way_that_somebody_lacks_says_what_to_do(env: BotEnvironment) -> None:
    reply = await env.alice.click(await open_panel(env), "Notices")
    lacks = {option.label: option.description for option in reply.selects[1].options}
    assert (lacks["direct message"], lacks["mail"]) == (
        None,
        "You have no confirmed mail address. You can add one on the website, under Your account.",
    )


@pytest.mark.plain("the message is not of the catalogue")
@pytest.mark.parametrize(
    ("old", "ways"), [("direct", {Way.DIRECT}), ("place", {Way.CHANNEL}), ("off", set())]
)
async def test_menu_of_an_old_message_still_sets_where_reminders_go(
    env: BotEnvironment, old: str, ways: set[Way]
) -> None:
    menu = ReminderSelect.create("Where to remind you", "myreminder1:way", [select_option(old, old)])
    channel = env.bot.get_partial_messageable(env.channel.id)
    await channel.send("An old message.", view=view_of(menu))
    await env.alice.select(env.channel.messages[-1], "Where to remind you", [old])
    choice = await env.bot.matches.people.notices.choices(f"discord:{env.alice.id}")
    assert choice.ways[NoticeKind.TIME] == ways


async def test_who_switched_the_mention_off_is_named_without_being_notified(env: BotEnvironment) -> None:
    await env.start_match()
    bob = Person(f"discord:{env.bob.id}", "Bob")
    notices = env.bot.matches.people.notices
    await notices.change(bob, NoticeKind.TURN, {Way.DIRECT}, now=env.bot.now())
    pings = len(env.bob.pings)
    post = await env.move(env.alice, "C1-D2")
    await env.wait_until_idle()
    await env.bot.outbox.run_once()
    assert env.bob.mention in post.text
    assert [one.text for one in env.bob.pings[pings:]] == [one.text for one in env.bob.dms]
    assert len(env.bob.dms) == 1


@pytest.mark.parametrize("kind", [NoticeKind.TURN, NoticeKind.CHALLENGE])
async def test_who_chose_direct_messages_and_accepts_none_is_mentioned_in_the_channel(
    env: BotEnvironment, kind: NoticeKind
) -> None:
    bob = Person(f"discord:{env.bob.id}", "Bob")
    await env.bot.matches.people.notices.change(bob, kind, {Way.DIRECT}, now=env.bot.now())
    env.bob.close_dms()
    if kind is NoticeKind.TURN:
        await env.start_match()
        await env.move(env.alice, "C1-D2")
    else:
        await env.alice.command("challenge", {"opponent": env.bob}, channel=env.channel)
    await env.wait_until_idle()
    await env.bot.outbox.run_once()
    await env.bot.outbox.run_once()
    told = [one for one in env.channel.messages if "there is news for you above" in one.text]
    assert len(told) == 1
    assert told[0] in env.bob.pings
    assert env.bob.dms == []


@pytest.mark.long
async def test_who_is_told_by_mail_is_not_mentioned_because_of_closed_direct_messages(
    env: BotEnvironment,
) -> None:
    await env.start_match()
    bob = Person(f"discord:{env.bob.id}", "Bob")
    async with env.database.transaction() as connection:
        owned = {"account": bob.account, "made_at": 0, "confirmed_at": 0}
        mail = {"platform": "mail", "address": "bob@example.org", **owned}
        await connection.execute(insert(IDENTITIES).values(mail))
    ways = {Way.DIRECT, Way.MAIL}
    await env.bot.matches.people.notices.change(bob, NoticeKind.TURN, ways, now=env.bot.now())
    env.bob.close_dms()
    pings = len(env.bob.pings)
    await env.move(env.alice, "C1-D2")
    await env.wait_until_idle()
    await env.bot.outbox.run_once()
    assert len(env.bob.pings) == pings


@pytest.mark.long
async def test_too_many_reminders_are_refused(env: BotEnvironment) -> None:
    reply = await env.alice.click(await open_panel(env), "Notices")
    every = [option.value for option in reply.selects[2].options]
    assert len(every) > 8
    refused = await env.alice.select(reply, "When to remind you", every)
    assert "at most 8 reminders per turn" in refused.text
    assert await selected_values(env) == Preferences()


async def test_quiet_hours_can_be_set_in_a_modal(env: BotEnvironment) -> None:
    reply = await env.alice.click(await open_panel(env), "Notices")
    form = await env.alice.click(reply, "Quiet hours and time zone")
    assert form.modal is not None
    assert [field.value for field in form.modal.fields] == [None, "UTC"]
    filled = {"Quiet hours (empty for none)": "22-7:30", "Your time zone, or a large city in it": "tokyo"}
    reply = await env.alice.submit(form, filled)
    assert "Quiet hours: 22:00-07:30\nTime zone: Asia\\/Tokyo, where it is" in reply.text
    settings = await selected_values(env)
    assert (settings.zone, settings.quiet) == ("Asia/Tokyo", (QuietHours(time(22), time(7, 30)),))
    form = await env.alice.click(reply, "Quiet hours and time zone")
    assert form.modal is not None
    assert [field.value for field in form.modal.fields] == ["22:00-07:30", "Asia/Tokyo"]
    reply = await env.alice.submit(form, {"Quiet hours (empty for none)": ""})
    assert "Quiet hours: none" in reply.text


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"zone": "Atlantis"}, "There is no time zone Atlantis."),
        ({"quiet": "at night"}, "at night is not a span of quiet hours. Write it like"),
    ],
)
async def test_invalid_settings_are_refused(
    env: BotEnvironment, options: dict[str, str], sentence: str
) -> None:
    reply = await env.alice.command("preferences", options, channel=env.channel)
    assert sentence in reply.text
    assert reply.ephemeral
    assert await selected_values(env) == Preferences()


async def test_zone_and_quiet_hours_can_be_set_by_command(env: BotEnvironment) -> None:
    options = {"zone": "Europe/Berlin", "quiet": "23-7"}
    reply = await env.alice.command("preferences", options, channel=env.channel)
    assert "Quiet hours: 23:00-07:00\nTime zone: Europe\\/Berlin, where it is" in reply.text


@pytest.mark.parametrize(
    ("typed", "first"),
    [
        ("berlin", "Europe/Berlin"),
        ("new y", "America/New_York"),
        ("utc", "UTC"),
        ("utc+5", "UTC+05:00"),
        ("CET", "Europe/Berlin"),
    ],
)
async def test_time_zones_are_suggested_by_city(env: BotEnvironment, typed: str, first: str) -> None:
    choices = await env.alice.autocomplete(
        "preferences", {"zone": typed}, focused="zone", channel=env.channel
    )
    assert choices[0].value == first
    assert len(choices) <= 25


async def test_settings_can_be_changed_in_a_direct_message(env: BotEnvironment) -> None:
    reply = await env.alice.command("preferences", {"quiet": "1-2"}, channel=env.alice.dm)
    assert "Quiet hours: 01:00-02:00" in reply.text


@pytest.mark.long
async def test_preferences_apply_to_private_boards_but_not_to_posts(env: BotEnvironment) -> None:
    await env.start_match()
    reply = await env.bob.select(await open_panel(env, env.bob), "Colours", ["Clear"])
    await env.bob.select(reply, "Side at the bottom", ["as in the public posts"])
    looked = await env.bob.command("board", {}, channel=env.channel)
    assert (corner_colour(looked), bottom_files(looked)) == (WHITE, "ABCDEFGHI")
    other = await env.alice.command("board", {}, channel=env.channel)
    assert corner_colour(other) == DARK
    post = await env.move(env.alice, "C1-D2")
    assert (corner_colour(post), bottom_files(post)) == (DARK, "ABCDEFGHI")
    picked = await env.bob.click(post, "Pick")
    assert (corner_colour(picked), bottom_files(picked)) == (WHITE, "ABCDEFGHI")
    flipped = await env.bob.click(picked, "Flip board")
    assert (corner_colour(flipped), bottom_files(flipped)) == (WHITE, "IHGFEDCBA")
    replayed = await env.bob.command("replay", {"match": "1"}, channel=env.channel)
    assert (corner_colour(replayed), bottom_files(replayed)) == (WHITE, "ABCDEFGHI")
    ruled = await env.bob.command("rules", {}, channel=env.channel)
    assert corner_colour(ruled) == WHITE
    shared = await env.bob.click(replayed, "Post it here")
    assert corner_colour(shared) == DARK


@pytest.mark.long
async def test_preferences_apply_to_the_board_of_an_unfinished_series(env: BotEnvironment) -> None:
    await env.start_match(start="free")
    await env.move(env.alice, "A4")
    reply = await env.bob.select(await open_panel(env, env.bob), "Colours", ["Clear"])
    assert reply.updated
    placed = await env.move(env.bob, "A5")
    assert "to place" in placed.text
    assert (corner_colour(placed), bottom_files(placed)) == (WHITE, "IHGFEDCBA")
