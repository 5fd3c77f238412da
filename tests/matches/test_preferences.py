"""Preferences, and the lists of awaited and active matches."""

import asyncio
from datetime import time

import pytest

from matches import BoardOrientation, Matches, PictureTheme, Preferences, ReminderChannel
from matches.preferences.quiet_hours import QuietHours
from tests.matches.scenario import (
    ALICE,
    BOB,
    CAROL,
    CHANNEL,
    FISTS,
    NOON,
    SERVER,
    later,
    make_challenge,
    play_move,
    start_match,
)
from tests.refusals import refused

FAR = "test:far"


async def test_preferences_have_defaults(matches: Matches) -> None:
    assert await matches.people.preferences.get(ALICE.account) == Preferences()


async def test_settings_are_changed_one_at_a_time(matches: Matches, other_matches: Matches) -> None:
    await matches.people.preferences.change(ALICE, theme=PictureTheme.CLEAR, now=NOON)
    await other_matches.people.preferences.change(
        ALICE, orientation=BoardOrientation.POSTED, reminder_channel=ReminderChannel.OFF, now=later(days=1)
    )
    preferences = await matches.people.preferences.get(ALICE.account)
    assert preferences == Preferences(
        theme=PictureTheme.CLEAR, orientation=BoardOrientation.POSTED, reminder_channel=ReminderChannel.OFF
    )
    assert await matches.people.preferences.get(BOB.account) == Preferences()


async def test_language_of_discord_is_kept_until_another_is_chosen(
    matches: Matches, other_matches: Matches
) -> None:
    own, others = matches.people.preferences, other_matches.people.preferences
    assert not await own.record_locale(ALICE.account, "ja")  # nothing is stored about her
    await own.change(ALICE, large=True, now=NOON)
    assert await own.find_language(ALICE.account) == ""
    assert await others.record_locale(ALICE.account, "ja")
    assert await own.record_locale(ALICE.account, "de")
    assert await others.find_language(ALICE.account) == "de"
    assert await own.find_language(ALICE.account, otherwise="ja") == "ja"
    await own.change(ALICE, language="en", now=NOON)
    assert await own.find_language(ALICE.account, otherwise="ja") == "en"


async def test_changes_at_once_are_both_kept(matches: Matches, other_matches: Matches) -> None:
    await asyncio.gather(
        matches.people.preferences.change(ALICE, large=True, now=NOON),
        other_matches.people.preferences.change(ALICE, repeat_days=3, now=NOON),
    )
    assert await matches.people.preferences.get(ALICE.account) == Preferences(large=True, repeat_days=3)


async def test_zone_and_quiet_hours_are_parsed(matches: Matches) -> None:
    preferences = await matches.people.preferences.change(ALICE, zone="europe/lisbon", quiet="22-7", now=NOON)
    assert preferences == Preferences(zone="Europe/Lisbon", quiet=(QuietHours(time(22), time(7)),))
    assert (await matches.people.preferences.change(ALICE, quiet="none", now=NOON)).quiet == ()


@pytest.mark.parametrize(
    ("values", "refusal"),
    [
        ({"zone": "Nowhere"}, "time_zone_unknown"),
        ({"quiet": "later"}, "quiet_hours_unreadable"),
        ({"repeat_days": 99}, "invalid_reminder_times"),
    ],
)
async def test_invalid_preferences_change_nothing(
    matches: Matches, values: dict[str, object], refusal: str
) -> None:
    with refused(refusal):
        await matches.people.preferences.change(ALICE, large=True, now=NOON, **values)
    assert await matches.people.preferences.get(ALICE.account) == Preferences()


async def test_awaiting_matches_are_listed_anywhere_or_on_a_server(matches: Matches) -> None:
    mine = await start_match(matches)
    await play_move(matches, await start_match(matches))
    closed = await start_match(matches, FISTS, now=later(minutes=1))
    update = await matches.challenges.create(
        ALICE, to=BOB, server=FAR, channel=CHANNEL, game="morelli", options={"size": 9}, now=NOON, colour=None
    )
    far = (await matches.challenges.accept(update.challenge.id, BOB, now=later(minutes=2))).match
    waits = far.to_move is not None and far.to_move.person == ALICE
    here = [one.id for one in await matches.views.list_awaiting(ALICE, server=SERVER)]
    assert here == [mine.id, closed.id]
    assert [one.id for one in await matches.views.list_awaiting(ALICE)] == [
        *here,
        *([far.id] if waits else []),
    ]
    assert {one.id for one in await matches.views.list_active_of(ALICE, None)} > {*here, far.id}


async def test_lobby_lists_open_challenges_and_active_matches(matches: Matches) -> None:
    first, second = await make_challenge(matches), await make_challenge(matches, to=CAROL)
    await matches.challenges.decline((await make_challenge(matches, BOB, CAROL)).id, CAROL, now=NOON)
    quiet, lively = await start_match(matches), await start_match(matches)
    over = await start_match(matches)
    await matches.resign(over.id, ALICE, now=NOON)
    await play_move(matches, lively, now=later(hours=1))
    await matches.challenges.create(ALICE, server=FAR, channel=CHANNEL, game="morelli", now=NOON)
    challenges, under_way = await matches.public_queries.load_lobby(SERVER, now=later(hours=2))
    assert [one.id for one in challenges] == [second.id, first.id]
    assert [one.id for one in under_way] == [lively.id, quiet.id]
    assert [
        len(found) for found in await matches.public_queries.load_lobby(SERVER, now=later(days=8), limit=1)
    ] == [0, 1]
